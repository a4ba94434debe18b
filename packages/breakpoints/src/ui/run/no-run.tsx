/** Why a run is not there, or what is shown of it may be old. */
import { Command } from "../parts/command.js";
import { Icon } from "../parts/icons.js";
import { Link } from "../parts/link.js";
import { Problem } from "../parts/problem.js";
import { UserText } from "../parts/user-text.js";
import type { RunData } from "./run-data.js";
import { commandIn, goneWords, isGone, troubleOf } from "./run-trouble.js";

interface NoRunProps {
  id: string;
  problem: unknown;
  onRetry: () => void;
}

export function NoRun({ id, problem, onRetry }: NoRunProps) {
  const trouble = troubleOf(problem);
  const { code, message, hint } = trouble;
  const command = commandIn(hint);
  const gone = isGone(trouble);
  const { icon, before, after } = gone ? goneWords(code) : UNREAD;
  return (
    <div class="page run">
      <div class="empty" role="alert">
        <Icon name={code === "OFFLINE" ? "offline" : icon} />
        <h1 tabIndex={-1}>
          {before}{" "}
          <code>
            <UserText text={id} />
          </code>
          {after}
        </h1>
        {gone ? null : (
          <p>
            <UserText text={message} />
          </p>
        )}
        {hint === undefined ? null : (
          <p>
            <UserText text={command !== undefined && hint.endsWith(command) ? hint.slice(0, -command.length) : hint} />
          </p>
        )}
        {command === undefined ? null : <Command text={command} />}
        <div class="run-buttons">
          {gone ? null : (
            <button type="button" class="button" data-kind="primary" onClick={onRetry}>
              Try again
            </button>
          )}
          <Link class="button" to="/runs">
            All runs
          </Link>
        </div>
      </div>
    </div>
  );
}

const UNREAD = { icon: "warning", before: "Run", after: " cannot be shown" } as const;

/** Above a run that is shown as it was when it was last read. That the server does not answer stands above every page. */
export function RunTrouble({ data }: { data: RunData }) {
  const problem = data.problem.value;
  const trouble = problem === undefined ? undefined : troubleOf(problem);
  if (trouble === undefined || trouble.code === "OFFLINE") return null;
  const { code, message, hint } = trouble;
  if (isGone(trouble)) return <Problem message={goneWords(code).there} hint={hint} />;
  return <Problem message={`This may be out of date. ${message}`} hint={hint} onRetry={() => void data.load()} />;
}
