/** What went wrong, before everything else: the step, its error, and the last lines that it has printed. */
import { Icon } from "../parts/icons.js";
import { UserText } from "../parts/user-text.js";
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
  const { title, error, effectId, seq, attempt, log: told } = failing;
  const files = data.files.value?.files;
  const found = files === undefined || effectId === undefined ? undefined : tellingLog(files, effectId);
  const path = found?.path ?? (files === undefined ? told?.path : undefined);
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
      <div class="red-error" role="group" aria-label="Error" tabIndex={0}>
        <UserText text={error} lines />
      </div>
      {path === undefined || isBrief ? null : (
        <LogTail
          key={path}
          source={data.source}
          path={path}
          bytes={found?.bytes}
          label={`Last lines of ${path}`}
          told={told?.lines ?? []}
        />
      )}
      <div class="red-links">
        <button type="button" class="button" onClick={() => lead("steps")}>
          Show the step
        </button>
        {path === undefined ? null : (
          <button type="button" class="button" onClick={() => lead("logs")}>
            Whole log
          </button>
        )}
        {path === undefined || isBrief ? null : (
          <code class="quiet small">
            <UserText text={path} />
          </code>
        )}
      </div>
    </section>
  );
}
