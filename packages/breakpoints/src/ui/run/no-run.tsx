/** Why a run is not there, or what is shown of it may be old. */
import { Command } from "../parts/command.js";
import { Icon } from "../parts/icons.js";
import { Link } from "../parts/link.js";
import { Problem } from "../parts/problem.js";
import { UserText } from "../parts/user-text.js";
import type { RunData } from "./run-data.js";
import { commandIn, isGone, troubleOf } from "./run-trouble.js";

export function NoRun({ problem, onRetry }: { problem: unknown; onRetry: () => void }) {
  const trouble = troubleOf(problem);
  const { code, message, hint } = trouble;
  const command = commandIn(hint);
  const gone = isGone(trouble);
  return (
    <div class="page run">
      <div class="empty" role="alert">
        <Icon name={code === "OFFLINE" ? "offline" : gone ? "search" : "warning"} />
        <h1 tabIndex={-1}>{TITLES[trouble.code] ?? (gone ? "There is no such run" : "The run cannot be shown")}</h1>
        <p>
          <UserText text={message} />
        </p>
        {hint === undefined ? null : (
          <p>
            <UserText text={command !== undefined && hint.endsWith(command) ? hint.slice(0, -command.length) : hint} />
          </p>
        )}
        {command === undefined ? null : <Command text={command} />}
        {gone ? (
          <Link class="button" to="/runs">
            All runs
          </Link>
        ) : (
          <button type="button" class="button" onClick={onRetry}>
            Try again
          </button>
        )}
      </div>
    </div>
  );
}

const TITLES: Readonly<Record<string, string>> = {
  OFFLINE: "The server does not answer",
  RUN_ARCHIVED: "This run was archived",
  RUN_DELETED: "This run was deleted",
};

/** Above a run that is shown as it was when it was last read. */
export function RunTrouble({ data }: { data: RunData }) {
  const problem = data.problem.value;
  if (problem === undefined) return null;
  const trouble = troubleOf(problem);
  const { code, message, hint } = trouble;
  const title = isGone(trouble) ? (TITLES[code] ?? "This run is no longer there.") : "What you see may be old.";
  return (
    <Problem
      message={`${title} ${message}`}
      hint={hint}
      tone={code === "OFFLINE" ? "needs" : "bad"}
      onRetry={() => void data.load()}
    />
  );
}
