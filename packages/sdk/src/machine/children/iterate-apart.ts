/** `run:iterate` in a program of its own: code of the process must not be able to end the driver. */
import path from "node:path";
import { readLogTail } from "../../effects/task-logs.js";
import { isJsonObject } from "../../model/json.js";
import { childEnvironment } from "../../spawn/child-environment.js";
import { markedEnvironment } from "../../spawn/spawn-marker.js";
import { startChild } from "../../spawn/start-child.js";

export interface IterationRequest {
  runDir: string;
  cwd: string;
  env: Readonly<Record<string, string | undefined>>;
  /** Variables that the run's tasks have named as secrets so far. */
  secretNames: () => readonly string[];
  callHooks: boolean;
  /** How long to wait for tasks, where no setting says it. */
  wait?: string;
  session: string;
  logDir: string;
  signal: AbortSignal;
}

const DOCUMENT_BYTES = 4 * 1024 * 1024;

/** Undefined when it went through, else what was wrong. */
export async function iterateApart(request: IterationRequest): Promise<string | undefined> {
  const { runDir, cwd, session, logDir, signal } = request;
  const { env, secrets } = childEnvironment(request.env, {}, request.secretNames());
  const stdoutFile = path.join(logDir, "iterate.stdout.log");
  const hooks = request.callHooks ? [] : ["--no-hooks"];
  const wait = request.wait === undefined ? [] : ["--wait", request.wait];
  const child = startChild({
    argv: [process.execPath, process.argv[1] as string, "run:iterate", runDir, "--json", ...hooks, ...wait],
    cwd,
    env: markedEnvironment(env, session),
    // The process may print them.
    secrets,
    stdoutFile,
    stderrFile: path.join(logDir, "iterate.stderr.log"),
    marker: `${session}.iterate`,
    // Tasks run on in a program of theirs.
    leaveRunning: true,
  });
  const stop = (): void => void child.stop("the driver was stopped");
  signal.addEventListener("abort", stop, { once: true });
  const { exitCode, outcome, startError } = await child.result;
  signal.removeEventListener("abort", stop);
  if (outcome === "not-started") return startError?.message ?? "it could not be started";
  return problemIn(readLogTail(stdoutFile, DOCUMENT_BYTES).text, exitCode);
}

function problemIn(text: string, exitCode: number | null): string | undefined {
  try {
    const document: unknown = JSON.parse(text);
    if (!isJsonObject(document)) return "its answer is not a JSON document";
    const { error } = document;
    if (isJsonObject(error)) return typeof error["message"] === "string" ? error["message"] : JSON.stringify(error);
    return exitCode === 0 ? undefined : `it ended with exit code ${exitCode}`;
  } catch {
    return `it ended without an answer (exit code ${exitCode})`;
  }
}
