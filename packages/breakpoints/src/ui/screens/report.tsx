/** What happened while nobody looked: what went wrong first, what to do last. */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { NightReport, ReportedStep } from "../../wire/report-wire.js";
import { readReport } from "../api/inbox-api.js";
import { problemOf, type RequestProblem } from "../api/request.js";
import { minuteTime } from "../model/ages.js";
import { type ReportWindow, sinceWhen, WINDOW_WORDS, WINDOWS } from "../model/report-window.js";
import { addressOf } from "../model/routes.js";
import { Icon } from "../parts/icons.js";
import { Link } from "../parts/link.js";
import { Problem } from "../parts/problem.js";
import { UserText } from "../parts/user-text.js";
import { Causes, Unreadable } from "./report-causes.js";
import { CommandLine, RunName, RunRows } from "./report-rows.js";
import "../styles/report.css";

export function Report({ window: kind }: { window: ReportWindow }) {
  const report = useSignal<NightReport | undefined>(undefined);
  const problem = useSignal<RequestProblem | undefined>(undefined);
  const load = async (wanted: { current: boolean }): Promise<void> => {
    try {
      const told = await readReport(sinceWhen(kind, new Date()));
      if (!wanted.current) return;
      report.value = told;
      problem.value = undefined;
    } catch (error) {
      if (wanted.current) problem.value = problemOf(error);
    }
  };
  useEffect(() => {
    const wanted = { current: true };
    report.value = undefined;
    void load(wanted);
    return () => void (wanted.current = false);
    // oxlint-disable-next-line exhaustive-deps
  }, [kind]);
  const { value } = report;
  return (
    <div class="page report">
      <header class="report-head">
        <h1 tabIndex={-1}>Report</h1>
        <Times kind={kind} />
      </header>
      {problem.value === undefined ? null : (
        <Problem
          message={problem.value.message}
          hint={problem.value.hint}
          onRetry={() => void load({ current: true })}
        />
      )}
      {value === undefined ? <Loading isBusy={problem.value === undefined} /> : <Told report={value} />}
    </div>
  );
}

function Times({ kind }: { kind: ReportWindow }) {
  return (
    <nav aria-label="Report period">
      <ul class="report-times">
        {WINDOWS.map((one) => (
          <li key={one}>
            <Link to={`/report?time=${one}`} class="button" aria-current={one === kind ? "page" : undefined} replace>
              {WINDOW_WORDS[one]}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function Loading({ isBusy }: { isBusy: boolean }) {
  return isBusy ? (
    <div aria-busy="true">
      <span class="skeleton" data-width="short" />
      <span class="skeleton" data-height="card" />
    </div>
  ) : null;
}

function Told({ report }: { report: NightReport }) {
  const { causes, unreadable, lists, next } = report;
  return (
    <>
      <Opening report={report} />
      <Causes causes={causes} />
      <Unreadable runs={unreadable} />
      {lists.map((list) => (
        <RunRows key={list.kind} list={list} />
      ))}
      <Changes changes={report.changes} />
      {report.runs === 0 ? null : <Sums sums={report.sums} />}
      <Against report={report} />
      <Next steps={next} />
    </>
  );
}

function Opening({ report: { quiet, runs, counts, since, unreadable } }: { report: NightReport }) {
  const isEmpty = runs === 0 && unreadable.length === 0;
  return (
    <div class="report-opening">
      {quiet ? (
        <p class="callout" data-tone="good">
          <Icon name="check" />
          <strong class="callout-text">
            {isEmpty
              ? "Nothing happened, and nothing is waiting for you."
              : "Nothing failed, and nothing is waiting for you."}
          </strong>
        </p>
      ) : null}
      <p>
        <span class="quiet">Since {minuteTime(since)}:</span> {runs} {runs === 1 ? "run" : "runs"}
        {counts === "" ? "." : `. ${counts}.`}
      </p>
    </div>
  );
}

function Changes({ changes }: Pick<NightReport, "changes">) {
  if (changes.length === 0) return null;
  return (
    <section class="report-part" aria-labelledby="changes">
      <h2 id="changes">What changed along the way</h2>
      <ul class="report-lines">
        {changes.map(({ kind, run, text, at }) => (
          <li key={`${kind} ${run.project} ${run.run} ${at ?? ""}`}>
            <span class="chip">{kind === "contract" ? "Contract" : "Code"}</span> <RunName name={run} />{" "}
            <UserText text={text} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Sums({ sums }: Pick<NightReport, "sums">) {
  return (
    <section class="report-part" aria-labelledby="sums">
      <h2 id="sums">Totals</h2>
      <dl class="report-sums">
        {sums.map(({ name, text }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function Against({ report: { against, runs } }: { report: NightReport }) {
  const { isEmpty, changes, broken, recovered, since } = against;
  if (isEmpty && runs === 0) return null;
  const says = isEmpty
    ? "Nothing happened then."
    : changes.length === 0
      ? "The same numbers."
      : `${changes.join(", ")}.`;
  return (
    <section class="report-part" aria-labelledby="against">
      <h2 id="against">Compared with the period before</h2>
      <p>
        <span class="quiet">From {minuteTime(since)}:</span> {says}
      </p>
      <ul class="report-lines">
        {broken.map((text) => (
          <Turned key={text} tone="bad" word="Broken" text={text} />
        ))}
        {recovered.map((text) => (
          <Turned key={text} tone="good" word="Recovered" text={text} />
        ))}
      </ul>
    </section>
  );
}

function Turned({ tone, word, text }: { tone: string; word: string; text: string }) {
  return (
    <li>
      <span class="chip" data-tone={tone}>
        <Icon name={tone === "bad" ? "warning" : "check"} />
        {word}
      </span>{" "}
      <UserText text={text} />
    </li>
  );
}

function Next({ steps }: { steps: ReportedStep[] }) {
  if (steps.length === 0) return null;
  return (
    <section class="report-part" aria-labelledby="next">
      <h2 id="next">Next decisions</h2>
      <ol class="report-rows">
        {steps.map((step) => (
          <li key={step.command} class="report-row">
            <div class="report-text">
              <UserText text={step.about} />
              <RunName name={step} />
            </div>
            {step.question === undefined ? (
              <CommandLine command={step.command} />
            ) : (
              <Link class="button" to={addressOf("inbox", { id: step.question })}>
                Decide
                <span class="unseen">
                  : <UserText text={step.about} />
                </span>
              </Link>
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}
