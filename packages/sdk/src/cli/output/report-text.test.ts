import { describe, expect, it } from "vitest";
import { HOSTILE, problemsIn } from "../../../../../tests/fixtures/hostile-text.js";
import { InventedNight, type InventedRun, minute } from "../../../../../tests/fixtures/runs/invented-night.js";
import { MORNING, QUIET_NIGHT, UGLY_NIGHT } from "../../../../../tests/fixtures/runs/nights.js";
import type { Report } from "../../model/report.js";
import { reportLines } from "../../model/report-lines.js";
import { makePaint } from "./paint.js";
import { renderReport } from "./report-text.js";

const DAY = 24 * 60;

async function reported(runs: readonly InventedRun[]): Promise<Report> {
  return (await InventedNight.of(runs)).report(MORNING - DAY, MORNING);
}

/** Without the time, which is that of the machine that reads. */
function shown(report: Report): string {
  const text = renderReport(report, { now: minute(MORNING), paint: makePaint(false, {}) });
  return text.replace(/(?<=ince )\S+ [\d:]+(?=:)/u, "<time>");
}

describe("the report in a terminal", () => {
  it("B9: an ugly night: what failed first, each cause once, decisions last", async () => {
    expect(shown(await reported(UGLY_NIGHT))).toMatchInlineSnapshot(`
      "Since <time>: 15 runs.
      5 failed, 1 blocked, 3 waiting for you, 1 open,
        4 finished (1 verified, 2 proof, 1 claim), 1 cancelled

      failed and blocked
        build-tue-4   5 h ago     "Check the types" exited with 1: Found 1 error in s…
          same cause in 3 more runs: build-tue-3, build-tue-2, build-tue-1
          last lines of "Check the types":
          | src/orders/status.ts:4:11 - checking 214 files
          | src/orders/status.ts:9:24 - error TS2304: Cannot find name 'fromLegacy'.
          | API_TOKEN=[hidden]
          | Found 1 error in src/orders/status.ts:9
        backup        6 h ago     connect ECONNREFUSED 127.0.0.1:5432
        deploy        6 h ago     its code no longer matches its journal

      waiting for you
        migrate       7 h ago     Migration 0042: Drop the column orders.legacy_statu…
        search-cache  6 h ago     paused: Budget reached ($4.00 of $4…  at least $4.00
        release       2 h ago     Publish 2.4.0 to the registry?

      open
        indexer       37 min ago  nobody drives it

      finished
        import-1      10 h ago    proof     import
        docs          6 h ago     claim     Bring the reference up to date  $0.77
        flaky-tests   4 h ago     verified  Find out why checkout.spec.ts fail…  $0.38
        newsletter    4 h ago     proof     newsletter  cost not known

      cancelled
        old-idea      3 h ago     Serve the docs from the cache: superseded by release

      cost              at least $5.16, 367,000 tokens; unknown: 3 runs (1 turn)
      waited for you    14 h over all runs, 6 h 30 min without overlaps
      failed attempts   5
      failed turns      1
      contract changes  docs: limit iterations: 50 → 80 (ann)

      turns that failed with a host error:
        docs  1  6 h  rate_limit: Overloaded

      vs. the 24 hours before: failed 5 (was 1), blocked 1 (was 0), waiting for you 3
        (was 0), finished 4 (was 1), by claim only 1 (was 0), cost at least $5.16 (was
        none), waited 14 h (was none)
        broken     build-tue-4: proof in build-mon, now failed
        recovered  import-1: failed, now proof

      next:
        babysitter breakpoint:show effect-migrate-0
          Migration 0042: Drop the column orders.legacy_status?
        babysitter breakpoint:show effect-release-0
          Publish 2.4.0 to the registry?
        babysitter run:status build-tue-4
          "Check the types" exited with 1: Found 1 error in src/orders/status.ts:9
          (and 3 more)
        babysitter run:status backup
          connect ECONNREFUSED 127.0.0.1:5432
        babysitter run:status deploy
          its code no longer matches its journal
        … and 3 more; use --json to see all"
    `);
  });

  it("B9: a wide terminal has room for whole goals, and names of any length keep the columns apart", async () => {
    const goal = "Move the orders of all customers to the new schema, and prove that none is lost";
    const name = "run-20261119-015732-move-the-orders-f0814f";
    const night: InventedRun[] = ["b", name].map((run) => ({
      name: run,
      at: 10,
      goal,
      happens: [{ what: "end", by: "proof" }],
    }));
    const report = await reported(night);
    const textOf = (columns: number): string =>
      renderReport(report, { now: minute(MORNING), paint: makePaint(false, {}), columns });
    expect(textOf(80)).not.toContain(goal);
    expect(textOf(200)).toContain(goal);
    const narrow = textOf(80).split("\n");
    const rows = narrow.filter((row) => row.includes(" ago"));
    expect([rows.length, new Set(rows.map((row) => row.indexOf(" ago"))).size]).toEqual([2, 1]);
    expect(narrow.filter((row) => row.length > 80)).toEqual([]);
  });

  it("B9: the milliseconds that making a report takes make its 24 hours no day", async () => {
    const report = await reported(UGLY_NIGHT);
    const since = new Date(Date.parse(report.against.since) - 3).toISOString();
    expect(shown({ ...report, against: { ...report.against, since } })).toBe(shown(report));
  });

  it("B9: a quiet night says so in one line", async () => {
    expect(shown(await reported(QUIET_NIGHT))).toMatchInlineSnapshot(`
      "Since <time>: 1 finished (proof).

      finished
        build-tue  7 h ago     proof  nightly-build"
    `);
  });

  it("B9: a night without runs is one line", async () => {
    expect(shown(await reported([]))).toBe("Since <time>: nothing happened.");
  });

  it("B9: what is a claim, and what nobody knows the cost of, is never told as more", async () => {
    const report = await reported([
      {
        name: "a",
        at: 10,
        goal: "One",
        happens: [
          { what: "turn", isFound: false },
          { what: "end", by: "claim" },
        ],
      },
      {
        name: "b",
        at: 10,
        goal: "Two",
        happens: [
          { what: "turn", usd: null },
          { what: "end", by: "proof" },
        ],
      },
      { name: "c", at: 10, happens: [{ what: "agent task" }, { what: "complete" }] },
    ]);
    expect(shown(report)).toMatchInlineSnapshot(`
      "Since <time>: 3 finished (2 proof, 1 claim).

      finished
        a  7 h ago     claim  One  cost not known
        b  7 h ago     proof  Two  cost not known
        c  7 h ago     proof  c  cost not known

      cost  at least 1,000 tokens; unknown: 3 runs (4 turns)

      next:
        babysitter run:report a
          finished by the agent's word only: check it"
    `);
  });

  it("B9: fits 80 columns, and nothing in it acts or passes for ours", async () => {
    const step = { title: HOSTILE, output: HOSTILE };
    const report = await reported([
      { name: "a", at: 10, happens: [{ what: "fail", message: HOSTILE, step }] },
      { name: "b", at: 10, happens: [{ what: "fail", message: HOSTILE }] },
      { name: "c", at: 10, happens: [{ what: "ask", question: HOSTILE, title: HOSTILE }] },
      { name: "d", at: 10, goal: HOSTILE, happens: [{ what: "pause", message: HOSTILE }] },
      { name: "e", at: 10, goal: HOSTILE, happens: [{ what: "turn fails", message: HOSTILE }] },
      { name: "f", at: 10, happens: [{ what: "cancel", reason: HOSTILE }] },
    ]);
    const texts = [shown(report), reportLines(report).join("\n"), reportLines(report, { details: true }).join("\n")];
    for (const text of texts) expect(problemsIn(text)).toEqual([]);
    const wide = shown(await reported(UGLY_NIGHT))
      .split("\n")
      .filter(({ length }) => length > 80);
    expect(wide).toEqual([]);
  });
});

describe("the report as one message", () => {
  it("B9: an ugly night in at most 25 lines: names and titles only", async () => {
    const lines = reportLines(await reported(UGLY_NIGHT));
    expect(lines.slice(1).join("\n")).toMatchInlineSnapshot(`
      "5 failed, 1 blocked, 3 waiting for you, 1 open, 4 finished (1 verified, 2 proof, 1 claim), 1 cancelled
      failed: build-tue-4, build-tue-3, build-tue-2, build-tue-1: Check the types
      failed: backup
      blocked: deploy
      waits for you: migrate, 6 h 30 min: Migration 0042
      waits for you: search-cache, 5 h 30 min: paused
      waits for you: release, 2 h
      verified: flaky-tests
      proof: newsletter, import-1
      claim: docs
      cost: at least $5.16, 367,000 tokens; unknown: 3 runs (1 turn)
      waited for you: 14 h over all runs, 6 h 30 min without overlaps
      contract changes: 1
      turns that failed: 1
      changed: failed 5 (was 1), blocked 1 (was 0), waiting for you 3 (was 0), finished 4 (was 1), by claim only 1 (was 0), c…
      broken: build-tue-4: proof in build-mon, now failed
      recovered: import-1: failed, now proof
      next: babysitter breakpoint:show effect-migrate-0
      next: babysitter breakpoint:show effect-release-0
      next: babysitter run:status build-tue-4"
    `);
    expect(lines.length).toBeLessThanOrEqual(26);
  });

  it("B9: with details it says what was asked and why something failed, without secrets", async () => {
    const lines = reportLines(await reported(UGLY_NIGHT), { details: true });
    expect(lines.slice(1, 12).join("\n")).toMatchInlineSnapshot(`
      "5 failed, 1 blocked, 3 waiting for you, 1 open, 4 finished (1 verified, 2 proof, 1 claim), 1 cancelled
      failed: build-tue-4, build-tue-3, build-tue-2, build-tue-1: "Check the types" exited with 1: Found 1 error in src/order…
      | API_TOKEN=[hidden]
      | Found 1 error in src/orders/status.ts:9
      failed: backup: connect ECONNREFUSED 127.0.0.1:5432
      blocked: deploy: its code no longer matches its journal
      waits for you: migrate, 6 h 30 min: Drop the column orders.legacy_status?
      waits for you: search-cache, 5 h 30 min: paused: Budget reached ($4.00 of $4.00).
      waits for you: release, 2 h: Publish 2.4.0 to the registry?
      verified: flaky-tests
      proof: newsletter, import-1"
    `);
    expect(lines.join("\n")).not.toContain("not-for-anyone");
  });

  it("B9: a quiet night is short, and one without runs is nothing to tell", async () => {
    expect(reportLines(await reported(QUIET_NIGHT)).slice(1)).toEqual(["1 finished (proof)", "proof: build-tue"]);
    expect(reportLines(await reported([]))).toEqual([]);
  });
});
