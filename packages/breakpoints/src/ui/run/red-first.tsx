/** What went wrong, before everything else: the step, its error, and the last lines that it has printed. */
import type { RunFileList } from "../../wire/run-wire.js";
import { Icon } from "../parts/icons.js";
import { UserText } from "../parts/user-text.js";
import { Clamped } from "./clamped.js";
import { type Failing, tellingLog } from "./failing-step.js";
import { LogTail } from "./log-tail.js";
import type { RunData } from "./run-data.js";
import type { RunMoves } from "./run-place.js";

interface RedFirstProps {
  data: RunData;
  failing: Failing | undefined;
  moves: RunMoves;
  /** Only what failed: what is looked at below must not be out of sight. */
  isBrief: boolean;
}

export function RedFirst({ data, failing, moves, isBrief }: RedFirstProps) {
  if (failing === undefined) return null;
  const { title, error, seq, attempt } = failing;
  const log = logOf(failing, data.files.value?.files);
  const lead = (part: "steps" | "logs"): void => {
    moves.show(part, seq);
    // Below all this: whoever asks for it wants to see it.
    requestAnimationFrame(() => document.getElementById(`run-tab-${part}`)?.scrollIntoView({ block: "start" }));
  };
  return (
    <section class="red-first" aria-labelledby="red-first" data-tone="bad" data-brief={isBrief}>
      <h2 id="red-first">
        <Icon name="cross" />
        <span>
          <UserText text={title} /> failed{attempt === undefined || attempt < 2 ? "" : ` at attempt ${attempt}`}
        </span>
      </h2>
      <div role="group" aria-label="Error">
        <Clamped text={error} class="red-error" />
      </div>
      {log === undefined || isBrief ? null : (
        <LogTail
          key={log.path}
          source={data.source}
          path={log.path}
          bytes={log.bytes}
          label={`Last lines of ${log.path}`}
          told={failing.log?.lines ?? []}
        />
      )}
      <div class="red-links">
        <button type="button" class="button" onClick={() => lead("steps")}>
          Show the step
        </button>
        {log === undefined ? null : (
          <button type="button" class="button" onClick={() => lead("logs")}>
            Whole log
          </button>
        )}
        {log === undefined || isBrief ? null : (
          <code class="quiet small">
            <UserText text={log.path} />
          </code>
        )}
      </div>
    </section>
  );
}

/** Until the files are here, the one that is known without them. */
function logOf({ effectId, log }: Failing, files: RunFileList["files"] | undefined) {
  if (files === undefined) return log === undefined ? undefined : { path: log.path, bytes: undefined };
  return effectId === undefined ? undefined : tellingLog(files, effectId);
}
