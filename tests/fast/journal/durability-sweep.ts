/**
 * Plays a scene on a disk, cuts the power before every single changing call, reboots into everything that
 * may have survived, and looks whether the promises still hold and the run can be completed.
 */
import path from "node:path";
import { FileJournalStore } from "../../../packages/sdk/src/journal/file-store.js";
import type { EventDraft, Head, JournalEvent } from "../../../packages/sdk/src/model/events.js";
import type { RunId } from "../../../packages/sdk/src/model/ids.js";
import type { AppendResult, CodeSnapshot, Ports } from "../../../packages/sdk/src/model/ports.js";
import { beginSummary, foldSummary } from "../../../packages/sdk/src/model/run-state.js";
import { RunJournal } from "../../../packages/sdk/src/runs/run-journal.js";
import { type DiskCall, type DiskView, fates, PowerCut, PowerCutDisk, type SyncCall } from "./power-cut-disk.js";
import {
  type Answers,
  createSmallRun,
  expectedOutput,
  finish,
  RUN_ID,
  SMALL_ANSWERS,
  smallPorts,
  TickingClock,
} from "./small-run.js";

export const RUNS_DIR = "/project/.a5c/runs";
export const RUN_DIR = path.join(RUNS_DIR, RUN_ID);

/** What somebody was told to be recorded. */
export interface Acknowledged {
  created: boolean;
  events: JournalEvent[];
}

/** One world in which a scene is played: a disk, and who was told what. */
export class Stage {
  readonly disk: PowerCutDisk;
  readonly acknowledged: Acknowledged;
  readonly #loses: ((sync: SyncCall) => boolean) | undefined;
  readonly #clock: TickingClock;

  constructor(disk: PowerCutDisk, acknowledged: Acknowledged, options: { hour: number; loses?: Loses | undefined }) {
    this.disk = disk;
    this.acknowledged = { created: acknowledged.created, events: [...acknowledged.events] };
    this.#loses = options.loses;
    this.#clock = new TickingClock(options.hour);
  }

  /** A process of its own on this disk. */
  actor(before?: (call: DiskCall) => void): { ports: Ports; view: DiskView } {
    const view = this.disk.view({
      ...(before === undefined ? {} : { before }),
      ...(this.#loses === undefined ? {} : { loses: this.#loses }),
    });
    const store = new NotingStore(view, this.acknowledged);
    return { ports: smallPorts(RUNS_DIR, { store, clock: this.#clock }), view };
  }
}

/** Notes what the store has answered for. */
class NotingStore extends FileJournalStore {
  readonly #noted: Acknowledged;

  constructor(view: DiskView, noted: Acknowledged) {
    super({ runsDir: RUNS_DIR, fs: view, durability: "full" });
    this.#noted = noted;
  }

  override async create(runId: RunId, first: EventDraft & { type: "RUN_CREATED" }, code: CodeSnapshot): Promise<void> {
    await super.create(runId, first, code);
    this.#noted.created = true;
  }

  override async append(runId: RunId, head: Head, drafts: EventDraft[]): Promise<AppendResult> {
    const result = await super.append(runId, head, drafts);
    this.#noted.events.push(...result.events);
    return result;
  }
}

type Loses = (sync: SyncCall) => boolean;

export interface Scene {
  /** What is on the disk, and acknowledged, when the curtain rises. */
  start: Stage;
  act(stage: Stage): Promise<void>;
  width: number;
  answers?: Answers;
}

export interface SweepOptions {
  loses?: Loses;
  seeds?: number;
  /** Stop at the first violation. */
  first?: boolean;
}

export interface SweepReport {
  cuts: number;
  /** Different states of the disk that were rebooted into. */
  worlds: number;
  violations: string[];
}

/** Cuts the power before each changing call of the scene, and after the last. */
export async function sweepPowerCuts(scene: Scene, options: SweepOptions = {}): Promise<SweepReport> {
  const report: SweepReport = { cuts: 0, worlds: 0, violations: [] };
  const seen = new Set<string>();
  for (let cutAt = 0; ; cutAt += 1) {
    const stage = new Stage(scene.start.disk.clone(), scene.start.acknowledged, { hour: 1, loses: options.loses });
    stage.disk.cutAt = cutAt;
    await untilTheEnd(() => scene.act(stage));
    report.cuts += 1;
    for (const fate of fates(stage.disk.undecided, options.seeds ?? 12)) {
      const survived = stage.disk.reboot(fate);
      if (!isNewWorld(survived, stage.acknowledged, seen)) continue;
      report.worlds += 1;
      const violation = await violationIn(survived, stage.acknowledged, scene);
      if (violation === undefined) continue;
      report.violations.push(`power cut before call ${cutAt + 1}: ${violation}`);
      // Many worlds show the same defect; a few are enough to see it.
      if (report.violations.length >= (options.first === true ? 1 : 5)) return report;
    }
    if (!stage.disk.isOff) return report;
  }
}

/** Lets the scene end early when the power goes, or its process dies; everything else is a failure of the test. */
export async function untilTheEnd(act: () => Promise<void>): Promise<void> {
  try {
    await act();
  } catch (error) {
    if (!(error instanceof PowerCut)) throw error;
  }
}

/** What kind of file or directory a sync was for, without the names that chance or time have made. */
export function syncClass({ path: file, kind, first }: SyncCall): string {
  const name = path
    .relative("/project", file)
    .replace(/\.creating-[^/]+/, "<new run>")
    .replace(/\.a5c\/runs\/small-run/, "<run>")
    .replace(/\/(event|blob)-[^/]+$/, "/$1")
    .replace(/\d{6}\.[^/]+$/, "event")
    .replace(/[0-9a-f]{64}/, "hash");
  const before = kind === "dir" && first && name === "<run>/journal" ? " before an append" : "";
  return `${kind} ${name === "" ? "the project" : name === ".." ? "the root" : name}${before}`;
}

/** True when no world like this was seen before; leftovers and copies that no command reads make no difference. */
export function isNewWorld(disk: PowerCutDisk, { created, events }: Acknowledged, seen: Set<string>): boolean {
  const entries = disk.describe().split(/\n(?=\/)/);
  const relevant = entries.filter((entry) => !/\/\.creating-|\/state\/tmp\/|\/tasks\//.test(entry));
  const key = `${created} ${events.length}\n${relevant.join("\n")}`;
  if (seen.has(key)) return false;
  seen.add(key);
  return true;
}

/** What is wrong in the world after a reboot; undefined when nothing is. */
export async function violationIn(
  disk: PowerCutDisk,
  acknowledged: Acknowledged,
  { width, answers = SMALL_ANSWERS }: Pick<Scene, "width" | "answers">,
): Promise<string | undefined> {
  try {
    const stage = new Stage(disk, acknowledged, { hour: 5 });
    const { ports, view } = stage.actor();
    await ports.store.list();
    const exists = await ports.store.exists(RUN_ID);
    if (!exists && acknowledged.created) return "J2: the run is gone";
    if (!exists) await createSmallRun(ports, width);
    else {
      const wrong = missingDocument(view) ?? (await lostOrDamaged(ports, acknowledged)) ?? (await staleCache(ports));
      if (wrong !== undefined) return wrong;
    }
    const end = await finish(stage.actor().ports, answers);
    if (JSON.stringify(end.output) !== JSON.stringify(expectedOutput(width, answers)))
      return `J4: the run ended ${end.status} with ${JSON.stringify(end.output ?? end.error).slice(0, 200)}`;
    return await lostOrDamaged(stage.actor().ports, stage.acknowledged);
  } catch (error) {
    return `J4: ${String(error).slice(0, 300)}`;
  }
}

function missingDocument(view: DiskView): string | undefined {
  for (const name of ["run.json", "inputs.json"]) {
    try {
      JSON.parse(view.readFileSync(path.join(RUN_DIR, name), "utf8"));
    } catch (error) {
      return `J2: ${name}: ${(error as Error).message}`;
    }
  }
  const code = path.join(RUN_DIR, "code/lib/process.js");
  if (!view.existsSync(code) || view.readFileSync(code, "utf8") !== "export const version = 1;\n")
    return "J2: the snapshot of the code is not whole";
  for (const [name, part] of Object.entries({ ".gitignore": "state/", ".gitattributes": "-text" })) {
    if (!view.existsSync(path.join(RUN_DIR, name))) return `J2: ${name} is gone`;
    if (!view.readFileSync(path.join(RUN_DIR, name), "utf8").includes(part)) return `J2: ${name} is torn`;
  }
  return undefined;
}

async function lostOrDamaged(ports: Ports, { events: told }: Acknowledged): Promise<string | undefined> {
  const events = (await ports.store.read(RUN_ID, undefined)) ?? [];
  for (const event of told) {
    if (JSON.stringify(events[event.seq - 1]) !== JSON.stringify(event))
      return `J2: event ${event.seq} (${event.type}) was acknowledged and is not there`;
    for (const field of Object.values(event.payload) as { blob?: string }[])
      if (typeof field === "object" && field.blob !== undefined) await ports.store.getBlob(RUN_ID, field.blob);
  }
  const serious = (await ports.store.check(RUN_ID)).findings.filter(({ harmless }) => !harmless);
  return serious.length === 0 ? undefined : `J3: ${serious[0]?.file}: ${serious[0]?.problem}`;
}

async function staleCache(ports: Ports): Promise<string | undefined> {
  const [first, ...rest] = (await ports.store.read(RUN_ID, undefined)) ?? [];
  const folded = beginSummary(first as Extract<JournalEvent, { type: "RUN_CREATED" }>);
  for (const event of rest) foldSummary(folded, event);
  const { summary } = await RunJournal.open(ports, RUN_ID);
  return JSON.stringify(summary) === JSON.stringify(folded) ? undefined : "C4: the cache says something else";
}
