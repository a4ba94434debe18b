/** A run in a real directory that has come half of its way, and ways to damage it. */
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { eventFileName, nextPlace, sha256 } from "../../../packages/sdk/src/journal/chain.js";
import { BabysitterError } from "../../../packages/sdk/src/model/errors.js";
import type { JournalEvent } from "../../../packages/sdk/src/model/events.js";
import type { Json } from "../../../packages/sdk/src/model/json.js";
import type { JournalFinding, Ports, ProcessFunction } from "../../../packages/sdk/src/model/ports.js";
import type { ProcessContext } from "../../../packages/sdk/src/replay/process-context.js";
import { createSmallRun, iterateOnce, postFor, RUN_ID, smallPorts } from "./small-run.js";

/** Like the small process, with a line in the journal between the two steps. */
async function talkingProcess(inputs: { width: number }, ctx: ProcessContext): Promise<Json> {
  ctx.log(`asking for ${inputs.width}`);
  const ids = Array.from({ length: inputs.width }, (_, index) => `part-${index + 1}`);
  const parts = await Promise.all(ids.map((id) => ctx.task<Json>({ id, kind: "agent" })));
  ctx.log("asking for the whole");
  const whole = await ctx.task<Json>({ id: "whole", kind: "agent" }, { parts: parts.length });
  return { parts, whole };
}

export class RunOnDisk {
  readonly home = fs.mkdtempSync(path.join(os.tmpdir(), "journal-"));
  readonly runsDir = path.join(this.home, ".a5c", "runs");
  readonly dir = path.join(this.runsDir, RUN_ID);

  /** Ports of a new process. */
  ports(clock?: Ports["clock"]): Ports {
    return smallPorts(this.runsDir, {
      process: talkingProcess as unknown as ProcessFunction,
      ...(clock === undefined ? {} : { clock }),
    });
  }

  /**
   * A run of two parts that waits for the whole: 1 RUN_CREATED, 2 PROCESS_LOGGED and 3, 4 EFFECT_REQUESTED
   * in one batch, 5, 6 EFFECT_RESOLVED, 7 PROCESS_LOGGED and 8 EFFECT_REQUESTED in one batch.
   */
  static async halfway(): Promise<RunOnDisk> {
    const run = new RunOnDisk();
    await createSmallRun(run.ports(), 2);
    await iterateOnce(run.ports());
    await postFor(run.ports(), "part-1:1");
    await postFor(run.ports(), "part-2:1");
    await iterateOnce(run.ports());
    return run;
  }

  remove(): void {
    fs.rmSync(this.home, { recursive: true, force: true });
  }

  /** Names of the files in the journal, in order. */
  names(): string[] {
    return fs.readdirSync(path.join(this.dir, "journal")).toSorted();
  }

  /** Path of the event with this sequence number. */
  event(seq: number): string {
    const name = this.names().find((candidate) => candidate.startsWith(String(seq).padStart(6, "0")));
    if (name === undefined) throw new Error(`there is no event ${seq}`);
    return path.join(this.dir, "journal", name);
  }

  readEvent(seq: number): JournalEvent {
    return JSON.parse(fs.readFileSync(this.event(seq), "utf8")) as JournalEvent;
  }

  /** A path inside the run directory. */
  path(...parts: string[]): string {
    return path.join(this.dir, ...parts);
  }

  dropCaches(): void {
    fs.rmSync(this.path("state"), { recursive: true, force: true });
  }

  /** Writes an event behind the last one whose frame says what the caller wants. */
  forge(after: number, fields: object): string {
    const before = this.readEvent(after);
    const body = {
      ...nextPlace(before),
      timestamp: before.timestamp,
      type: "EFFECT_RESOLVED",
      payload: {},
      format: 1,
      writer: "9.9.9",
      prev: before.checksum,
      ...fields,
    };
    const text = JSON.stringify(body);
    const file = path.join(this.dir, "journal", eventFileName(nextPlace(before)));
    fs.writeFileSync(file, JSON.stringify({ ...body, checksum: sha256(text) }));
    return file;
  }
}

/** Changes an event's payload, with or without making its checksum right again. */
export function tamper(file: string, options: { resealed: boolean }): void {
  const { checksum, ...body } = JSON.parse(fs.readFileSync(file, "utf8")) as JournalEvent;
  const changed = { ...body, payload: { ...body.payload, result: { value: "something else" } } };
  const seal = options.resealed ? sha256(JSON.stringify(changed)) : checksum;
  fs.writeFileSync(file, `${JSON.stringify({ ...changed, checksum: seal }, null, 2)}\n`);
}

/** The coded error that something ends with. */
export async function errorOf(work: () => Promise<unknown>): Promise<BabysitterError> {
  try {
    await work();
  } catch (error) {
    if (BabysitterError.is(error)) return error;
    throw error;
  }
  throw new Error("There was no error.");
}

export function serious(findings: readonly JournalFinding[]): JournalFinding[] {
  return findings.filter(({ harmless }) => !harmless);
}

/** All files below a directory with their content, to see that nothing was changed. */
export function snapshotOf(dir: string): Record<string, string> {
  const files: Record<string, string> = {};
  for (const entry of fs.readdirSync(dir, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = path.join(entry.parentPath, entry.name);
    files[path.relative(dir, file)] = fs.readFileSync(file, "latin1");
  }
  return files;
}
