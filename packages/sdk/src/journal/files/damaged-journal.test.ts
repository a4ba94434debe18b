import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { errorOf, RunOnDisk, serious, snapshotOf, tamper } from "../../../../../tests/fixtures/journal/run-on-disk.js";
import {
  expectedOutput,
  finish,
  iterateOnce,
  postFor,
  RUN_ID,
} from "../../../../../tests/fixtures/journal/small-run.js";
import type { JournalReport } from "../../model/upkeep.js";
import { postResult } from "../../runs/post-result.js";
import { RunJournal } from "../../runs/run-journal.js";

const OTHER_ULID = "01ARZ3NDEKTSV4RRFFQ69G5FAV";
interface Damage {
  what: string;
  do: (run: RunOnDisk) => void;
  /** Start of the name of the file that an error has to name. */
  names: string;
  says: RegExp;
  /** Events that are still good. */
  good: number;
}

/** Rows for it.each whose first column is the title. */
function titled<T extends { what: string }>(rows: T[]): [string, T][] {
  return rows.map((row) => [row.what, row]);
}

const copyOf = (file: string, seq: number): string =>
  path.join(path.dirname(file), `${String(seq).padStart(6, "0")}.${OTHER_ULID}.json`);

function swap(one: string, other: string): void {
  const aside = `${one}.aside`;
  fs.renameSync(one, aside);
  fs.renameSync(other, one);
  fs.renameSync(aside, other);
}

const DAMAGES: Damage[] = [
  {
    what: "a torn event",
    do: (run) => fs.truncateSync(run.event(5), 40),
    names: "journal/000005.",
    says: /not valid JSON/,
    good: 4,
  },
  {
    what: "an empty event",
    do: (run) => fs.truncateSync(run.event(5), 0),
    names: "journal/000005.",
    says: /empty/,
    good: 4,
  },
  {
    what: "other JSON in place of an event",
    do: (run) => fs.writeFileSync(run.event(5), '{"hello": "world"}'),
    names: "journal/000005.",
    says: /seq must be number/,
    good: 4,
  },
  {
    what: "an event with another payload",
    do: (run) => tamper(run.event(5), { resealed: false }),
    names: "journal/000005.",
    says: /does not match its checksum/,
    good: 4,
  },
  {
    what: "an event with another payload and the checksum to it",
    do: (run) => tamper(run.event(5), { resealed: true }),
    names: "journal/000006.",
    says: /event 6, which it builds on/,
    good: 5,
  },
  {
    what: "an event with another payload and the checksum to it, before the last batch",
    do: (run) => tamper(run.event(6), { resealed: true }),
    names: "journal/000007.",
    says: /event 7, which it builds on/,
    good: 6,
  },
  {
    what: "a result that has vanished from the middle",
    do: (run) => fs.unlinkSync(run.event(5)),
    names: "journal/000006.",
    says: /event 5, which it builds on/,
    good: 4,
  },
  {
    what: "a result that has vanished from before the last batch",
    do: (run) => fs.unlinkSync(run.event(6)),
    names: "journal/000007.",
    says: /event 6, which it builds on/,
    good: 5,
  },
  {
    what: "two events under each other's names",
    do: (run) => swap(run.event(5), run.event(6)),
    names: "journal/000005.",
    says: /belongs at position 6/,
    good: 4,
  },
  {
    what: "the last event once more, as if it were the next",
    do: (run) => fs.copyFileSync(run.event(8), copyOf(run.event(8), 9)),
    names: "journal/000009.",
    says: /event 9, which it builds on/,
    good: 8,
  },
];

describe("damage inside a journal", () => {
  it.each(titled(DAMAGES))(
    "C21: %s is reported with its file and the way out",
    async (_, { do: damage, names, says, good }) => {
      const run = await RunOnDisk.halfway();
      damage(run);
      run.dropCaches();
      const error = await errorOf(() => RunJournal.open(run.ports(), RUN_ID));
      expect(error.code).toBe("JOURNAL_BROKEN");
      expect(error.message).toContain(names);
      expect(error.message).toMatch(says);
      expect(error.hint).toBe(
        `Restore the file from version control or a backup. To list everything that is wrong: babysitter run:check ${RUN_ID}`,
      );
      const report = await run.ports().upkeep.check(RUN_ID);
      expect(report.events).toBe(good);
      const [first] = serious(report.findings);
      expect(first?.file).toContain(names);
      expect(`${first?.file}: ${first?.problem}`).toMatch(says);
    },
  );

  it.each(titled(DAMAGES))(
    "C21: %s is found by a check although the caches are good",
    async (_, { do: damage, good }) => {
      const run = await RunOnDisk.halfway();
      damage(run);
      const report = await run.ports().upkeep.check(RUN_ID);
      expect(serious(report.findings)).not.toEqual([]);
      expect(report.events).toBe(good);
    },
  );

  it.each(titled(DAMAGES))(
    "C21 J4: %s is repaired, nothing is thrown away, the run goes on",
    async (_, { do: damage, good }) => {
      const run = await RunOnDisk.halfway();
      damage(run);
      const before = snapshotOf(run.path("journal"));
      const dry = await run.ports().upkeep.repair(RUN_ID, { dryRun: true, stamp: "dry" });
      expect(snapshotOf(run.path("journal"))).toEqual(before);
      const repaired = await run.ports().upkeep.repair(RUN_ID, { dryRun: false, stamp: "one" });
      expect(repaired.moved).toEqual(dry.moved);
      expect(repaired.events).toBe(good);
      expect(snapshotOf(run.path(repaired.backup as string, "journal"))).toEqual(before);
      await expectToGoOn(run);
    },
  );
});

/** The run is clean, can be completed, and is clean then. */
async function expectToGoOn(run: RunOnDisk): Promise<void> {
  expect((await run.ports().upkeep.check(RUN_ID)).findings).toEqual([]);
  const end = await finish(run.ports());
  expect(end.status).toBe("completed");
  const { parts } = end.output as { parts: unknown[] };
  expect(parts).toHaveLength(2);
  expect((await run.ports().upkeep.check(RUN_ID)).findings).toEqual([]);
}

async function check(run: RunOnDisk): Promise<JournalReport> {
  return run.ports().upkeep.check(RUN_ID);
}

const HARMLESS: { what: string; do: (run: RunOnDisk) => void; file: RegExp }[] = [
  {
    what: "a second copy of an event under another name",
    do: (run) => fs.copyFileSync(run.event(5), copyOf(run.event(5), 5)),
    file: new RegExp(`journal/000005.${OTHER_ULID}`),
  },
  {
    what: "a file that a desktop left",
    do: (run) => fs.writeFileSync(run.path("journal", ".DS_Store"), "desktop"),
    file: /\.DS_Store/,
  },
  {
    what: "a file that an editor left",
    do: (run) => fs.writeFileSync(`${run.event(5)}.tmp`, "half"),
    file: /\.tmp/,
  },
  { what: "a folder", do: (run) => fs.mkdirSync(run.path("journal", ".idea")), file: /\.idea/ },
];

describe("files that do not belong in a journal", () => {
  it.each(titled(HARMLESS))("C21 J4: %s disturbs nobody", async (_, { do: add, file }) => {
    const run = await RunOnDisk.halfway();
    add(run);
    run.dropCaches();
    const { findings, events } = await check(run);
    expect(events).toBe(8);
    expect(findings).toHaveLength(1);
    expect(findings[0]).toMatchObject({ file: expect.stringMatching(file) as string, harmless: true });
    expect((await finish(run.ports())).output).toEqual(expectedOutput(2));
  });

  it.each(titled(HARMLESS))("C21: %s is put aside by a repair", async (_, { do: add }) => {
    const run = await RunOnDisk.halfway();
    add(run);
    const strange = run.names().length;
    const { backup, moved } = await run.ports().upkeep.repair(RUN_ID, { dryRun: false, stamp: "one" });
    expect(moved).toHaveLength(1);
    expect(fs.readdirSync(run.path(backup as string, "journal"))).toHaveLength(strange);
    await expectToGoOn(run);
  });
});

describe("the first event", () => {
  it.each([
    ["torn", (file: string) => fs.truncateSync(file, 30), /journal\/000001\..*not valid JSON/],
    ["empty", (file: string) => fs.truncateSync(file, 0), /journal\/000001\..*empty/],
    ["other JSON", (file: string) => fs.writeFileSync(file, '{"a":1}'), /journal\/000001\./],
    ["gone", (file: string) => fs.unlinkSync(file), /first event is missing/],
  ])(
    "C21: %s is reported as damage of our own run, and a repair says that it cannot help",
    async (_what, damage, says) => {
      const run = await RunOnDisk.halfway();
      damage(run.event(1));
      run.dropCaches();
      const before = snapshotOf(run.dir);
      const error = await errorOf(() => RunJournal.open(run.ports(), RUN_ID));
      expect([error.code, error.message]).toEqual(["JOURNAL_BROKEN", expect.stringMatching(says)]);
      expect(error.hint).toMatch(/backup/);
      expect(serious((await check(run)).findings)).not.toEqual([]);
      const refusal = await errorOf(() => run.ports().upkeep.repair(RUN_ID, { dryRun: false, stamp: "one" }));
      expect(refusal.code).toBe("JOURNAL_BROKEN");
      expect(refusal.hint).toMatch(/backup/);
      expect(snapshotOf(run.dir)).toEqual(before);
    },
  );

  it.each([
    ["a copy of it under another name", async (run: RunOnDisk) => run.event(1)],
    ["the first event of another run", async () => (await RunOnDisk.halfway()).event(1)],
  ])("C21: beside %s is reported, and a repair keeps the one that has the chain", async (_what, source) => {
    const run = await RunOnDisk.halfway();
    const first = run.event(1);
    fs.copyFileSync(await source(run), copyOf(first, 1));
    run.dropCaches();
    expect(serious((await check(run)).findings)).not.toEqual([]);
    const error = await errorOf(() => RunJournal.open(run.ports(), RUN_ID));
    expect(error.message).toMatch(/more than one first event/);
    const { events, moved } = await run.ports().upkeep.repair(RUN_ID, { dryRun: false, stamp: "one" });
    expect(events).toBe(8);
    expect(moved.map(({ file }) => file)).toEqual([`journal/000001.${OTHER_ULID}.json`]);
    expect(fs.existsSync(first)).toBe(true);
    await expectToGoOn(run);
  });
});

describe("what a journal cannot show by itself", () => {
  it("C4 J4: a run continues after losing its last event", async () => {
    for (const caches of ["kept", "dropped"]) {
      const run = await RunOnDisk.halfway();
      fs.unlinkSync(run.event(8));
      if (caches === "dropped") run.dropCaches();
      expect((await finish(run.ports())).output).toEqual(expectedOutput(2));
      expect((await check(run)).findings).toEqual([]);
    }
  });

  it("C21: a result that was recorded on a branch which the chain did not take is reported, not called harmless", async () => {
    const run = await RunOnDisk.halfway();
    const other = await RunOnDisk.halfway();
    fs.cpSync(run.dir, other.dir, { recursive: true, force: true });
    for (const name of other.names()) if (!run.names().includes(name)) fs.unlinkSync(other.path("journal", name));
    for (const each of [run, other]) fs.unlinkSync(each.event(8));
    for (const each of [run, other]) fs.unlinkSync(each.event(7));
    for (const each of [run, other]) each.dropCaches();
    // Both copies of the run go on by themselves; the result of one is then lost to the other.
    await iterateOnce(run.ports());
    await iterateOnce(other.ports({ now: () => new Date("2026-02-01T00:00:00.000Z") }));
    await postFor(run.ports(), "whole:1");
    await postFor(other.ports(), "whole:1", () => "the answer of the other copy");
    for (const name of other.names()) {
      if (!fs.existsSync(run.path("journal", name)))
        fs.copyFileSync(other.path("journal", name), run.path("journal", name));
    }
    run.dropCaches();
    const found = (await check(run)).findings.filter(({ file }) => file.startsWith("journal/000009"));
    expect(found).toHaveLength(1);
    expect(found[0]?.harmless).toBe(false);
  });

  it("C21: the folder of the journal is gone: a coded error, not a defect of ours", async () => {
    const run = await RunOnDisk.halfway();
    fs.rmSync(run.path("journal"), { recursive: true });
    for (const work of [
      () => RunJournal.open(run.ports(), RUN_ID),
      () => run.ports().upkeep.check(RUN_ID),
      () => run.ports().upkeep.repair(RUN_ID, { dryRun: false, stamp: "one" }),
    ])
      expect((await errorOf(work)).code).toMatch(/JOURNAL_BROKEN|RUN_NOT_FOUND/);
  });

  it("C21: a run that someone is about to delete, file by file, is not there", async () => {
    const run = await RunOnDisk.halfway();
    const journal = await RunJournal.open(run.ports(), RUN_ID);
    fs.unlinkSync(run.path("journal", run.names().at(-1) as string));
    const refused = errorOf(() => journal.catchUp());
    fs.rmSync(run.path("."), { recursive: true });
    expect((await refused).code).toBe("RUN_NOT_FOUND");
  });

  it("C21: a run of which only an event is left that was written meanwhile is not there", async () => {
    const run = await RunOnDisk.halfway();
    const journal = await RunJournal.open(run.ports(), RUN_ID);
    for (const name of run.names().toSpliced(-2, 1)) fs.unlinkSync(run.path("journal", name));
    fs.unlinkSync(run.path("run.json"));
    expect((await errorOf(() => journal.catchUp())).code).toBe("RUN_NOT_FOUND");
  });
});

describe("metadata that looks like a reference", () => {
  it("C17 C21: a blob in posted metadata is not damage", async () => {
    const run = await RunOnDisk.halfway();
    const journal = await RunJournal.open(run.ports(), RUN_ID);
    const [pending] = Object.values(journal.summary.pending);
    const metadata = { blob: "report.pdf" };
    await postResult(journal, { effectId: pending?.effectId as string, result: { status: "ok", value: 1, metadata } });
    expect((await check(run)).findings).toEqual([]);
  });

  it("C17: large metadata with a field called value is recorded as it was given", async () => {
    const run = await RunOnDisk.halfway();
    const journal = await RunJournal.open(run.ports(), RUN_ID);
    const [pending] = Object.values(journal.summary.pending);
    const metadata = { value: "x".repeat(70_000) };
    await postResult(journal, { effectId: pending?.effectId as string, result: { status: "ok", value: 1, metadata } });
    expect(run.readEvent(9).payload).toMatchObject({ metadata });
  });
});
