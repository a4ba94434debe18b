/** Two runs side by side: what is the same, and where they part. */
import { shownDuration, shownUsd } from "@a5c-ai/babysitter-sdk/view";
import type { ComponentChildren } from "preact";
import { useMemo, useState } from "preact/hooks";
import type { FilePage } from "../../wire/inbox-wire.js";
import { FileReview } from "../files/file-review.js";
import { runAddress } from "../model/routes.js";
import { Icon, type IconName } from "../parts/icons.js";
import { Link } from "../parts/link.js";
import { Problem } from "../parts/problem.js";
import { UserText } from "../parts/user-text.js";
import { type ComparedStep, compareRuns, lengthOf } from "./compare-runs.js";
import { NO_COMMENTS } from "./open-file.js";
import type { RunData } from "./run-data.js";
import { outcomeOf, standingNow } from "./run-words.js";
import { problemText } from "./save-button.js";
import "../styles/files.css";
import "../styles/compare.css";
import "../styles/run-parts.css";

interface Sides {
  left: RunData;
  right: RunData;
}

export function Comparison({ left, right }: Sides) {
  const [ours, theirs] = [left.timeline.value, right.timeline.value];
  const problem = left.problem.value ?? right.problem.value;
  const compared = useMemo(
    () =>
      ours === undefined || theirs === undefined
        ? undefined
        : compareRuns({ events: left.events.value, timeline: ours }, { events: right.events.value, timeline: theirs }),
    [ours, theirs],
  );
  if (problem !== undefined)
    return (
      <Problem
        message="The runs cannot be compared."
        hint={problemText(problem)}
        onRetry={() => void Promise.all([left.load(), right.load()])}
      />
    );
  if (compared === undefined) return <span class="skeleton" data-height="card" aria-busy="true" />;
  const { steps, partsAt, isSameProcess } = compared;
  const parting = partsAt === undefined ? undefined : steps[partsAt];
  return (
    <>
      {isSameProcess ? null : (
        <p class="callout" data-tone="needs">
          <Icon name="warning" />
          <span class="callout-text">
            <strong>Two processes.</strong> Steps are matched where they have the same place in both.
          </span>
        </p>
      )}
      <p class="callout" data-tone={parting === undefined ? "good" : "needs"}>
        <Icon name={parting === undefined ? "check" : "warning"} />
        <span class="callout-text">
          {parting === undefined ? (
            <strong>All steps are the same.</strong>
          ) : (
            <>
              <strong>They part at step {(partsAt ?? 0) + 1}:</strong>{" "}
              <UserText text={(parting.left ?? parting.right)?.title ?? ""} /> ({differenceWords(parting)}).
            </>
          )}
        </span>
      </p>
      <Facts left={left} right={right} />
      <Steps steps={steps} partsAt={partsAt} />
      <Outputs left={left} right={right} />
    </>
  );
}

function Facts({ left, right }: Sides) {
  const rows: [string, (data: RunData) => ComponentChildren][] = [
    ["Run", (data) => <RunName data={data} />],
    ["Process", (data) => <UserText text={data.detail.value?.process ?? ""} />],
    ["State", ({ detail, state }) => (detail.value === undefined ? "" : standingNow(detail.value, state.value).word)],
    [
      "Outcome",
      (data) => <UserText text={outcomeOf(data.state.value)?.word ?? data.detail.value?.error?.message ?? "–"} />,
    ],
    ["Took", (data) => shownDuration(timeOf(data, ({ from, to }) => to - from))],
    ["Working", (data) => shownDuration(timeOf(data, ({ split }) => split.workingMs))],
    ["Waiting on you", (data) => shownDuration(timeOf(data, ({ split }) => split.waitingOnPersonMs))],
    ["Waiting for time", (data) => shownDuration(timeOf(data, ({ split }) => split.waitingOnTimeMs))],
    ["Idle", (data) => shownDuration(timeOf(data, ({ split }) => split.idleMs))],
    ["Cost", costOf],
    ["Events", (data) => data.total.value.toLocaleString("en")],
  ];
  return (
    <table class="compare-facts">
      <thead class="unseen">
        <tr>
          <td />
          <th scope="col">Left</th>
          <th scope="col">Right</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(([name, value]) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td>{value(left)}</td>
            <td>{value(right)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function RunName({ data }: { data: RunData }) {
  const id = data.detail.value?.id ?? "";
  return (
    <Link to={runAddress(id)}>
      <UserText text={id} />
    </Link>
  );
}

type Times = NonNullable<RunData["timeline"]["value"]>;

function timeOf({ timeline }: RunData, measure: (times: Times) => number): number {
  return timeline.value === undefined ? Number.NaN : measure(timeline.value);
}

function costOf({ detail }: RunData): string {
  const spend = detail.value?.loop?.spend ?? null;
  if (spend === null) return "–";
  return spend.usd === null ? `unknown, at least ${shownUsd(spend.knownUsd)}` : shownUsd(spend.usd);
}

const STATES: Record<string, { icon: IconName; word: string; tone: string }> = {
  open: { icon: "part", word: "Open", tone: "needs" },
  ok: { icon: "check", word: "Done", tone: "good" },
  approved: { icon: "check", word: "Approved", tone: "good" },
  rejected: { icon: "cross", word: "Rejected", tone: "bad" },
  error: { icon: "cross", word: "Failed", tone: "bad" },
  dropped: { icon: "none", word: "Dropped", tone: "quiet" },
};
const DIFFERENCES: Record<ComparedStep["differs"][number], string> = {
  request: "asked for something else",
  result: "another result",
  state: "ended differently",
  missing: "only in one of them",
};

function differenceWords({ differs }: ComparedStep): string {
  return differs.map((one) => DIFFERENCES[one]).join(", ");
}

const FIRST = 200;

function Steps({ steps, partsAt }: { steps: readonly ComparedStep[]; partsAt: number | undefined }) {
  const [most, setMost] = useState(Math.max(FIRST, (partsAt ?? 0) + 50));
  return (
    <section class="criteria-part" aria-labelledby="compare-steps">
      <h2 id="compare-steps">Steps</h2>
      <ol class="compare-steps">
        {steps.slice(0, most).map((step, index) => (
          <li key={step.key} class="compare-step" data-parts={index === partsAt ? "" : undefined}>
            <p class="compare-title">
              <UserText text={(step.left ?? step.right)?.title ?? step.key} />
              {step.differs.length === 0 ? null : (
                <span class="chip" data-tone={index === partsAt ? "needs" : "quiet"}>
                  {index === partsAt ? <Icon name="warning" /> : null}
                  {index === partsAt ? "They part here: " : ""}
                  {differenceWords(step)}
                </span>
              )}
            </p>
            <StepSide side="Left" span={step.left} />
            <StepSide side="Right" span={step.right} />
          </li>
        ))}
      </ol>
      {steps.length > most ? (
        <button type="button" class="button" onClick={() => setMost(most + FIRST)}>
          Show more of {steps.length.toLocaleString("en")}
        </button>
      ) : null}
    </section>
  );
}

function StepSide({ side, span }: { side: string; span: ComparedStep["left"] }) {
  const state = span === undefined ? undefined : STATES[span.state];
  const length = lengthOf(span);
  return (
    <p class="compare-side">
      <span class="compare-which">{side}</span>
      {state === undefined ? (
        <span class="quiet">not there</span>
      ) : (
        <>
          <span class="mark" data-tone={state.tone}>
            <Icon name={state.icon} />
            {state.word}
          </span>
          <span class="quiet">{length === undefined ? "not over" : shownDuration(length)}</span>
          {(span?.attempts.length ?? 0) > 1 ? <span class="quiet">{span?.attempts.length} attempts</span> : null}
        </>
      )}
    </p>
  );
}

function pageOf(text: string): Promise<FilePage> {
  return Promise.resolve({ text, from: 0, next: null, bytes: new TextEncoder().encode(text).length });
}

function Outputs({ left, right }: Sides) {
  const [ours, theirs] = [left.detail.value?.output ?? null, right.detail.value?.output ?? null];
  if (ours === null && theirs === null) return null;
  return (
    <section class="criteria-part" aria-labelledby="compare-outputs">
      <h2 id="compare-outputs">Output</h2>
      {ours === null || theirs === null ? (
        <p class="part-note">Only the {ours === null ? "right" : "left"} run has one.</p>
      ) : ours === theirs ? (
        <p class="part-note">Both returned the same.</p>
      ) : (
        <FileReview
          {...NO_COMMENTS}
          questionId={`${left.detail.value?.id}\n${right.detail.value?.id}\n${ours.length}\n${theirs.length}`}
          file={{ n: 0, path: "output.json", comparisons: [{ side: "base", label: "the left run" }] }}
          loadPage={(_n, side) => pageOf(side === "file" ? theirs : ours)}
        />
      )}
    </section>
  );
}
