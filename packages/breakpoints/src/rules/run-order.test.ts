import { describe, expect, it } from "vitest";
import type { Lane } from "../wire/run-wire.js";
import { boardOf, type FoundRun } from "./run-order.js";
import { parseRunQuery } from "./run-query.js";

const NOW = Date.UTC(2026, 10, 17, 12);
const HOUR = 3_600_000;

function run(id: string, lane: Lane, hours: number, failed = false): FoundRun {
  return { id, lane, since: NOW - hours * HOUR, failed };
}

function board(
  found: FoundRun[],
  { limit = 50, after, now = NOW }: { limit?: number; after?: string; now?: number } = {},
) {
  const query = parseRunQuery(after === undefined ? {} : { after });
  return boardOf(found, { after: query.after, limit, now });
}

describe("the order of the board", () => {
  it("the lanes one after the other, the newest first; what has failed of late leads those that are done", () => {
    const found = [
      run("old-failure", "done", 30, true),
      run("good", "done", 1),
      run("failure", "done", 20, true),
      run("newer-failure", "done", 2, true),
      run("stalled", "stalled", 1),
      run("asks", "you", 5),
      run("asks-now", "you", 0),
      run("works", "working", 1),
      run("sleeps", "waiting", 1),
    ];
    expect(board(found)).toEqual({
      ids: ["asks-now", "asks", "works", "stalled", "sleeps", "newer-failure", "failure", "good", "old-failure"],
      next: null,
      counts: { you: 2, working: 1, stalled: 1, waiting: 1, done: 4 },
      failed: 3,
    });
  });

  it("pages show each run that is done once, and the other lanes only at first", () => {
    const done = Array.from({ length: 25 }, (_, n) =>
      run(`r${String(n).padStart(2, "0")}`, "done", n % 7, n % 5 === 0),
    );
    const found = [...done, run("asks", "you", 1)];
    const all = board(found).ids;
    expect([all.length, all[0]]).toEqual([26, "asks"]);
    const paged: string[] = [];
    let after: string | undefined;
    do {
      // Time goes on while somebody turns pages.
      const page = board(found, {
        limit: 4,
        now: NOW + paged.length * HOUR,
        ...(after === undefined ? {} : { after }),
      });
      paged.push(...page.ids);
      expect(page).toMatchObject({ counts: { you: 1, done: 25 }, failed: 5 });
      after = page.next ?? undefined;
    } while (after !== undefined);
    expect(paged).toEqual(all);
  });

  it("of very many in a lane some are shown, and all are counted", () => {
    const { ids, counts } = board(Array.from({ length: 300 }, (_, n) => run(`r${n}`, "stalled", n)));
    expect([ids.length, ids[0], counts.stalled]).toEqual([200, "r0", 300]);
  });
});
