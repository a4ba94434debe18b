/** Executes `shell` tasks: a program with arguments, or a command line. */
import type { JsonObject } from "../model/json.js";
import type { SpawnRequest, SpawnResult } from "../spawn/spawn-request.js";
import { type CommandPlan, commandExecutor, type ExecutorSettings, type Outcome, titleOf } from "./command-work.js";
import type { Executor, Work, WorkPlace } from "./executor.js";
import { howItEnded, lastWords, printed } from "./last-words.js";
import {
  cwdField,
  environmentField,
  flagField,
  invalidTask,
  sectionOf,
  textField,
  textList,
  timeoutField,
} from "./task-fields.js";

/** How much of each stream becomes part of the result; the logs keep more. */
const RESULT_TEXT_LIMIT = 256 * 1024;

export function createShellExecutor(settings: ExecutorSettings): Executor {
  return commandExecutor("shell", settings, planOf);
}

function planOf(work: Work, place: WorkPlace, usualTimeoutMs: number): CommandPlan {
  const { definition } = work;
  const short = definition["shell"];
  const section: JsonObject = typeof short === "string" ? { command: short } : sectionOf(work, "shell");
  const allowFailure = flagField(work, section, "allowFailure");
  return {
    argv: argvOf(work, section),
    cwd: cwdField(work, section, place),
    env: environmentField(work, section),
    secretEnv: textList(work, section, "secretEnv") ?? [],
    stdin: textField(work, section, "stdin"),
    timeoutMs: timeoutField(work, [section, definition], usualTimeoutMs),
    conclude: (exit) => outcomeOf(work, place, exit, allowFailure),
  };
}

function argvOf(work: Work, section: JsonObject): SpawnRequest["argv"] {
  const [program, ...rest] = textList(work, section, "argv") ?? [];
  if (program === "") throw invalidTask(work, "`argv` must start with a program");
  if (program !== undefined) return [program, ...rest];
  const command = textField(work, section, "command");
  if (command === undefined || command.trim() === "")
    throw invalidTask(work, '`shell` needs `command` (a command line) or `argv`, such as ["npm", "test"]');
  const args = textList(work, section, "args");
  return args === undefined ? { commandLine: command } : [command, ...args];
}

function outcomeOf(work: Work, place: WorkPlace, exit: SpawnResult, allowFailure: boolean): Outcome {
  const success = exit.exitCode === 0;
  const facts = { exitCode: exit.exitCode, signal: exit.signal, ...printed(place, RESULT_TEXT_LIMIT) };
  if (success || allowFailure) return { status: "ok", value: { success, ...facts } };
  return {
    status: "error",
    reason: "failed",
    error: {
      name: "TaskError",
      message: `${titleOf(work)} ${howItEnded(exit)}${lastWords(facts.stderr, facts.stdout)}`,
      code: "TASK_FAILED",
      data: facts,
    },
  };
}
