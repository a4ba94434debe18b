/** Runs that cannot be read, each with what is wrong: they may ask something too. */
import type { RunProblem } from "../../wire/inbox-wire.js";
import { Icon } from "./icons.js";
import { UserText } from "./user-text.js";

export function UnreadableRuns({ runs }: { runs: readonly RunProblem[] }) {
  if (runs.length === 0) return null;
  return (
    <div class="list-foot">
      <details>
        <summary>
          <span class="mark" data-tone="needs">
            <Icon name="warning" />
            {runs.length === 1 ? "1 run cannot be read" : `${runs.length} runs cannot be read`}
          </span>
        </summary>
        <ul class="comments small">
          {runs.map(({ run, project, problem }) => (
            <li key={`${project} ${run}`}>
              <UserText text={run} class="code" /> <span class="quiet">in</span> <UserText text={project} />
              <div class="quiet">
                <UserText text={problem} />
              </div>
            </li>
          ))}
        </ul>
      </details>
    </div>
  );
}
