import { describe, expect, it } from "vitest";
import {
  after,
  create,
  iterate,
  SCENE_NAMES,
  type SceneName,
  scene,
} from "../../../../../tests/fixtures/journal/durability-scenes.js";
import {
  isNewWorld,
  RUN_DIR,
  type Scene,
  Stage,
  sweepPowerCuts,
  untilTheEnd,
  violationIn,
} from "../../../../../tests/fixtures/journal/durability-sweep.js";
import { fates, type PowerCutDisk } from "../../../../../tests/fixtures/journal/power-cut-disk.js";
import {
  createSmallRun,
  driveHot,
  iterateOnce,
  postFor,
  RUN_ID,
  SMALL_ANSWERS,
} from "../../../../../tests/fixtures/journal/small-run.js";
import type { Head, JournalEvent } from "../../model/events.js";
import { RunJournal } from "../../runs/run-journal.js";
import { sealBehind } from "../rules/chain.js";
import { EventLog } from "./event-log.js";
import { DurableFiles } from "./journal-fs.js";
import { runLayout } from "./layout.js";

describe("the power is cut before every call", () => {
  it.each(SCENE_NAMES)("J2 J3 J4: %s", async (name) => {
    const report = await sweepPowerCuts(await scene(name), { seeds: 6 });
    expect(report.violations).toEqual([]);
    expect(report.cuts).toBeGreaterThan(10);
    expect(report.worlds).toBeGreaterThan(2);
  });
});

/** A post by another process, made in one go between two calls of the first one. */
function otherPost(stage: Stage, base: Head, key: string, pending: RunJournal["summary"]["pending"]): void {
  const { view } = stage.actor();
  const log = new EventLog(new DurableFiles(view, "full"), runLayout(RUN_DIR));
  const head = log.readAfter(base)?.at(-1) ?? base;
  const effect = Object.values(pending).find(({ invocationKey }) => invocationKey === key);
  if (effect === undefined) throw new Error(`${key} is not pending`);
  const { effectId, invocationKey, taskId } = effect;
  const result = { value: SMALL_ANSWERS(key) };
  const events = sealBehind(head, [
    {
      type: "EFFECT_RESOLVED",
      timestamp: "2026-01-01T01:30:00.000Z",
      effectId,
      invocationKey,
      taskId,
      payload: { status: "ok", attempt: 1, by: "post", result },
    },
  ]);
  expect(log.append(events)).toEqual({ appended: 1, conflict: false });
  stage.acknowledged.events.push(...events);
}

/** Scenes in which a second process posts just before call `moment` of the first one. */
async function interrupted(act: (stage: Stage, before: () => void) => Promise<void>, start: Stage): Promise<Scene[]> {
  const { summary } = await RunJournal.open(start.actor().ports, RUN_ID);
  const scenes: Scene[] = [];
  let moments = Number.POSITIVE_INFINITY;
  for (let moment = 0; moment < moments; moment += 1) {
    const played: Scene = {
      start,
      width: 2,
      act: async (stage) => {
        let calls = 0;
        await act(stage, () => {
          if (calls === moment) otherPost(stage, summary.head, "part-2:1", summary.pending);
          calls += 1;
        });
        moments = Math.min(moments, calls);
      },
    };
    await played.act(new Stage(start.disk.clone(), start.acknowledged, { hour: 1 }));
    scenes.push(played);
  }
  return scenes;
}

describe("two processes on one run, and the power is cut", () => {
  it("J1 J2 J4: a post between any two calls of another post", async () => {
    const start = await after(create(2), iterate);
    const scenes = await interrupted(
      async (stage, before) => void (await postFor(stage.actor(before).ports, "part-1:1")),
      start,
    );
    expect(scenes.length).toBeGreaterThan(5);
    for (const each of scenes) expect((await sweepPowerCuts(each, { seeds: 4 })).violations).toEqual([]);
  });

  it("J1 J2 J4: a post between any two calls of a program that records a result with what follows from it", async () => {
    const start = await after((stage) => createSmallRun(stage.actor().ports, 2, { checks: true }), iterate);
    const scenes = await interrupted((stage, before) => driveHot(stage.actor(before).ports, ["part-1:1"]), start);
    expect(scenes.length).toBeGreaterThan(15);
    for (const each of scenes) expect((await sweepPowerCuts(each, { seeds: 4 })).violations).toEqual([]);
  });

  it("J1 J2 J4: a post between any two calls of an iteration that writes a batch", async () => {
    const start = await after(create(2), iterate);
    const scenes = await interrupted(async (stage, before) => void (await appendBatch(stage, before)), start);
    expect(scenes.length).toBeGreaterThan(10);
    for (const each of scenes) expect((await sweepPowerCuts(each, { seeds: 4 })).violations).toEqual([]);
  });
});

/** Three patch markers in one append, as a changed process would write them. */
async function appendBatch(stage: Stage, before: () => void): Promise<JournalEvent[]> {
  const journal = await RunJournal.open(stage.actor(before).ports, RUN_ID);
  return journal.commit((_summary, appended) =>
    ["one", "two", "three"].slice(appended.length).map((id) => ({
      type: "PATCH_MARKED" as const,
      timestamp: "2026-01-01T01:00:00.000Z",
      payload: { id, after: 0, iteration: 2 },
    })),
  );
}

describe("a process dies, another one goes on, then the power is cut", () => {
  it.each<SceneName>([
    "creating a run",
    "a batch of four",
    "a posted result",
    "a result with what follows from it",
    "a large result in a run without its derived folders",
  ])("J2 J4: %s", async (name) => {
    const played = await scene(name);
    const violations: string[] = [];
    const seen = new Set<string>();
    for (let death = 0, alive = false; !alive; death += 1) {
      const stage = new Stage(played.start.disk.clone(), played.start.acknowledged, { hour: 1 });
      alive = await playAndDie(stage, played, death);
      for (const fate of fates(stage.disk.undecided, 4)) {
        const survived = stage.disk.reboot(fate);
        if (!isNewWorld(survived, stage.acknowledged, seen)) continue;
        const violation = await violationIn(survived, stage.acknowledged, played);
        if (violation !== undefined) violations.push(`death before call ${death + 1}: ${violation}`);
      }
    }
    expect(violations.slice(0, 5)).toEqual([]);
  });
});

/** Plays a scene whose process dies before call `death`; then another process does the same. Tells whether nobody died. */
async function playAndDie(stage: Stage, played: Scene, death: number): Promise<boolean> {
  let calls = 0;
  let died = false;
  const mortal = Object.create(stage, {
    actor: {
      value: () => {
        const actor = stage.actor(() => {
          if (calls === death) {
            died = true;
            actor.view.dead = true;
          }
          calls += 1;
        });
        return actor;
      },
    },
  }) as Stage;
  await untilTheEnd(() => played.act(mortal));
  if (!died) return true;
  const { ports } = stage.actor();
  if (!(await ports.store.exists(RUN_ID))) await createSmallRun(ports, played.width);
  else if ((await ports.store.read(RUN_ID, undefined))?.length === 1) await iterateOnce(ports);
  else {
    const journal = await RunJournal.open(ports, RUN_ID);
    const [pending] = Object.values(journal.summary.pending);
    if (pending !== undefined) await postFor(ports, pending.invocationKey, played.answers ?? SMALL_ANSWERS);
  }
  return false;
}

describe("the power is cut twice", () => {
  it("J2 J4: during a batch, and again during the batch that replaces it", async () => {
    const start = await after(create(2));
    const violations: string[] = [];
    const seen = new Set<string>();
    for (let first = 0, on = false; !on; first += 1) {
      const stage = new Stage(start.disk.clone(), start.acknowledged, { hour: 1 });
      stage.disk.cutAt = first;
      await untilTheEnd(() => iterate(stage));
      on = !stage.disk.isOff;
      for (const fate of fates(stage.disk.undecided, 2)) {
        const survived = stage.disk.reboot(fate);
        const remains = journalOf(survived);
        if (seen.has(remains)) continue;
        seen.add(remains);
        const again: Scene = { start: new Stage(survived, stage.acknowledged, { hour: 2 }), act: iterate, width: 2 };
        violations.push(...(await sweepPowerCuts(again, { seeds: 0, first: true })).violations);
      }
    }
    expect(seen.size).toBeGreaterThan(5);
    expect(violations.slice(0, 5)).toEqual([]);
  });
});

function journalOf(disk: PowerCutDisk): string {
  return disk
    .describe()
    .split(/\n(?=\/)/)
    .filter((entry) => entry.startsWith(`${RUN_DIR}/journal/`))
    .join("\n");
}

describe("the power is cut during a repair", () => {
  it("C21 J4: nothing is thrown away, and the next repair ends it", async () => {
    const start = await after(create(2), iterate, tearLastButOne);
    const before = eventFiles(start.disk);
    const seen = new Set<string>();
    for (let cutAt = 0, on = false; !on; cutAt += 1) {
      const stage = new Stage(start.disk.clone(), start.acknowledged, { hour: 1 });
      stage.disk.cutAt = cutAt;
      await untilTheEnd(() => repair(stage, "first"));
      on = !stage.disk.isOff;
      for (const fate of fates(stage.disk.undecided, 4)) {
        const survived = stage.disk.reboot(fate);
        if (!isNewWorld(survived, stage.acknowledged, seen)) continue;
        const next = new Stage(survived, { created: true, events: [] }, { hour: 2 });
        await repair(next, "second");
        expect(eventFiles(survived)).toEqual(expect.arrayContaining(before));
        expect(await violationIn(survived, next.acknowledged, { width: 2 })).toBeUndefined();
      }
    }
    expect(seen.size).toBeGreaterThan(5);
  });
});

async function repair(stage: Stage, stamp: string): Promise<void> {
  await stage.actor().ports.upkeep.repair(RUN_ID, { dryRun: false, stamp });
}

async function tearLastButOne(stage: Stage): Promise<void> {
  const { view } = stage.actor();
  const name = view.readdirSync(`${RUN_DIR}/journal`).at(-2) as string;
  view.writeSync(view.openSync(`${RUN_DIR}/journal/${name}`, "w"), "half an ev");
}

/** Names and contents of all event files, wherever in the run they are. */
function eventFiles(disk: PowerCutDisk): string[] {
  const entries = disk.describe().split(/\n(?=\/)/);
  const found = entries.flatMap((entry) => /\/journal\/(\d{6}\.[\s\S]*)$/.exec(entry)?.[1] ?? []);
  return [...new Set(found)].toSorted();
}
