/** Runs one criterion and says what the engine has seen. */

import crypto from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { defined } from "../model/json.js";
import type { ClaimCriterion, CommandCriterion, Criterion, FileCriterion } from "../model/loop-contract.js";
import type { CriterionChecked } from "../model/loop-events.js";
import { markedEnvironment } from "../spawn/spawn-marker.js";
import type { SpawnResult } from "../spawn/spawn-request.js";
import { startChild } from "../spawn/start-child.js";
import { fileProblem } from "./check-file.js";
import { criterionEnvironment } from "./criterion-environment.js";
import { type EvidenceFiles, newEvidence, readEvidence } from "./evidence-file.js";
import { failureCount } from "./failure-count.js";
import { failureSignature } from "./failure-signature.js";
import { momentNow, writtenSince } from "./touched-since.js";
import { treeHash } from "./tree-hash.js";
import { TookTooLong, withinLimit } from "./work-limit.js";

/** What checks of one verification share. */
export interface CheckPlace {
  /** Absolute. */
  projectRoot: string;
  /** What is recorded about evidence is relative to it. */
  runDir: string;
  evidenceDir: string;
  /** Where the hash of the tree keeps what it knows. */
  cacheDir: string;
  /** What commands inherit, as far as it is good for them. */
  env: Readonly<Record<string, string | undefined>>;
  /** Variables that the run's tasks have named as secrets so far. */
  secretNames?: () => readonly string[];
  /** In the environment of everything that is started, so that a successor finds it. */
  session: string;
  /** Ends the command that is running. */
  cancel?: AbortSignal;
  /** Time between SIGTERM and SIGKILL. */
  graceMs?: number;
  /** How much of the output is kept as evidence: its first half and its last half. */
  outputLimitBytes?: number;
  /** How long the engine itself may take for one look at the project's files. */
  workLimitMs?: number;
}

/** Something that the engine can check. */
export type CheckedCriterion = Exclude<Criterion, ClaimCriterion>;

/** For a command that must not succeed, `ok` says that it did. */
export type CheckResult = Omit<CriterionChecked, "verification" | "alone" | "flaky">;

const EVIDENCE_LIMIT = 2 * 1024 * 1024;
const WORK_LIMIT_MS = 10 * 60_000;
const TAIL_LINES = 40;
const TAIL_BYTES = 4096;
/** What a shell exits with when it has found no such command, or may not run it. */
const NOT_RUN = new Set<number | null>([126, 127]);

/** Undefined when it was cancelled: nothing was seen then. */
export async function checkCriterion(criterion: CheckedCriterion, place: CheckPlace): Promise<CheckResult | undefined> {
  if (place.cancel?.aborted === true) return undefined;
  let before = "";
  try {
    const seen = await hashOf(place);
    if (seen === undefined) return unseen(criterion, `The project folder ${place.projectRoot} cannot be read.`);
    before = seen;
    switch (criterion.kind) {
      case "file":
        return await checkFile(criterion, place, before);
      case "command":
        break;
    }
    return await checkCommand(criterion, place, before);
  } catch (error) {
    if (error instanceof TookTooLong) return { ...unseen(criterion, error.message, "timed-out"), before };
    return { ...unseen(criterion, error instanceof Error ? error.message : String(error)), before, after: before };
  }
}

async function hashOf({ projectRoot, cacheDir, workLimitMs = WORK_LIMIT_MS }: CheckPlace): Promise<string | undefined> {
  try {
    return await withinLimit(workLimitMs, async (deadline) => (await treeHash(projectRoot, cacheDir, deadline)).hash);
  } catch (error) {
    if (error instanceof TookTooLong) throw error;
    return undefined;
  }
}

/** The hash of a tree that could not be read is empty; no tree has it. */
function unseen(
  criterion: CheckedCriterion,
  why: string,
  outcome: "not-started" | "timed-out" = "not-started",
): CheckResult {
  return {
    ...verdict(criterion, { outcome, exitCode: null, output: why }),
    signal: null,
    durationMs: 0,
    before: "",
    after: "",
    tail: why,
    at: new Date().toISOString(),
  };
}

type Seen = Pick<CheckResult, "outcome" | "exitCode"> & { output: string };

function verdict(
  { id, kind }: CheckedCriterion,
  { outcome, exitCode, output }: Seen,
): Pick<CheckResult, "criterion" | "kind" | "ok" | "outcome" | "exitCode" | "signature" | "failures"> {
  const ok = outcome === "met";
  return {
    criterion: id,
    kind,
    ok,
    outcome,
    exitCode,
    ...defined({
      signature: ok ? undefined : failureSignature(id, exitCode, output, sha256),
      failures: kind === "command" ? failureCount(output) : undefined,
    }),
  };
}

async function checkFile(
  criterion: FileCriterion,
  { projectRoot, workLimitMs = WORK_LIMIT_MS }: CheckPlace,
  tree: string,
): Promise<CheckResult> {
  const started = performance.now();
  const problem = await withinLimit(workLimitMs, async (deadline) => fileProblem(projectRoot, criterion, deadline));
  return {
    ...verdict(criterion, { outcome: problem === undefined ? "met" : "unmet", exitCode: null, output: problem ?? "" }),
    signal: null,
    durationMs: Math.round(performance.now() - started),
    before: tree,
    after: tree,
    tail: problem ?? "",
    at: new Date().toISOString(),
  };
}

async function checkCommand(
  criterion: CommandCriterion,
  place: CheckPlace,
  before: string,
): Promise<CheckResult | undefined> {
  const files = newEvidence(place.evidenceDir, criterion.id);
  const begun = momentNow(place.cacheDir);
  const { exit, tail } = await run(criterion, place, files);
  fs.rmSync(files.other, { force: true });
  if (exit.outcome === "stopped") return undefined;
  const after = await hashOf(place);
  const written = after === before ? [] : await writtenIn(place, begun);
  const log = readEvidence(files.log, place.outputLimitBytes ?? EVIDENCE_LIMIT);
  const output = log?.text ?? tail;
  const gone = after === undefined ? `The project folder ${place.projectRoot} is gone.` : undefined;
  const outcome = gone === undefined ? outcomeOf(exit) : "unmet";
  return {
    ...verdict(criterion, { outcome, exitCode: exit.exitCode, output }),
    signal: exit.signal,
    durationMs: exit.durationMs,
    before,
    after: after ?? "",
    ...(written.length === 0 ? {} : { written }),
    tail: gone ?? exit.startError?.message ?? lastPart(tail),
    ...(log === undefined
      ? {}
      : { evidence: path.relative(place.runDir, files.log).split(path.sep).join("/"), outputSha256: log.sha256 }),
    at: new Date().toISOString(),
  };
}

function writtenIn(
  { projectRoot, cacheDir, workLimitMs = WORK_LIMIT_MS }: CheckPlace,
  begun: number | undefined,
): Promise<string[]> {
  return withinLimit(workLimitMs, () => writtenSince(begun, projectRoot, cacheDir));
}

async function run(
  { command, timeoutMs }: CommandCriterion,
  { projectRoot, env, secretNames, session, cancel, graceMs, outputLimitBytes = EVIDENCE_LIMIT }: CheckPlace,
  files: EvidenceFiles,
): Promise<{ exit: SpawnResult; tail: string }> {
  const criterion = criterionEnvironment(env, projectRoot, secretNames?.());
  const child = startChild({
    // Both streams go into one log, in the order of their lines.
    argv: { commandLine: `exec 2>&1; ${command}` },
    cwd: projectRoot,
    env: markedEnvironment(criterion.env, session),
    secrets: criterion.secrets,
    stdoutFile: files.log,
    stderrFile: files.other,
    outputLimitBytes,
    ...(timeoutMs > 0 ? { timeoutMs } : {}),
    ...defined({ graceMs }),
    marker: `${session}.${crypto.randomBytes(8).toString("hex")}`,
  });
  const stop = (): void => void child.stop("cancelled");
  if (cancel?.aborted === true) stop();
  cancel?.addEventListener("abort", stop, { once: true });
  try {
    const exit = await child.result;
    return { exit, tail: child.tail() };
  } finally {
    cancel?.removeEventListener("abort", stop);
  }
}

function outcomeOf({ outcome, exitCode }: SpawnResult): CheckResult["outcome"] {
  if (outcome === "timed-out") return "timed-out";
  if (outcome === "not-started" || NOT_RUN.has(exitCode)) return "not-started";
  return exitCode === 0 ? "met" : "unmet";
}

/** The last lines, of a very long one its end. */
function lastPart(text: string): string {
  const lines = text.trimEnd().split("\n").slice(-TAIL_LINES).join("\n");
  const bytes = Buffer.from(lines);
  if (bytes.length <= TAIL_BYTES) return lines;
  // The first character may have lost its first bytes.
  return bytes
    .subarray(-TAIL_BYTES)
    .toString("utf8")
    .replace(/^\uFFFD{1,3}/u, "");
}

function sha256(text: string): string {
  return crypto.createHash("sha256").update(text).digest("hex");
}
