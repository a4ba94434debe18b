/** Executes `node` tasks: a JavaScript file of the project, with files for its input and output. */
import fs from "node:fs";
import path from "node:path";
import { makeFolders } from "../files/make-folders.js";
import { readRegularText } from "../files/read-regular-file.js";
import { BabysitterError, type RecordedError, recordCause } from "../model/errors.js";
import { DEEPEST_VALUE, defined, isDeeperThan, isJsonObject, type Json, type JsonObject } from "../model/json.js";
import type { SpawnResult } from "../spawn/spawn-request.js";
import { type CommandPlan, commandExecutor, type ExecutorSettings, type Outcome, titleOf } from "./command-work.js";
import type { Executor, Work, WorkPlace } from "./executor.js";
import { MAX_RESULT } from "./handed-over.js";
import { howItEnded, LAST_WORDS_LIMIT, lastWords, printed } from "./last-words.js";
import { NODE_SHIM } from "./node-shim.js";
import {
  cwdField,
  environmentField,
  invalidTask,
  sectionOf,
  textField,
  textList,
  timeoutField,
} from "./task-fields.js";
import { logFiles, readLogTail } from "./task-logs.js";

const MAX_RESULT_LINE = 1024 * 1024;

export function createNodeExecutor(settings: ExecutorSettings): Executor {
  return commandExecutor("node", settings, planOf);
}

function planOf(work: Work, place: WorkPlace, usualTimeoutMs: number): CommandPlan {
  const section = sectionOf(work, "node");
  const files = prepareFiles(place);
  const entry = findEntry(work, section, place);
  return {
    argv: [
      process.execPath,
      "--disable-warning=MODULE_TYPELESS_PACKAGE_JSON",
      "--import",
      NODE_SHIM,
      entry,
      ...(textList(work, section, "args") ?? []),
    ],
    cwd: cwdField(work, section, place),
    env: {
      ...environmentField(work, section),
      BABYSITTER_OUTPUT_JSON: files.output,
      BABYSITTER_RETURN_JSON: files.returned,
    },
    secretEnv: textList(work, section, "secretEnv") ?? [],
    stdin: textField(work, section, "stdin"),
    timeoutMs: timeoutField(work, [section, work.definition], usualTimeoutMs),
    handedOver: Object.values(files),
    conclude: (exit) => outcomeOf(work, place, files, exit),
  };
}

interface TaskFiles {
  output: string;
  returned: string;
}

/** An earlier attempt's output must not be taken for this one's. */
function prepareFiles({ taskDir }: WorkPlace): TaskFiles {
  const files = {
    output: path.join(taskDir, "output.json"),
    returned: path.join(taskDir, "returned.json"),
  };
  makeFolders(taskDir, 0o700, 2);
  for (const file of Object.values(files)) fs.rmSync(file, { force: true, recursive: true });
  return files;
}

/** Relative to the project, or else to the folder of the process file. */
function findEntry(work: Work, section: JsonObject, place: WorkPlace): string {
  const entry = textField(work, section, "entry");
  if (entry === undefined || entry === "") throw invalidTask(work, "`node` needs an `entry`, the file to run");
  const candidates = [place.projectRoot, place.processDir].map((dir) => path.resolve(dir, entry));
  const found = candidates.find(isFile);
  if (found === undefined)
    throw invalidTask(work, `file ${entry} not found (tried ${[...new Set(candidates)].join(" and ")})`);
  if (/\.[cm]?ts$/u.test(found) && !canRunTypeScript())
    throw invalidTask(
      work,
      `Node ${process.versions.node} cannot run ${entry}; use JavaScript, or Node 22.18 or newer`,
    );
  return found;
}

function isFile(file: string): boolean {
  try {
    return fs.statSync(file).isFile();
  } catch {
    return false;
  }
}

/** Node names the feature in versions that have it, and says there whether it is on. */
function canRunTypeScript(): boolean {
  const { typescript = false } = process.features as { typescript?: string | false };
  return typescript !== false;
}

function outcomeOf(work: Work, place: WorkPlace, files: TaskFiles, exit: SpawnResult): Outcome {
  if (exit.exitCode !== 0)
    return { status: "error", reason: "failed", error: failure(work, place, exit, thrownIn(work, files.returned)) };
  const value =
    readResult(work, files.output, "its output file") ??
    fieldOf(readResult(work, files.returned, "its return value"), "value") ??
    lastLineAsJson(place);
  if (isDeeperThan(value.json, DEEPEST_VALUE))
    throw badResult(work, place.taskDir, `it is nested more than ${DEEPEST_VALUE} levels deep`);
  return { status: "ok", value: value.json };
}

/** Wrapped, because null is a result too. */
interface Found {
  json: Json;
}

/** Only a plain file is read: anything else could keep us waiting forever. */
function readResult(work: Work, file: string, what: string): Found | undefined {
  const stat = fs.statSync(file, { throwIfNoEntry: false });
  if (stat === undefined) return undefined;
  if (!stat.isFile()) throw badResult(work, file, `${what} is not a file`);
  if (stat.size > MAX_RESULT)
    throw badResult(work, file, `${what} has ${stat.size} bytes; keep large results in a file and return its path`);
  // A task may leave a link; what it leads to must still not be waited for.
  const found = readRegularText(fs.realpathSync(file), MAX_RESULT);
  if (found.kind !== "file") throw badResult(work, file, `${what} is not a file`);
  const text = found.text.replace(/^\uFEFF/u, "");
  try {
    return { json: JSON.parse(text) as Json };
  } catch (cause) {
    throw badResult(work, file, text.trim() === "" ? `${what} is empty` : `${what} is not JSON: ${String(cause)}`);
  }
}

function badResult(work: Work, file: string, problem: string): BabysitterError {
  return new BabysitterError("INPUT_NOT_JSON", `The result of ${titleOf(work)} cannot be read: ${problem}.`, {
    details: { file },
  });
}

function fieldOf(found: Found | undefined, name: string): Found | undefined {
  if (found === undefined || !isJsonObject(found.json)) return undefined;
  const json = found.json[name];
  return json === undefined ? undefined : { json };
}

/** What the task has died of, where that is known. */
function thrownIn(work: Work, file: string): JsonObject | undefined {
  try {
    const error = fieldOf(readResult(work, file, "its error"), "error")?.json;
    return isJsonObject(error) ? error : undefined;
  } catch {
    return undefined;
  }
}

function lastLineAsJson(place: WorkPlace): Found {
  const { text, truncated } = readLogTail(logFiles(place.taskDir).stdoutFile, MAX_RESULT_LINE);
  const lines = text.trimEnd().split("\n");
  // The end of a line that is too long could be JSON by chance.
  const line = truncated && lines.length === 1 ? "" : (lines.at(-1) ?? "");
  try {
    return { json: JSON.parse(line) as Json };
  } catch {
    return { json: null };
  }
}

function failure(work: Work, place: WorkPlace, exit: SpawnResult, thrown: JsonObject | undefined): RecordedError {
  const texts = printed(place, LAST_WORDS_LIMIT);
  const data = { exitCode: exit.exitCode, signal: exit.signal, ...texts };
  if (thrown === undefined) {
    const message = `${titleOf(work)} ${howItEnded(exit)}${lastWords(texts.stderr, texts.stdout)}`;
    return { name: "TaskError", message, code: "TASK_FAILED", data };
  }
  const { name, message, code, data: own, cause } = thrown;
  return {
    name: typeof name === "string" ? name : "Error",
    message: typeof message === "string" ? message : "The task threw an error.",
    code: typeof code === "string" ? code : "TASK_FAILED",
    data: { ...data, ...(isJsonObject(own) ? own : defined({ data: own })) },
    ...defined({ cause: recordCause(cause) }),
  };
}
