/** What went wrong, each cause once, with the last lines of its step. */
import type { NightReport, ReportedCause } from "../../wire/report-wire.js";
import { Age } from "../parts/age.js";
import { Icon } from "../parts/icons.js";
import { UserText } from "../parts/user-text.js";
import { CommandLine, RunName } from "./report-rows.js";

export function Causes({ causes }: { causes: ReportedCause[] }) {
  if (causes.length === 0) return null;
  return (
    <section class="report-part" aria-labelledby="failed">
      <h2 id="failed" class="mark" data-tone="bad">
        <Icon name="warning" />
        What went wrong
      </h2>
      <ul class="report-causes">
        {causes.map((cause) => (
          <Cause key={cause.command} cause={cause} />
        ))}
      </ul>
    </section>
  );
}

function Cause({ cause }: { cause: ReportedCause }) {
  const { what, outcome, at, runs, count, step, lines, command } = cause;
  const [newest, ...others] = runs;
  const more = count - runs.length;
  return (
    <li class="report-cause" data-tone="bad">
      <div class="report-text">
        <strong>
          <UserText text={what} />
        </strong>
        <span class="report-facts">
          <span class="chip" data-tone="bad">
            {outcome === "blocked" ? "Blocked" : "Failed"}
          </span>
          {newest === undefined ? null : <RunName name={newest} />}
          <Age at={at} ago />
        </span>
        {others.length === 0 ? null : (
          <details class="report-others">
            <summary>
              The same cause in {count - 1} more {count === 2 ? "run" : "runs"}
            </summary>
            <ul class="report-lines">
              {others.map((run) => (
                <li key={`${run.project} ${run.run}`}>
                  <RunName name={run} />
                </li>
              ))}
              {more > 0 ? <li class="quiet small">and {more} others</li> : null}
            </ul>
          </details>
        )}
      </div>
      {lines.length === 0 ? null : <LastLines step={step} lines={lines} />}
      {command === "" ? null : <CommandLine command={command} />}
    </li>
  );
}

function LastLines({ step, lines }: { step: string | undefined; lines: string[] }) {
  return (
    <figure class="report-output">
      <figcaption class="quiet small">
        Last lines
        {step === undefined ? null : (
          <>
            {" of "}
            <UserText text={step} />
          </>
        )}
      </figcaption>
      {/* Whoever has no mouse scrolls it by keys. */}
      {/* oxlint-disable-next-line no-noninteractive-tabindex */}
      <pre tabIndex={0} aria-label="Last lines">
        <UserText text={lines.join("\n")} lines />
      </pre>
    </figure>
  );
}

export function Unreadable({ runs }: { runs: NightReport["unreadable"] }) {
  if (runs.length === 0) return null;
  return (
    <section class="report-part" aria-labelledby="unreadable">
      <h2 id="unreadable" class="mark" data-tone="bad">
        <Icon name="warning" />
        Runs that cannot be read
      </h2>
      <ul class="report-lines">
        {runs.map(({ run, why }) => (
          <li key={run}>
            <UserText text={run} />: <UserText text={why} />
          </li>
        ))}
      </ul>
    </section>
  );
}
