import { describe, expect, it } from "vitest";
import { tempDir } from "../../../../tests/fixtures/temp-dir.js";
import { fileStorage } from "../journal/files/file-storage.js";
import { type JournalFs, nodeFs } from "../journal/files/journal-fs.js";
import { sealBehind } from "../journal/rules/chain.js";
import type { JournalEvent } from "../model/events.js";
import { parseRunId } from "../model/ids.js";
import type { Ports } from "../model/ports.js";
import { begin, note } from "../testing/contract-checks.js";
import { listEvents } from "./list-events.js";
import { RunJournal } from "./run-journal.js";

const RUN = parseRunId("long");
const LENGTH = 420;

interface LongRun {
  events: JournalEvent[];
  /** The journal as the next command opens it, and what that reads from now on. */
  reopened(): Promise<{ journal: RunJournal; files: () => number; listings: () => number }>;
}

/** A run of many events, the 100th of another type than the others. */
async function longRun(): Promise<LongRun> {
  const runsDir = tempDir();
  const { store } = fileStorage({ runsDir, durability: "relaxed" });
  const first = await begin(store, RUN);
  const drafts = Array.from({ length: LENGTH - 1 }, (_, index) =>
    index === 98
      ? { type: "RUN_CANCELLED" as const, timestamp: "2026-01-02T00:00:00.000Z", payload: { reason: "enough" } }
      : note(String(index)),
  );
  const events = [first, ...sealBehind(first, drafts)];
  await store.append(RUN, events.slice(1));
  await RunJournal.open(portsOn(runsDir, nodeFs), RUN);
  return {
    events,
    reopened: async () => {
      let [files, listings] = [0, 0];
      const counting: JournalFs = {
        ...nodeFs,
        readText: (file, largest) => {
          files += 1;
          return nodeFs.readText(file, largest);
        },
        readdirSync: (dir) => {
          listings += 1;
          return nodeFs.readdirSync(dir);
        },
      };
      const journal = await RunJournal.open(portsOn(runsDir, counting), RUN);
      [files, listings] = [0, 0];
      return { journal, files: () => files, listings: () => listings };
    },
  };
}

/** As much of the ports as looking at events needs. */
function portsOn(runsDir: string, fs: JournalFs): Ports {
  return fileStorage({ runsDir, durability: "relaxed", fs }) as unknown as Ports;
}

describe("a few events of a long journal", () => {
  it("J6: the last ones are read without listing the journal", async () => {
    const run = await longRun();
    const { journal, files, listings } = await run.reopened();
    const last = await listEvents(journal, { limit: 5, reverse: true });
    expect(last).toEqual(run.events.slice(-5).toReversed());
    expect(listings()).toBe(0);
    expect(files()).toBeLessThan(200);
  });

  it("J6: of those further back and of the first ones, only the files that are asked for are read", async () => {
    const run = await longRun();
    const back = await run.reopened();
    expect(await listEvents(back.journal, { limit: 200, reverse: true })).toEqual(run.events.slice(-200).toReversed());
    expect(back.listings()).toBe(1);
    expect(back.files()).toBeLessThan(300);
    const first = await run.reopened();
    expect(await listEvents(first.journal, { limit: 5, reverse: false })).toEqual(run.events.slice(0, 5));
    expect(first.files()).toBeLessThan(10);
  });

  it("pages follow one another in both directions, and have every event once", async () => {
    const run = await longRun();
    const { events } = run;
    const { journal } = await run.reopened();
    const forward: JournalEvent[] = [];
    for (let page = await listEvents(journal, { reverse: false, limit: 100 }); page.length > 0; ) {
      forward.push(...page);
      page = await listEvents(journal, { reverse: false, limit: 100, after: page.at(-1)?.seq });
    }
    expect(forward).toEqual(events);
    const backward: JournalEvent[] = [];
    for (let page = await listEvents(journal, { reverse: true, limit: 64 }); page.length > 0; ) {
      backward.push(...page);
      page = await listEvents(journal, { reverse: true, limit: 64, before: page.at(-1)?.seq });
    }
    expect(backward).toEqual(events.toReversed());
    const between = { reverse: false, after: 97, before: 101 };
    expect((await listEvents(journal, between)).map(({ seq }) => seq)).toEqual([98, 99, 100]);
    expect((await listEvents(journal, { ...between, reverse: true })).map(({ seq }) => seq)).toEqual([100, 99, 98]);
    expect(await listEvents(journal, { ...between, limit: 5, type: "RUN_CANCELLED" })).toMatchObject([{ seq: 100 }]);
  });

  it("J6: what has come since is read without what was there before", async () => {
    const run = await longRun();
    const { journal, files } = await run.reopened();
    await listEvents(journal, { reverse: false, limit: 100, after: LENGTH - 3 });
    expect(files()).toBeLessThan(LENGTH / 2);
  });

  it("any limit and any type give what reading everything gives", async () => {
    const run = await longRun();
    const { journal } = await run.reopened();
    for (const reverse of [true, false]) {
      const all = reverse ? run.events.toReversed() : run.events;
      for (const limit of [0, 1, 64, 101, LENGTH + 1])
        expect(await listEvents(journal, { limit, reverse })).toEqual(all.slice(0, limit));
      expect(await listEvents(journal, { reverse })).toEqual(all);
      for (const type of ["RUN_CANCELLED", "run_created", "NO_SUCH"]) {
        const wanted = all.filter((event) => event.type === type.toUpperCase());
        expect(await listEvents(journal, { limit: 3, reverse, type })).toEqual(wanted.slice(0, 3));
      }
    }
  });
});
