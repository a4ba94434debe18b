import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { RunOnDisk, serious } from "../../../../../tests/fixtures/journal/run-on-disk.js";
import {
  expectedOutput,
  finish,
  iterateOnce,
  postFor,
  RUN_ID,
  SMALL_ANSWERS,
} from "../../../../../tests/fixtures/journal/small-run.js";
import type { JournalEvent } from "../../model/events.js";
import { beginSummary, foldSummary, type RunSummary } from "../../model/run-state.js";
import { RunJournal } from "../../runs/run-journal.js";

/** The state that the journal's files say, whatever any cache says. */
async function truth(run: RunOnDisk): Promise<RunSummary> {
  const [first, ...rest] = (await run.ports().store.read(RUN_ID, undefined)) ?? [];
  const summary = beginSummary(first as Extract<JournalEvent, { type: "RUN_CREATED" }>);
  for (const event of rest) foldSummary(summary, event);
  return summary;
}

async function expectTruth(run: RunOnDisk): Promise<void> {
  expect((await RunJournal.open(run.ports(), RUN_ID)).summary).toEqual(await truth(run));
}

const CACHES = ["head.json", "state.json"];

const SPOILS: [string, (file: string) => void][] = [
  ["deleted", (file) => fs.unlinkSync(file)],
  ["empty", (file) => fs.truncateSync(file, 0)],
  ["truncated", (file) => fs.truncateSync(file, fs.statSync(file).size >> 1)],
  ["garbage", (file) => fs.writeFileSync(file, Buffer.from([0, 159, 146, 150, 255, 10]))],
  ["other JSON", (file) => fs.writeFileSync(file, '{"schemaVersion":1,"head":null}')],
  ["null", (file) => fs.writeFileSync(file, "null")],
  ["edited", (file) => fs.writeFileSync(file, edited(fs.readFileSync(file, "utf8")))],
];

/** Still valid JSON, with another fact in it. */
function edited(text: string): string {
  const changed = text.replaceAll('"whole:1"', '"other:1"').replaceAll('"did":"part-1:1"', '"did":"forged"');
  expect(changed).not.toBe(text);
  JSON.parse(changed);
  return changed;
}

/** What a cache says about the run; the rest depends on how it was written. */
function known(text: string): unknown {
  const { summary, lastReplay: _, indexStamp: __, seal: ___, ...index } = JSON.parse(text) as Record<string, unknown>;
  return summary ?? index;
}

describe("caches are views of the journal", () => {
  for (const cache of CACHES) {
    it.each(SPOILS)(`C4: ${cache} %s: the next commands see the truth and rebuild it`, async (_what, spoil) => {
      const run = await RunOnDisk.halfway();
      const good = fs.readFileSync(run.path("state", cache), "utf8");
      spoil(run.path("state", cache));
      await expectTruth(run);
      expect(known(fs.readFileSync(run.path("state", cache), "utf8"))).toEqual(known(good));
      const iteration = await iterateOnce(run.ports());
      expect(iteration.nextActions.map(({ invocationKey }) => invocationKey)).toEqual(["whole:1"]);
      await postFor(run.ports(), "whole:1");
      expect((await finish(run.ports())).output).toEqual(expectedOutput(2));
      // The post and the completion; nothing was asked for a second time.
      expect(run.names()).toHaveLength(10);
      const rebuilt = fs.readFileSync(run.path("state", cache), "utf8");
      expect(JSON.parse(rebuilt)).toHaveProperty("seal");
      expect(rebuilt.length).toBeGreaterThan(good.length / 2);
    });
  }

  it("C4: the whole folder deleted between any two commands", async () => {
    const run = await RunOnDisk.halfway();
    run.dropCaches();
    await expectTruth(run);
    run.dropCaches();
    await postFor(run.ports(), "whole:1");
    run.dropCaches();
    expect((await iterateOnce(run.ports())).output).toEqual(expectedOutput(2));
    expect(fs.readdirSync(run.path("state"))).toEqual(expect.arrayContaining(CACHES));
  });

  it.each([[["head.json"]], [["state.json"]], [CACHES]])("C4: %j of another run", async (names) => {
    const run = await RunOnDisk.halfway();
    const other = await RunOnDisk.halfway();
    await postFor(other.ports(), "whole:1", () => "from elsewhere");
    await iterateOnce(other.ports());
    // A run of the same name made at another time is another run.
    const mine = await remade(run);
    for (const name of names) fs.copyFileSync(other.path("state", name), mine.path("state", name));
    await expectTruth(mine);
    expect((await finish(mine.ports())).output).toEqual(expectedOutput(2));
  });

  it.each(["kept", "rebuilt by another command"])(
    "C4: newer than the journal, which was restored from a backup: index %s",
    async (how) => {
      const run = await RunOnDisk.halfway();
      fs.cpSync(run.path("journal"), path.join(run.home, "backup"), { recursive: true });
      await postFor(run.ports(), "whole:1", () => "to be forgotten");
      await iterateOnce(run.ports());
      fs.rmSync(run.path("journal"), { recursive: true });
      fs.cpSync(path.join(run.home, "backup"), run.path("journal"), { recursive: true });
      if (how !== "kept") fs.unlinkSync(run.path("state", "head.json"));
      await expectTruth(run);
      expect((await finish(run.ports())).output).toEqual(expectedOutput(2));
    },
  );

  it("C4 J1: of a history that another one has replaced under the same names", async () => {
    const run = await RunOnDisk.halfway();
    const backup = path.join(run.home, "backup");
    fs.cpSync(run.path("journal"), backup, { recursive: true });
    await postFor(run.ports(), "whole:1", () => "the history that is replaced");
    await RunJournal.open(run.ports(), RUN_ID);
    const caches = path.join(run.home, "caches");
    // The cache knows event 9 of this history.
    fs.unlinkSync(run.path("state", "head.json"));
    await expectTruth(run);
    fs.cpSync(run.path("state"), caches, { recursive: true });
    // Another machine without these caches continued from the same backup: its event 9 has the same name.
    fs.rmSync(run.path("journal"), { recursive: true });
    fs.cpSync(backup, run.path("journal"), { recursive: true });
    run.dropCaches();
    await postFor(run.ports(), "whole:1");
    run.dropCaches();
    fs.cpSync(caches, run.path("state"), { recursive: true });
    const before = await truth(run);
    expect((await RunJournal.open(run.ports(), RUN_ID)).summary).toEqual(before);
    expect((await finish(run.ports())).output).toEqual(expectedOutput(2));
    expect(serious((await run.ports().upkeep.check(RUN_ID)).findings)).toEqual([]);
    expect(new Set(run.names().map((name) => name.slice(0, 6))).size).toBe(run.names().length);
  });

  it("C4 J6: an index that was touched is read once; when it is whole, the next command does without", async () => {
    const run = await RunOnDisk.halfway();
    const index = run.path("state", "state.json");
    const stamp = (): unknown =>
      (JSON.parse(fs.readFileSync(run.path("state", "head.json"), "utf8")) as { indexStamp: string }).indexStamp;
    const before = stamp();
    fs.utimesSync(index, 1, 1);
    for (const seq of [2, 3, 4, 5, 6, 7]) fs.writeFileSync(run.event(seq), "unreadable");
    await RunJournal.open(run.ports(), RUN_ID);
    const after = stamp();
    expect(after).not.toBe(before);
    await RunJournal.open(run.ports(), RUN_ID);
    expect(stamp()).toBe(after);
  });

  it("J6: a command with a good cache reads no event that the cache has seen", async () => {
    const run = await RunOnDisk.halfway();
    for (const seq of [2, 3, 4, 5, 6, 7]) fs.writeFileSync(run.event(seq), "unreadable");
    const { summary } = await RunJournal.open(run.ports(), RUN_ID);
    expect(summary.head.seq).toBe(8);
    await postFor(run.ports(), "whole:1");
    expect(run.names()).toHaveLength(9);
  });
});

/** The same run made again a little later, so that all its events are others. */
async function remade(run: RunOnDisk): Promise<RunOnDisk> {
  const again = await RunOnDisk.halfway();
  const file = again.event(5);
  fs.rmSync(again.path("state"), { recursive: true });
  for (const seq of [8, 7, 6, 5]) fs.unlinkSync(again.event(seq));
  expect(fs.existsSync(file)).toBe(false);
  const later = { now: () => new Date("2026-03-01T00:00:00.000Z") };
  for (const key of ["part-1:1", "part-2:1"]) await postAt(again, key, later);
  await iterateOnce(again.ports(later));
  expect(again.event(6)).not.toBe(run.event(6).replace(run.dir, again.dir));
  return again;
}

async function postAt(run: RunOnDisk, key: string, clock: { now(): Date }): Promise<void> {
  await postFor(run.ports(clock), key, SMALL_ANSWERS);
}

describe("readable copies", () => {
  it.each([
    ["copies of a pending effect", /^(task|inputs)\.json$/, "whole:1"],
    ["copies of an effect that has its result", /^result\.json$/, "part-1:1"],
  ])("C2: %s that a crash has left out are made again", async (_what, names, key) => {
    const run = await RunOnDisk.halfway();
    const events = (await run.ports().store.read(RUN_ID, undefined)) ?? [];
    const effectId = events.find(({ invocationKey }) => invocationKey === key)?.effectId as string;
    const copies = (): string[] => fs.readdirSync(run.path("tasks", effectId)).filter((name) => names.test(name));
    const before = copies();
    expect(before.length).toBeGreaterThan(0);
    fs.rmSync(run.path("tasks"), { recursive: true });
    await iterateOnce(run.ports());
    expect(fs.readdirSync(run.path("tasks"))).toContain(effectId);
    expect(copies()).toEqual(before);
  });

  it("C2: a torn task.json of a pending effect is made again", async () => {
    const run = await RunOnDisk.halfway();
    const [action] = (await iterateOnce(run.ports())).nextActions;
    const file = run.path("tasks", action?.effectId as string, "task.json");
    const good = fs.readFileSync(file, "utf8");
    fs.truncateSync(file, good.length >> 1);
    await iterateOnce(run.ports());
    expect(fs.readFileSync(file, "utf8")).toBe(good);
  });
});
