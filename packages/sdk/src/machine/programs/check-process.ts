/** Checks a process in this program: loads it, scans its text, and plays it with invented results. */
import "../../index.js";
import fs from "node:fs";
import path from "node:path";
import { scanFloatingCalls } from "../../load/floating-calls.js";
import { createProcessLoader } from "../../load/process-loader.js";
import { locateSyntaxError } from "../../load/syntax-location.js";
import { BabysitterError } from "../../model/errors.js";
import type { Json } from "../../model/json.js";
import type { EntryPoint, LoadedProcess, ProcessCode } from "../../model/ports.js";
import { divergenceFinding } from "../../rehearsal/divergence-finding.js";
import { type Finding, finding } from "../../rehearsal/finding.js";
import { watchOutsideWork } from "../../rehearsal/outside-work.js";
import { replayPlay, type Stage } from "../../rehearsal/play.js";
import { inProject } from "../../rehearsal/process-place.js";
import { type Rehearsal, rehearse } from "../../rehearsal/rehearse.js";
import { recordedPath } from "../local-ports.js";
import { sdkAccess } from "../sdk-access.js";

export interface CheckRequest {
  entry: EntryPoint;
  runsDir: string;
  quietLimitMs: number;
  taskKinds: readonly string[];
  maxSteps: number;
}

export interface ProcessCheck extends Omit<Rehearsal, "record"> {
  /** Relative to the project. */
  file: string;
  export?: string;
}

/** What another program needs to replay the first play. */
export interface ReplayRequest extends Pick<Rehearsal, "record" | "plays"> {
  inputs: Json;
}

const CODE = /\.[cm]?[jt]s$/u;

/** @param inputs `{}` if missing */
export async function checkProcess(
  request: CheckRequest,
  inputs: Json | undefined,
): Promise<ProcessCheck & { record?: Rehearsal["record"] }> {
  const { code, file, name, projectRoot } = inspected(request);
  const { files } = code.snapshot();
  const paths = new Set([file, ...files.map((one) => path.join(projectRoot, one.path))]);
  const floating = files
    .filter((one) => CODE.test(one.path))
    .flatMap((one) => scanFloatingCalls(one.text).map((call) => ({ ...call, file: one.path })));
  const outside = watchOutsideWork(paths);
  const loaded = await loadOrFinding(code, projectRoot, name);
  if ("level" in loaded) return { file: name, plays: [], findings: [loaded] };
  const about = { entry: name, projectRoot, paths, hasInputs: inputs !== undefined };
  const stage = stageOf(request, loaded, projectRoot, inputs ?? {});
  return { file: name, export: loaded.exportName, ...(await rehearse(stage, about, { outside, floating })) };
}

/** Begins with fresh modules; `read` tells what to replay once they are there. */
export async function replayCheck(
  request: CheckRequest,
  read: () => Promise<ReplayRequest | null>,
): Promise<{ findings: Finding[] }> {
  const { code, file, projectRoot } = inspected(request);
  watchOutsideWork(new Set([file]));
  const loaded = await code.load();
  const asked = await read();
  if (asked === null) return { findings: [] };
  const standing = await replayPlay(stageOf(request, loaded, projectRoot, asked.inputs), asked.record);
  const found = divergenceFinding("NOT_DETERMINISTIC", standing, asked.plays[0]?.requests ?? []);
  return { findings: found === undefined ? [] : [found] };
}

function inspected({ entry }: CheckRequest): { code: ProcessCode; file: string; name: string; projectRoot: string } {
  const projectRoot = realOrGiven(entry.projectRoot);
  const code = createProcessLoader({ sdk: sdkAccess() }).inspect(entry, undefined);
  const file = realOrGiven(entry.file);
  return { code, file, name: recordedPath(projectRoot, file), projectRoot };
}

function stageOf(
  { runsDir, quietLimitMs, taskKinds, maxSteps }: CheckRequest,
  { run }: LoadedProcess,
  projectRoot: string,
  inputs: Json,
): Stage {
  const runDir = path.join(runsDir, "process-check");
  return { process: run, inputs, projectRoot, runDir, quietLimitMs, taskKinds, maxSteps };
}

async function loadOrFinding(code: ProcessCode, projectRoot: string, name: string): Promise<Finding | LoadedProcess> {
  try {
    return await code.load();
  } catch (error) {
    if (!BabysitterError.is(error)) throw error;
    const { at } = error.details;
    const place = typeof at === "string" ? inProject(at, projectRoot) : name;
    if (isConfined(error.cause)) return finding("FILE_OUTSIDE_TASK", place, WRITES_AT_LOAD, MOVE_TO_TASK);
    return finding(error.code, place, error.message, error.hint ?? "Fix the file and check again.");
  }
}

/** The same finding with the line of a syntax error. The modules are parsed and not run. */
export function withPlace(unplaced: Finding, entry: EntryPoint): Finding {
  const { files } = createProcessLoader({ sdk: sdkAccess() }).inspect(entry, undefined).snapshot();
  const modules = files.filter((one) => /\.m?js$/u.test(one.path));
  const place = locateSyntaxError(modules.map(({ path: file, text: source }) => ({ file, source })));
  return place === undefined ? unplaced : finding(unplaced.code, place, unplaced.message, unplaced.hint);
}

const WRITES_AT_LOAD =
  "The module writes files or starts programs when it is loaded; the check does not allow that, and ends here.";
const MOVE_TO_TASK = "Every replay loads the module again: do this in a node or shell task.";

/** Node itself has held it back. */
function isConfined(error: unknown): boolean {
  return error instanceof Error && (error as NodeJS.ErrnoException).code === "ERR_ACCESS_DENIED";
}

function realOrGiven(file: string): string {
  return fs.existsSync(file) ? fs.realpathSync.native(file) : path.resolve(file);
}
