/** The step that is chosen: what it was given, what came of it, how often it was tried, and what it has printed. */
import { shownDuration, type TimelineSpan } from "@a5c-ai/babysitter-sdk/view";
import { sizeOf } from "../files/file-views.js";
import { Icon } from "../parts/icons.js";
import { MessageText } from "../parts/message-text.js";
import { UserText } from "../parts/user-text.js";
import { startOf } from "../waterfall/span-look.js";
import { DrawerHead } from "./drawer-head.js";
import { logsOf, tellingLog } from "./failing-step.js";
import { LogTail } from "./log-tail.js";
import type { RunData } from "./run-data.js";
import type { RunMoves } from "./run-place.js";
import { stepError, stepValues } from "./step-facts.js";
import { ATTEMPT_WORDS, spanStanding, stepPlace } from "./step-words.js";
import { StoredValue } from "./stored-value.js";
import { secondsTime } from "./travel-words.js";

interface StepDrawerProps {
  data: RunData;
  span: TimelineSpan;
  moves: RunMoves;
}

export function StepDrawer(props: StepDrawerProps) {
  const { span, moves } = props;
  return (
    <aside class="step" aria-label="The chosen step">
      <DrawerHead what="step" of={span.id} moves={moves}>
        <UserText text={span.title} />
      </DrawerHead>
      {/* Another step begins anew; the focus stays in the head. */}
      <Detail key={span.id} {...props} />
    </aside>
  );
}

function Detail({ data, span, moves }: StepDrawerProps) {
  const { icon, word, tone } = spanStanding(span);
  const error = stepError(data.shownEvents.value, span.id);
  return (
    <>
      <p class="step-facts">
        <span class="chip" data-tone={tone}>
          <Icon name={icon} />
          {word}
        </span>{" "}
        <span class="quiet small">
          <UserText text={span.kind} /> · {stepPlace(span, data.timeline.value?.spans ?? [])}
        </span>
      </p>
      {error === undefined || span.state === "ok" ? null : (
        <section aria-label="Error" class="step-error" data-tone="bad">
          <MessageText text={error.message} class="pre block" />
          {error.stack === undefined ? null : (
            <details>
              <summary>Where</summary>
              <pre class="step-stack" tabIndex={0}>
                <UserText text={error.stack} lines />
              </pre>
            </details>
          )}
        </section>
      )}
      <Timing data={data} span={span} />
      <Logs data={data} span={span} moves={moves} />
      {stepValues(data.shownEvents.value, span.id).map(({ what, seq, field, stored }) => (
        <section key={what} aria-label={what}>
          <h3>{what}</h3>
          <StoredValue source={data.source} seq={seq} field={field} what={what.toLowerCase()} stored={stored} />
        </section>
      ))}
    </>
  );
}

function Timing({ data, span }: { data: RunData; span: TimelineSpan }) {
  const end = data.timeline.value?.to ?? span.from;
  const first = span.attempts[0];
  return (
    <section aria-label="Timing">
      <dl class="step-times">
        <Time name="Asked for" text={secondsTime(new Date(span.from).toISOString())} />
        {first === undefined || first.from <= span.from ? null : (
          <Time name="Waited" text={shownDuration(first.from - span.from)} />
        )}
        <Time
          name={span.to === undefined ? "So far" : "Took"}
          text={shownDuration(Math.max(0, (span.to ?? end) - startOf(span)))}
        />
      </dl>
      {span.attempts.length < 2 ? null : (
        <ol class="step-attempts">
          {span.attempts.map(({ attempt, from, to, end: ended, error }) => (
            <li key={`${attempt} ${from}`}>
              Attempt {attempt}: {ATTEMPT_WORDS[ended]} after {shownDuration(Math.max(0, (to ?? end) - from))}
              {error === undefined ? null : (
                <span class="quiet">
                  {" "}
                  <MessageText text={error} />
                </span>
              )}
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}

function Time({ name, text }: { name: string; text: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{text}</dd>
    </div>
  );
}

function Logs({ data, span, moves }: StepDrawerProps) {
  const files = data.files.value?.files ?? [];
  const logs = logsOf(files, span.id).filter(({ bytes }) => bytes > 0);
  const telling = tellingLog(files, span.id);
  if (telling === undefined) return null;
  return (
    <section aria-label="Log">
      <h3>Log</h3>
      <LogTail source={data.source} path={telling.path} bytes={telling.bytes} label={`Last lines of ${telling.path}`} />
      <p class="small quiet">
        {logs.map(({ path, bytes }) => `${path.split("/").at(-1)}, ${sizeOf(bytes)}`).join(" · ")}
      </p>
      <button type="button" class="button" onClick={() => moves.show("logs", span.seq)}>
        Whole log
      </button>
    </section>
  );
}
