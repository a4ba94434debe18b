/** The programmatic API: the use cases on this machine's files, under the names that scripts know. */
import path from "node:path";
import { BabysitterError } from "../model/errors.js";
import { parseRunId, type RunId } from "../model/ids.js";
import type { Clock, HookRunner, Ports } from "../model/ports.js";
import { createRun as createRunUseCase } from "../runs/create-run.js";
import { describeRun, type RunDescription } from "../runs/describe-run.js";
import type { Iteration } from "../runs/iteration.js";
import { LiveRun } from "../runs/live-run.js";
import { type EffectResult, type PostAnswer, postResult } from "../runs/post-result.js";
import { RunJournal } from "../runs/run-journal.js";
import { findPlaces } from "./file-places.js";
import { entryAt, localPorts, quietLimitOf } from "./local-ports.js";
import { sdkAccess } from "./sdk-access.js";

/** Arguments of {@link createRun}. */
export interface CreateRunOptions {
  /** Where runs live; by default `.a5c/runs` of the project around the current folder. */
  runsDir?: string;
  runId?: string;
  request?: string;
  prompt?: string;
  processRevision?: string;
  harness?: string;
  session?: string;
  process: { processId: string; importPath: string; exportName?: string };
  inputs?: unknown;
}

/** Creates a run. The process is imported to check that it exists; nothing of it is executed yet. */
export async function createRun(options: CreateRunOptions): Promise<{ runId: string; runDir: string }> {
  const { runsDir, process: target, ...rest } = options;
  const places = findPlaces({ runsDir, cwd: process.cwd(), env: process.env });
  const ports = localPorts({ runsDir: places.runsDir, sdk: sdkAccess(), env: process.env });
  const place = entryAt(
    { file: target.importPath, export: target.exportName },
    { cwd: process.cwd(), projectRoot: places.projectRoot },
  );
  const { runId, runDir } = await createRunUseCase(ports, { ...rest, ...place, processId: target.processId });
  return { runId, runDir };
}

/** What every call on an existing run takes. */
export interface RunReference {
  runDir: string;
  /** For tests: the time of day. */
  clock?: Clock;
  /** Runs lifecycle hooks for ctx.hook. */
  hooks?: HookRunner;
}

/** One iteration: replays the process and records what it asks for now. */
export async function orchestrateIteration(options: RunReference & { retry?: boolean }): Promise<Iteration> {
  const run = await openLive(options, false);
  try {
    return await run.iterateToDocument(options.retry === undefined ? {} : { retry: options.retry });
  } finally {
    await run.close();
  }
}

/** Arguments of {@link commitEffectResult}. */
export interface CommitOptions extends RunReference {
  effectId: string;
  result: EffectResult;
  invocationKey?: string;
  attempt?: number;
}

/** Records the result of an effect, once. Throws when another result is recorded already. */
export async function commitEffectResult(options: CommitOptions): Promise<PostAnswer> {
  const { ports, runId } = portsFor(options);
  const { effectId, result, invocationKey, attempt } = options;
  return postResult(await RunJournal.open(ports, runId), {
    effectId,
    result,
    ...(invocationKey === undefined ? {} : { invocationKey }),
    ...(attempt === undefined ? {} : { attempt }),
  });
}

/** Where a run stands. */
export async function readRunStatus(options: RunReference): Promise<RunDescription> {
  const { ports, runId } = portsFor(options);
  return describeRun(await RunJournal.open(ports, runId));
}

/** A run whose process stays alive between iterations: a step costs the same however long the run is. */
export interface HotRun {
  readonly runId: string;
  readonly runDir: string;
  /** Gives the process what is new and records what it asks for. */
  iterate(options?: { retry?: boolean }): Promise<Iteration>;
  /** Records the result of an effect, with what the process requests next; durable when it resolves. */
  post(effectId: string, result: EffectResult): Promise<PostAnswer>;
  /** Ends the process. The run itself continues whenever it is opened again. */
  close(): Promise<void>;
}

/** Opens a run and keeps its process alive until it is closed. Readable copies under `tasks/` may lag behind until then. */
export async function openRun(options: RunReference): Promise<HotRun> {
  const run = await openLive(options, true);
  return {
    runId: run.journal.runId,
    runDir: run.journal.runDir,
    iterate: (iterateOptions) => run.iterateToDocument(iterateOptions),
    post: (effectId, result) => run.post({ effectId, result }),
    close: () => run.close(),
  };
}

async function openLive(options: RunReference, staysOpen: boolean): Promise<LiveRun> {
  const { ports, runId } = portsFor(options, staysOpen);
  return LiveRun.open(ports, runId, { quietLimitMs: quietLimitOf(process.env) });
}

function portsFor({ runDir, clock, hooks }: RunReference, staysOpen = false): { ports: Ports; runId: RunId } {
  if (typeof runDir !== "string" || runDir === "")
    throw new BabysitterError("USAGE", "runDir is missing: pass the directory that createRun returned.");
  const absolute = path.resolve(runDir);
  const ports = localPorts({
    runsDir: path.dirname(absolute),
    sdk: sdkAccess(),
    env: process.env,
    staysOpen,
    ...(clock === undefined ? {} : { clock }),
    ...(hooks === undefined ? {} : { hooks }),
  });
  return { ports, runId: parseRunId(path.basename(absolute)) };
}
