/** What the loop of a run was to reach, how far it is, and how it got there. */

import { pauseReason, shownCount, shownDuration, shownUsd } from "@a5c-ai/babysitter-sdk/view";
import type { ComponentChildren } from "preact";
import { useMemo } from "preact/hooks";
import { Icon } from "../parts/icons.js";
import { Prose } from "../parts/prose.js";
import { UserText } from "../parts/user-text.js";
import { criteriaMatrix, type Standing, standingAt } from "./criteria-matrix.js";
import { CriteriaTable } from "./criteria-table.js";
import type { RunData } from "./run-data.js";
import { STANDINGS } from "./standing-words.js";
import "../styles/files.css";
import "../styles/run-parts.css";

type Loop = NonNullable<NonNullable<RunData["state"]["value"]>["loop"]>;

const ENDS = {
  verified: {
    icon: "check",
    tone: "good",
    word: "Verified.",
    text: "The engine ran the checks itself, and every one passed.",
  },
  proof: {
    icon: "check",
    tone: "good",
    word: "Proved.",
    text: "The run's process finished, and the agent gave the proof that is printed only then. No criteria were checked.",
  },
  claim: {
    icon: "warning",
    tone: "needs",
    word: "Claimed only.",
    text: "The agent said it was done. Nothing has checked that.",
  },
} as const;

export function CriteriaPart({ data }: { data: RunData }) {
  const loop = data.state.value?.loop;
  const events = data.shownEvents.value;
  const matrix = useMemo(() => (loop === undefined ? undefined : criteriaMatrix(events, loop)), [events, loop]);
  if (loop === undefined || matrix === undefined)
    return (
      <p class="part-note">This run has no loop, so there are no criteria: its process decides when it is done.</p>
    );
  return (
    <div class="criteria">
      <EndOf loop={loop} />
      <Contract loop={loop} goal={data.detail.value?.loop?.goal} />
      <section class="criteria-part" aria-labelledby="criteria-now">
        <h2 id="criteria-now">{data.at.value === undefined ? "Criteria now" : "Criteria at that time"}</h2>
        {matrix.rows.length === 0 ? (
          <p class="part-note">None: the loop ends when the agent says it is done.</p>
        ) : (
          <ul class="criteria-rows">
            {matrix.rows
              .filter(({ criterion }) => criterion !== undefined)
              .map((row) => (
                <li key={row.id} class="criteria-row">
                  <StandingMark standing={nowOf(data, row.id) ?? standingAt(loop, row)} />
                  <span class="criteria-text">
                    <UserText class="criteria-name" text={row.id} />
                    <UserText class="code quiet" text={row.text} />
                    {row.isMustNot ? <span class="quiet">must not succeed</span> : null}
                    {row.criterion?.kind === "claim" ? (
                      <span class="quiet">cannot be checked: there is only the agent's word</span>
                    ) : null}
                    {loop.greenBefore.includes(row.id) ? (
                      <span class="quiet">was met before any work, so it proves nothing</span>
                    ) : null}
                  </span>
                </li>
              ))}
          </ul>
        )}
      </section>
      {matrix.columns.length === 0 ? null : <CriteriaTable data={data} matrix={matrix} />}
    </div>
  );
}

/** What the server says about the tree as it is; of the past only the checks are known. */
function nowOf(data: RunData, id: string): Standing | undefined {
  if (data.at.value !== undefined) return undefined;
  const view = data.detail.value?.loop?.criteria.find((criterion) => criterion.id === id)?.view;
  if (view === "unchecked") return "unknown";
  return view !== undefined && Object.hasOwn(STANDINGS, view) ? (view as Standing) : undefined;
}

function StandingMark({ standing }: { standing: Standing }) {
  const { icon, word, tone } = STANDINGS[standing];
  return (
    <span class="chip criteria-mark" data-tone={tone}>
      <Icon name={icon} />
      {word}
    </span>
  );
}

function EndOf({ loop: { ended, paused } }: { loop: Loop }) {
  const reason = paused && pauseReason(paused);
  if (ended === undefined)
    return (
      <p class="part-note">
        {paused === undefined ? (
          "The loop continues."
        ) : (
          <UserText text={`Paused${reason === undefined ? "." : `: ${reason}`}`} />
        )}
      </p>
    );
  const { icon, tone, word, text } = ENDS[ended.attestation];
  return (
    <p class="callout" data-tone={tone}>
      <Icon name={icon} />
      <span class="callout-text">
        <strong>{word}</strong> {text}
      </span>
    </p>
  );
}

function Contract({ loop: { contract }, goal }: { loop: Loop; goal: string | undefined }) {
  const { limits, promise, protects } = contract;
  const terms: [string, ComponentChildren][] = [
    ["Iterations", limits.iterations === 0 ? undefined : `at most ${shownCount(limits.iterations)}`],
    ["Budget", limits.usd === undefined || limits.usd === 0 ? undefined : shownUsd(limits.usd)],
    ["Tokens", limits.tokens === undefined || limits.tokens === 0 ? undefined : shownCount(limits.tokens)],
    ["Time", limits.wallMs === undefined || limits.wallMs === 0 ? undefined : shownDuration(limits.wallMs)],
    ["Promise", promise.issued ? undefined : <UserText key="promise" class="code" text={promise.text} />],
    [
      "Protected",
      protects.length === 0 ? undefined : <UserText key="protects" class="code" text={protects.join(", ")} />,
    ],
  ];
  return (
    <section class="criteria-part" aria-labelledby="criteria-goal">
      <h2 id="criteria-goal">Goal and contract</h2>
      <div class="criteria-goal">
        <Prose text={goal ?? contract.title} />
      </div>
      <dl class="part-terms">
        {terms
          .filter(([, value]) => value !== undefined)
          .map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
      </dl>
    </section>
  );
}
