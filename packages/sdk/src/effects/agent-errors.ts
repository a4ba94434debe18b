/** The ways in which an attempt at an agent task fails, as they are recorded. */
import { isShortage } from "../model/errno.js";
import type { RecordedError } from "../model/errors.js";
import { hideInCommandLine } from "../model/secrets.js";
import type { SpawnResult } from "../spawn/spawn-request.js";
import type { AgentCommand } from "./agent-command.js";
import type { RefusedAnswer } from "./agent-prompt.js";
import { titleOf } from "./command-work.js";
import type { Work, WorkResult } from "./executor.js";
import { howItEnded, lastWords } from "./last-words.js";
import { readLogTail } from "./task-logs.js";

const FAILURE_TEXT_LIMIT = 8 * 1024;
/** The machine is short of something; it may be there the next time. */
const PASSING = new Set(["ETXTBSY", "ENOSPC", "EIO"]);

/** `said` is what the agent itself gives as the reason. */
export function agentFailed(
  work: Work,
  files: { stdoutFile: string; stderrFile: string },
  exit: SpawnResult,
  said: string | undefined,
): RecordedError {
  const stdout = readLogTail(files.stdoutFile, FAILURE_TEXT_LIMIT).text;
  const stderr = readLogTail(files.stderrFile, FAILURE_TEXT_LIMIT).text;
  const how = exit.exitCode === 0 ? "reports that it failed" : howItEnded(exit);
  return taskError(
    "AGENT_FAILED",
    `The agent for ${titleOf(work)} ${how}${said === undefined ? lastWords(stderr, stdout) : lastWords(said)}`,
    { exitCode: exit.exitCode, signal: exit.signal, stdout, stderr },
  );
}

export function answerInvalid(work: Work, { problems, answer }: RefusedAnswer): RecordedError {
  const message = `The agent for ${titleOf(work)} gave no usable answer in two attempts: ${problems.join("; ")}`;
  return taskError("AGENT_ANSWER_INVALID", message, { problems: [...problems], answer });
}

export function notStarted(
  work: Work,
  command: AgentCommand,
  exit: SpawnResult,
): Pick<WorkResult & { status: "error" }, "status" | "reason" | "error" | "permanent" | "noRoom"> {
  const { code = "UNKNOWN", message = "" } = exit.startError ?? {};
  const shown = hideInCommandLine(command.text);
  const setting = `The agent command is \`${shown}\`, set by --agent-command or BABYSITTER_AGENT_COMMAND.`;
  const error = taskError("AGENT_NOT_STARTED", `${titleOf(work)} could not be started: ${message} ${setting}`, {
    command: shown,
    cause: code,
  });
  if (isShortage(code)) return { status: "error", reason: "interrupted", error, noRoom: true };
  return { status: "error", reason: "failed", error, permanent: !PASSING.has(code) };
}

function taskError(code: string, message: string, data?: RecordedError["data"]): RecordedError {
  return { name: "TaskError", message, code, ...(data === undefined ? {} : { data }) };
}
