import fs from "node:fs";
import path from "node:path";
import { afterAll, expect, it, vi } from "vitest";
import { makeTempDir, removeTempDir, tempDir } from "../../../../../tests/fixtures/temp-dir.js";
import type { EventDraft } from "../../model/events.js";
import { parseRunId, type RunId } from "../../model/ids.js";
import type { Ports } from "../../model/ports.js";
import { listOpenBreakpoints } from "../../runs/list-breakpoints.js";
import { type ListedRun, listNewest, listRuns } from "../../runs/list-runs.js";
import { NotedRuns } from "../../runs/noted-runs.js";
import { reportAllRuns } from "../../runs/report-runs.js";
import { RunJournal } from "../../runs/run-journal.js";
import { upkeepOf } from "../../runs/upkeep-of.js";
import { begin } from "../../testing/contract-checks.js";
import { sha256 } from "../rules/chain.js";
import { fileStorage } from "./file-storage.js";
import { type JournalFs, nodeFs } from "./journal-fs.js";

const RUNS = 36;
const TIME = "2026-01-01T12:00:00.000Z";

let template: Promise<ManyRuns> | undefined;
afterAll(async () => removeTempDir((await template)?.dir ?? ""));

/** Runs that are told of as settled soon after their last change, so that nobody has to wait for seconds. */
class ManyRuns {
  readonly dir: string;
  readonly index: string;
  readonly names = Array.from({ length: RUNS }, (_, n) => parseRunId(`run-${String(n).padStart(2, "0")}`));

  private constructor(dir: string) {
    this.dir = dir;
    this.index = path.join(dir, ".index");
  }

  /** Runs in all states; each test has its own copy of them. */
  static async make(): Promise<ManyRuns> {
    template ??= ManyRuns.#template();
    const many = new ManyRuns(tempDir());
    fs.cpSync((await template).dir, many.dir, { recursive: true });
    return many;
  }

  static async #template(): Promise<ManyRuns> {
    const many = new ManyRuns(makeTempDir());
    for (const [n, runId] of many.names.entries()) {
      await begin(many.ports().store, runId);
      if (n % 4 === 0) await many.append(runId, question());
      if (n % 4 === 1) await many.append(runId, completion(n));
      if (n % 4 === 2) await many.append(runId, cancellation());
    }
    const damaged = (await listRuns(many.ports())).find(({ state }) => state === "damaged");
    if (damaged !== undefined) throw new Error(damaged.why);
    return many;
  }

  /** What a command of its own would have. */
  ports({ files = nodeFs, now = () => Date.now() + 2_900, clock = new Date(TIME) } = {}): Ports {
    const storage = fileStorage({
      runsDir: this.dir,
      durability: "relaxed",
      fs: files,
      now,
    });
    return { ...storage, clock: { now: () => clock } } as unknown as Ports;
  }

  async append(runId: RunId, draft: EventDraft): Promise<void> {
    const journal = await RunJournal.open(this.ports(), runId);
    await journal.commit((_, appended) => (appended.length > 0 ? [] : [draft]));
  }

  /** What listings tell, with the help of notes or without. */
  async told(options: Parameters<ManyRuns["ports"]>[0] = {}): Promise<unknown> {
    return listings(this.ports(options));
  }

  async truth(options: Parameters<ManyRuns["ports"]>[0] = {}): Promise<unknown> {
    const { notes: _, ...withoutNotes } = this.ports(options);
    return listings(withoutNotes);
  }

  /** Lists until there is a note about every run, except those. */
  async noted(except: readonly RunId[] = []): Promise<void> {
    const isNoted = async (): Promise<void> => {
      // Notes about the few that were changed last would not be worth another file.
      fs.rmSync(this.index, { recursive: true, force: true });
      const bad = (await listRuns(this.ports())).filter(({ state }) => state === "damaged" || state === "foreign");
      const { runs } = await NotedRuns.list(this.ports());
      const without = runs.filter(({ note }) => note === undefined).map(({ runId }) => runId);
      expect(without).toEqual([...except, ...bad.map(({ runId }) => runId)]);
    };
    await vi.waitFor(isNoted, { timeout: 40_000, interval: 50 });
  }

  /** Lists until nobody has to look at runs that are over. */
  async looked(): Promise<void> {
    const isHere = ({ runDir }: ListedRun): boolean => !fs.lstatSync(runDir).isSymbolicLink();
    const over = (await listRuns(this.ports())).filter((run) => OVER.has(run.state) && isHere(run));
    const isLooked = async (): Promise<void> => {
      await listRuns(this.ports());
      const { files, touched } = recording();
      await listRuns(this.ports({ files }));
      expect(over.filter(({ runDir }) => touched.some((file) => file.startsWith(`${runDir}/`)))).toEqual([]);
    };
    await vi.waitFor(isLooked, { timeout: 40_000, interval: 50 });
  }

  journal(runId: RunId): string {
    return path.join(this.dir, runId, "journal");
  }

  lastEvent(runId: RunId): string {
    return path.join(this.journal(runId), fs.readdirSync(this.journal(runId)).toSorted().at(-1) as string);
  }

  file(ending = ".notes"): string {
    const [name] = fs.readdirSync(this.index).filter((found) => found.endsWith(ending));
    return path.join(this.index, name as string);
  }
}

const OVER = new Set(["completed", "cancelled"]);

/** A disk that tells what was looked at and what was read. */
function recording(): { files: JournalFs; touched: string[]; read: string[] } {
  const touched: string[] = [];
  const read: string[] = [];
  const noting = <A extends [string, ...unknown[]], R>(act: (...args: A) => R, list: string[]) => {
    return (...args: A): R => {
      list.push(args[0]);
      return act(...args);
    };
  };
  const files: JournalFs = {
    ...nodeFs,
    readText: noting((...args: Parameters<JournalFs["readText"]>) => nodeFs.readText(...args), read),
    changeOf: noting((file: string) => nodeFs.changeOf(file), touched),
    kindOf: noting((file: string) => nodeFs.kindOf(file), touched),
    readdirSync: noting((file: string) => nodeFs.readdirSync(file), touched),
  };
  return { files, touched, read };
}

async function listings(ports: Ports): Promise<unknown> {
  const window = { since: new Date("2025-12-31"), until: new Date("2026-01-03") };
  const open = await listRuns(ports, { open: true });
  return [
    await listRuns(ports),
    await listNewest(ports, { most: 3 }),
    open,
    await listOpenBreakpoints(ports, () => undefined),
    await reportAllRuns(ports, window),
    // Of a time before they ended.
    await reportAllRuns(ports, { since: new Date("2025-12-31"), until: new Date("2026-01-01T11:30:00.000Z") }),
  ];
}

function question(): EventDraft {
  return request("breakpoint", "Go on?");
}

function request(kind: string, title: string, until?: string): EventDraft {
  const effectId = `effect-${Math.random().toString(16).slice(2, 14)}`;
  return {
    type: "EFFECT_REQUESTED",
    timestamp: TIME,
    effectId,
    invocationKey: effectId,
    taskId: kind,
    payload: {
      kind,
      title,
      scope: "",
      argsHash: "",
      after: 0,
      iteration: 1,
      args: { value: { question: title } },
      definition: { value: { kind, title } },
      ...(until === undefined ? {} : { until }),
    },
  } as unknown as EventDraft;
}

function completion(minutes = 0): EventDraft {
  const timestamp = new Date(Date.parse(TIME) + minutes * 60_000).toISOString();
  const payload = { iteration: 1, output: { value: 1 }, completionProof: "proof", abandoned: [] };
  return { type: "RUN_COMPLETED", timestamp, payload } as unknown as EventDraft;
}

function hooksCalled(): EventDraft {
  const merged = { ok: true, action: "none", count: 0 };
  const payload = { hookType: "on-run-complete", hooks: [], merged };
  return { type: "HOOK_DISPATCHED", timestamp: "2026-01-01T23:00:00.000Z", payload } as unknown as EventDraft;
}

function cancellation(): EventDraft {
  return { type: "RUN_CANCELLED", timestamp: TIME, payload: { reason: "enough" } };
}

it("C4: a listing opens no run that nobody has touched since the last one", async () => {
  const many = await ManyRuns.make();
  await many.noted();
  await many.looked();
  const { files, touched, read } = recording();
  expect(await listRuns(many.ports({ files }))).toHaveLength(RUNS);
  expect(read).toEqual([many.file(), many.file(".look")]);
  // Of those that are over nothing is looked at; of the others whether somebody has touched them.
  const open = many.names
    .filter((_, n) => n % 4 === 0 || n % 4 === 3)
    .flatMap((runId) => [many.journal(runId), head(many, runId)]);
  expect(touched.toSorted()).toEqual([many.dir, path.join(many.index, "written-when-over"), ...open].toSorted());
  expect([fs.statSync(many.index).mode & 0o777, fs.statSync(many.file()).mode & 0o777]).toEqual([0o700, 0o600]);
  expect(fs.readFileSync(path.join(many.index, ".gitignore"), "utf8")).toBe("*\n");
});

it("C4: a short list has the newest runs, with their places in the whole list, and says how many there are", async () => {
  const many = await ManyRuns.make();
  const all = await listRuns(many.ports());
  expect(all.map(({ index }) => index)).toEqual(all.map((_, at) => at + 1));
  await many.noted();
  for (const notes of ["noted", "not noted"]) {
    if (notes === "not noted") fs.rmSync(many.index, { recursive: true });
    const short = await listNewest(many.ports(), { most: 3 });
    expect([notes, short]).toEqual([notes, { runs: all.slice(0, 3), others: RUNS - 3, all: RUNS }]);
  }
});

function head(many: ManyRuns, runId: RunId): string {
  return path.join(many.dir, runId, "state", "head.json");
}

it("C4: whatever happens to runs behind the back of their notes, listings tell the truth", async () => {
  const many = await ManyRuns.make();
  const named = (n: number): RunId => many.names[n] as RunId;
  const [asked, plain] = [named(0), named(3)];
  const [completed, another, fourth] = [named(1), named(5), named(9)];
  const [cancelled, third, linked] = [named(2), named(6), named(10)];
  const aside = tempDir();
  const backup = path.join(aside, "backup");
  fs.cpSync(many.journal(plain), backup, { recursive: true });
  fs.cpSync(path.join(many.dir, asked), path.join(aside, "asked"), { recursive: true });
  const dirOf = (runId: RunId): string => path.join(many.dir, runId);
  fs.renameSync(dirOf(linked), path.join(aside, linked));
  fs.symlinkSync(path.join(aside, linked), dirOf(linked));
  const changes: Record<string, () => unknown> = {
    "another program appends": () => many.append(plain, cancellation()),
    "something is recorded after the end": () => many.append(completed, hooksCalled()),
    "the end is damaged, and the run repaired": async () => {
      fs.writeFileSync(many.lastEvent(third), "torn");
      await upkeepOf(many.ports()).repair(third, { dryRun: false, stamp: "now" });
    },
    "a journal is restored from a backup": () => {
      fs.rmSync(many.journal(named(7)), { recursive: true });
      fs.cpSync(backup, many.journal(named(7)), { recursive: true, preserveTimestamps: true });
    },
    "an iteration fails": async () => {
      const journal = await RunJournal.open(many.ports(), asked);
      await journal.noteError({ code: "INTERNAL", message: "broken" } as never, TIME);
    },
    "a run that is over is created again": async () => {
      fs.rmSync(dirOf(cancelled), { recursive: true });
      await begin(many.ports().store, cancelled);
    },
    "a run that is over is replaced by hand": () => {
      fs.rmSync(dirOf(another), { recursive: true });
      fs.cpSync(path.join(aside, "asked"), dirOf(another), { recursive: true, preserveTimestamps: true });
    },
    "a run changes places with another": () => {
      fs.renameSync(dirOf(asked), path.join(many.dir, "aside"));
      fs.renameSync(dirOf(fourth), dirOf(asked));
    },
    "a run that is over is replaced where it is elsewhere": () => {
      fs.rmSync(path.join(aside, linked), { recursive: true });
      fs.cpSync(path.join(aside, "asked"), path.join(aside, linked), { recursive: true });
    },
    "a run that is over is archived": async () => {
      const { ports, summary, runId } = await RunJournal.open(many.ports(), named(13));
      await upkeepOf(ports).archive(runId, summary.head);
    },
    "a run that is over is deleted": () => fs.rmSync(dirOf(completed), { recursive: true }),
    "a run is made": () => begin(many.ports().store, parseRunId("new")),
  };
  for (const [what, change] of Object.entries(changes)) {
    await many.noted();
    await many.looked();
    await change();
    expect([what, await many.told()]).toEqual([what, await many.truth()]);
  }
}, 120_000);

it("C4: what others do inside a run that is over is seen a little later", async () => {
  const many = await ManyRuns.make();
  const changes: Record<string, (runId: RunId) => void> = {
    "the last event is taken out": (runId) => fs.unlinkSync(many.lastEvent(runId)),
    "a journal is damaged": (runId) => fs.renameSync(many.lastEvent(runId), `${many.lastEvent(runId)}.bak`),
    "a run becomes another tool's": (runId) => {
      fs.rmSync(many.journal(runId), { recursive: true });
      fs.writeFileSync(path.join(many.dir, runId, "run.json"), "{}");
    },
  };
  for (const [n, [what, change]] of Object.entries(changes).entries()) {
    await many.noted();
    await many.looked();
    change(many.names[4 * n + 1] as RunId);
    const later = { now: () => Date.now() + 11 * 60_000 };
    expect([what, await many.told(later)]).toEqual([what, await many.truth(later)]);
  }
}, 120_000);

it("C4: nobody vouches for what changed while they were looking", async () => {
  const many = await ManyRuns.make();
  const [completed, another] = [many.names[1] as RunId, many.names[5] as RunId];
  const changes: Record<string, () => unknown> = {
    "something is recorded after the end": () => many.append(completed, hooksCalled()),
    "a run that is over is created again": async () => {
      fs.rmSync(path.join(many.dir, another), { recursive: true });
      await begin(many.ports().store, another);
    },
  };
  for (const [what, change] of Object.entries(changes)) {
    await many.noted();
    await many.looked();
    fs.unlinkSync(many.file(".look"));
    const early = await NotedRuns.list(many.ports());
    await change();
    await early.save();
    expect([what, fs.existsSync(many.file(".look"))]).toEqual([what, true]);
    expect([what, await many.told()]).toEqual([what, await many.truth()]);
  }
}, 60_000);

const SPOILS: [string, (file: string) => void][] = [
  ["deleted", (file) => fs.unlinkSync(file)],
  ["empty", (file) => fs.truncateSync(file, 0)],
  ["truncated", (file) => fs.truncateSync(file, fs.statSync(file).size >> 1)],
  ["without its end", (file) => fs.truncateSync(file, fs.statSync(file).size - "\nrun-03".length)],
  ["garbage", (file) => fs.writeFileSync(file, Buffer.from([0, 159, 146, 150, 255, 10]))],
  ["null", (file) => fs.writeFileSync(file, "null")],
  ["of an earlier version", ofEarlierVersion],
  ["edited", (file) => fs.writeFileSync(file, fs.readFileSync(file, "utf8").replaceAll("cancelled", "completed"))],
  [
    "replaced by a folder",
    (file) => {
      fs.unlinkSync(file);
      fs.mkdirSync(file);
    },
  ],
];

/** With the names at other places. */
function ofEarlierVersion(file: string): void {
  const lines = fs.readFileSync(file, "utf8").split("\n").slice(1, -1);
  const earlier = lines.map((line) => `${line.split("\t")[0]}\t1 2\tover\t\t${TIME}\t{"state":"completed"}\n`).join("");
  fs.writeFileSync(file, `${sha256(earlier)}\n${earlier}`);
}

it("C4: spoiled notes are not believed, and made again", async () => {
  const many = await ManyRuns.make();
  const sleeping = many.names[3] as RunId;
  await many.append(sleeping, request("sleep", "nap", "2026-01-01T13:00:00.000Z"));
  for (const [what, spoil] of SPOILS) {
    for (const ending of [".notes", ".look"]) {
      await many.noted([sleeping]);
      await many.looked();
      spoil(many.file(ending));
      expect([what, ending, await many.told()]).toEqual([what, ending, await many.truth()]);
    }
  }
}, 120_000);

it("C4: notes that a clock cannot vouch for are not taken", async () => {
  const many = await ManyRuns.make();
  // Just changed, by a clock that is right; and changed in the future, by one that was put back.
  const changed = Math.min(...many.names.map((runId) => fs.statSync(many.journal(runId)).ctimeMs));
  for (const now of [changed + 2_900, changed - 3_600_000]) {
    await listRuns(many.ports({ now: () => now }));
    expect(fs.existsSync(many.index)).toBe(false);
  }
});

it("C4: what depends on the time of day is not noted", async () => {
  const many = await ManyRuns.make();
  const sleeping = [3, 7, 11].map((n) => many.names[n] as RunId);
  for (const runId of sleeping) await many.append(runId, request("sleep", "nap", "2026-01-01T13:00:00.000Z"));
  await many.noted(sleeping);
  expect(await many.told()).toEqual(await many.truth());
  const later = { clock: new Date("2026-01-01T13:00:01.000Z") };
  expect(await many.told(later)).toEqual(await many.truth(later));
});

it("C4: of several that write notes, none undoes what another has seen", async () => {
  const many = await ManyRuns.make();
  await many.noted();
  fs.rmSync(many.index, { recursive: true });
  const early = await NotedRuns.list(many.ports());
  for (const { runId } of early.runs) early.add(await RunJournal.open(many.ports(), runId));
  for (const runId of many.names.slice(0, 4)) await many.append(runId, cancellation());
  await listRuns(many.ports());
  await early.save();
  expect(fs.existsSync(many.file())).toBe(true);
  expect(await many.told()).toEqual(await many.truth());
});

it("C4 J4: a program that dies at any instruction while it writes notes leaves no wrong ones", async () => {
  const many = await ManyRuns.make();
  await many.noted();
  const written = fs.readFileSync(many.file(), "utf8");
  for (let calls = 0; ; calls += 1) {
    fs.rmSync(many.index, { recursive: true, force: true });
    const { files, died } = mortal(calls);
    await listRuns(many.ports({ files })).catch(() => undefined);
    const left = fs.existsSync(many.index) ? fs.readdirSync(many.index).filter((name) => name.endsWith(".notes")) : [];
    for (const name of left) expect(fs.readFileSync(path.join(many.index, name), "utf8")).toBe(written);
    if (!died()) break;
    expect(calls).toBeLessThan(50);
  }
  expect(await many.told()).toEqual(await many.truth());
}, 60_000);

/** A disk on which the program dies at a change, and does nothing more. */
function mortal(calls: number): { files: JournalFs; died: () => boolean } {
  let left = calls;
  const dying = <A extends unknown[], R>(act: (...args: A) => R): ((...args: A) => R) => {
    return (...args) => {
      left -= 1;
      if (left < 0) throw new Error("killed");
      return act(...args);
    };
  };
  const files: JournalFs = {
    ...nodeFs,
    openSync: dying((...args) => nodeFs.openSync(...args)),
    writeSync: dying((...args) => nodeFs.writeSync(...args)),
    closeSync: dying((...args) => nodeFs.closeSync(...args)),
    mkdirSync: dying((...args) => nodeFs.mkdirSync(...args)),
    renameSync: dying((...args) => nodeFs.renameSync(...args)),
    unlinkSync: dying((...args) => nodeFs.unlinkSync(...args)),
  };
  return { files, died: () => left < 0 };
}
