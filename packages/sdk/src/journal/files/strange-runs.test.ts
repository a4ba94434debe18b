import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { errorOf, RunOnDisk, serious, snapshotOf } from "../../../../../tests/fixtures/journal/run-on-disk.js";
import {
  createSmallRun,
  expectedOutput,
  finish,
  iterateOnce,
  postFor,
  RUN_ID,
  TickingClock,
} from "../../../../../tests/fixtures/journal/small-run.js";
import { HOW_TO_UPDATE } from "../../model/version.js";
import { describeRun } from "../../runs/describe-run.js";
import { listEvents } from "../../runs/list-events.js";
import { RunJournal } from "../../runs/run-journal.js";

const NEWER: [string, object][] = [
  ["an event of a newer format", { format: 2, type: "EFFECT_RESOLVED", payload: { shape: "unknown" } }],
  ["an event of an unknown type", { type: "RUN_TELEPORTED", payload: { to: "elsewhere" } }],
];

describe("a journal that a newer version has written", () => {
  it.each(NEWER)("C3: %s can be read", async (_what, fields) => {
    const run = await RunOnDisk.halfway();
    run.forge(8, fields);
    for (const caches of ["kept", "dropped"]) {
      if (caches === "dropped") run.dropCaches();
      const journal = await RunJournal.open(run.ports(), RUN_ID);
      expect(await describeRun(journal)).toMatchObject({ state: "waiting", metadata: { stateVersion: 9 } });
      const events = await listEvents(journal, { reverse: false });
      expect(events).toHaveLength(9);
      expect(events[8]).toMatchObject({ ...fields, writer: "9.9.9" });
      expect((await run.ports().upkeep.check(RUN_ID)).findings).toEqual([]);
    }
  });

  it.each(NEWER)("C3: behind %s nothing is written", async (_what, fields) => {
    const run = await RunOnDisk.halfway();
    run.forge(8, fields);
    const before = snapshotOf(run.path("journal"));
    const refused = await errorOf(() => postFor(run.ports(), "whole:1"));
    expect(refused.code).toBe("ENGINE_TOO_OLD");
    expect(refused.message).toContain("9.9.9");
    expect(refused.hint).toContain(HOW_TO_UPDATE);
    expect(snapshotOf(run.path("journal"))).toEqual(before);
  });

  it("C3: a process does not advance past an event that this version does not understand", async () => {
    const run = await RunOnDisk.halfway();
    await postFor(run.ports(), "whole:1");
    run.forge(9, { type: "RUN_TELEPORTED", payload: {} });
    const before = snapshotOf(run.path("journal"));
    expect((await errorOf(() => iterateOnce(run.ports()))).code).toBe("ENGINE_TOO_OLD");
    expect(snapshotOf(run.path("journal"))).toEqual(before);
  });
});

describe("clocks", () => {
  it("J5: an hour back between events changes nothing about their order", async () => {
    const run = new RunOnDisk();
    const clock = new TickingClock(12);
    const back = (): void => clock.move(-3_600_000);
    await createSmallRun(run.ports(clock), 2);
    back();
    await iterateOnce(run.ports(clock));
    back();
    await postFor(run.ports(clock), "part-2:1");
    back();
    await postFor(run.ports(clock), "part-1:1");
    back();
    run.dropCaches();
    expect((await finish(run.ports(clock))).output).toEqual(expectedOutput(2));
    run.dropCaches();
    const events = (await run.ports().store.read(RUN_ID, undefined)) ?? [];
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
    const times = events.map(({ timestamp }) => timestamp);
    expect(times).not.toEqual(times.toSorted());
    const ids = events.map(({ id }) => id);
    expect(ids).not.toEqual(ids.toSorted());
    const resolved = events.filter(({ type }) => type === "EFFECT_RESOLVED");
    expect(resolved.map(({ invocationKey }) => invocationKey).slice(0, 2)).toEqual(["part-2:1", "part-1:1"]);
    expect((await run.ports().upkeep.check(RUN_ID)).findings).toEqual([]);
  });

  it.each(["1969-12-31T23:59:59.999Z", "2999-01-01T00:00:00.000Z"])("J5: a clock that stands at %s", async (time) => {
    const run = new RunOnDisk();
    const clock = { now: () => new Date(time) };
    await createSmallRun(run.ports(clock), 2);
    expect((await finish(run.ports(clock))).output).toEqual(expectedOutput(2));
    expect((await run.ports().upkeep.check(RUN_ID)).findings).toEqual([]);
  });
});

describe("leftovers of dead processes", () => {
  it("J4: temporary files are in nobody's way", async () => {
    const run = await RunOnDisk.halfway();
    fs.mkdirSync(run.path("state", "tmp"), { recursive: true });
    for (const name of ["event-1-1-abc", "blob-1-2-abc", "cache-1-3-abc"])
      fs.writeFileSync(run.path("state", "tmp", name), "half");
    expect((await finish(run.ports())).output).toEqual(expectedOutput(2));
    expect((await run.ports().upkeep.check(RUN_ID)).findings).toEqual([]);
  });

  it("J4: a run that was never finished being made is not listed and does not hinder making it", async () => {
    const run = new RunOnDisk();
    fs.mkdirSync(path.join(run.runsDir, `.creating-${RUN_ID}-1-1-abc`, "journal"), { recursive: true });
    expect(await run.ports().store.list()).toEqual([]);
    await createSmallRun(run.ports(), 2);
    expect((await run.ports().store.list()).map(({ runId }) => runId)).toEqual([RUN_ID]);
    expect((await finish(run.ports())).output).toEqual(expectedOutput(2));
  });
});

function foreign(): RunOnDisk {
  const run = new RunOnDisk();
  fs.mkdirSync(run.path("journal"), { recursive: true });
  fs.writeFileSync(run.path("run.json"), JSON.stringify({ runId: RUN_ID, processId: "theirs", layoutVersion: 1 }));
  fs.writeFileSync(
    run.path("journal", "000001.01ARZ3NDEKTSV4RRFFQ69G5FAV.json"),
    JSON.stringify({ type: "RUN_CREATED", recordedAt: "2026-01-01T00:00:00.000Z", data: {}, checksum: "abc" }),
  );
  return run;
}

describe("a run directory that another tool has made", () => {
  it("C21: is listed as foreign", async () => {
    const run = foreign();
    expect(await run.ports().store.list()).toEqual([{ runId: RUN_ID, foreign: true }]);
  });

  it("C21: is refused by every use and left as it is", async () => {
    const run = foreign();
    const before = snapshotOf(run.runsDir);
    for (const work of [
      () => RunJournal.open(run.ports(), RUN_ID),
      () => iterateOnce(run.ports()),
      () => postFor(run.ports(), "part-1:1"),
      () => run.ports().upkeep.check(RUN_ID),
      () => run.ports().upkeep.repair(RUN_ID, { dryRun: false, stamp: "one" }),
    ])
      expect((await errorOf(work)).code).toBe("FOREIGN_RUN");
    expect((await errorOf(() => createSmallRun(run.ports(), 2))).code).toBe("RUN_EXISTS");
    expect(snapshotOf(run.runsDir)).toEqual(before);
    expect(fs.readdirSync(run.runsDir)).toEqual([RUN_ID]);
  });
});

describe("large values", () => {
  it.each([
    ["gone", (file: string) => fs.unlinkSync(file), /is missing/],
    ["changed", (file: string) => fs.appendFileSync(file, " "), /does not match/],
    ["torn", (file: string) => fs.truncateSync(file, 1_000), /does not match/],
  ])("C6 C21: a stored value that is %s is reported with its file", async (_what, damage, says) => {
    const run = await RunOnDisk.halfway();
    await postFor(run.ports(), "whole:1", () => "x".repeat(100_000));
    const [name] = fs.readdirSync(run.path("blobs"));
    damage(run.path("blobs", name as string));
    const [finding] = serious((await run.ports().upkeep.check(RUN_ID)).findings);
    expect(finding?.file).toBe(`blobs/${name}`);
    expect(finding?.problem).toMatch(says);
    const error = await errorOf(() => iterateOnce(run.ports()));
    expect(error.code).toBe("JOURNAL_BROKEN");
    expect(error.message).toContain(`blobs/${name}`);
    expect(error.hint).toMatch(/backup/);
  });
});

describe("a run whose state folder is a file", () => {
  it("refuses what a driver appends, with an error that says why", async () => {
    const run = await RunOnDisk.halfway();
    run.dropCaches();
    fs.rmSync(run.path("state"), { recursive: true, force: true });
    fs.writeFileSync(run.path("state"), "");
    const { store } = run.ports();
    expect(await errorOf(() => store.append(RUN_ID, [], { fence: 1 }))).toMatchObject({
      code: "JOURNAL_BROKEN",
      message: expect.stringContaining("state is damaged: it is not a folder") as string,
    });
  });
});

it("C21: below something that is no folder, what is to be done about that is said", async () => {
  const run = new RunOnDisk();
  fs.mkdirSync(path.dirname(run.runsDir), { recursive: true });
  fs.writeFileSync(run.runsDir, "");
  const { code, hint } = await errorOf(() => createSmallRun(run.ports(), 1));
  expect([code, hint]).toEqual(["JOURNAL_UNWRITABLE", expect.stringMatching(/Put a folder there.*RUNS_DIR/)]);
});
