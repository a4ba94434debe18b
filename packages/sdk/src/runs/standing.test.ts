import { describe, expect, test } from "vitest";
import type { JournalEvent } from "../model/events.js";
import type { RecordedRequest } from "../model/replay-index.js";
import { beginSummary, foldSummary, type RunSummary } from "../model/run-state.js";
import type { LastError } from "../model/store.js";
import { type Driving, standingOf } from "./standing.js";
import { decideWayOn } from "./way-on.js";

const AT = "2026-03-04T12:00:00.000Z";
const NOW = new Date("2026-03-04T12:01:00.000Z");

type Draft = { type: string; payload?: object; effectId?: string };

const request = (kind: string, effectId = "effect-1"): Draft => ({
  type: "EFFECT_REQUESTED",
  effectId,
  payload: {
    kind,
    scope: "",
    argsHash: "0",
    after: 0,
    iteration: 1,
    title: kind,
    definition: { value: {} },
    args: { value: {} },
    ...(kind === "sleep" ? { until: "2026-03-04T13:00:00.000Z" } : {}),
  },
});
const started: Draft = {
  type: "EFFECT_STARTED",
  effectId: "effect-1",
  payload: { attempt: 1, executor: "x", host: "h" },
};
const resolved: Draft = {
  type: "EFFECT_RESOLVED",
  effectId: "effect-1",
  payload: { attempt: 1, status: "ok", by: "post" },
};
const failed: Draft = {
  type: "RUN_FAILED",
  payload: { error: { name: "Error", message: "boom" }, iteration: 1, codeHash: "c" },
};

const RUNS: Record<string, Draft[]> = {
  created: [],
  "waiting for a task": [request("shell")],
  "waiting for a task under way": [request("shell"), started],
  "waiting for an agent": [request("agent")],
  asking: [request("breakpoint")],
  sleeping: [request("sleep")],
  running: [request("shell"), resolved],
  failed: [failed],
  blocked: [{ type: "RUN_BLOCKED", payload: { processHead: 1, codeHash: "c", report: {} } }],
  completed: [
    {
      type: "RUN_COMPLETED",
      payload: { output: { value: 1 }, completionProof: "p", iteration: 1, abandoned: [] },
    },
  ],
  cancelled: [request("shell"), { type: "RUN_CANCELLED", payload: {} }],
};

function summaryOf(drafts: readonly Draft[]): RunSummary {
  const event = (draft: Draft, seq: number): JournalEvent =>
    ({
      format: 1,
      writer: "0",
      seq,
      id: String(seq),
      timestamp: AT,
      prev: null,
      checksum: "",
      payload: {},
      ...(draft.effectId === undefined ? {} : { invocationKey: "work:1", taskId: "work" }),
      ...draft,
    }) as unknown as JournalEvent;
  const created = { processId: "p", entry: { path: "p.mjs", export: "process" }, codeHash: "c", inputs: { value: {} } };
  const summary = beginSummary(
    event({ type: "RUN_CREATED", payload: created }, 1) as Extract<JournalEvent, { type: "RUN_CREATED" }>,
  );
  for (const [index, draft] of drafts.entries()) foldSummary(summary, event(draft, index + 2));
  return summary;
}

const DRIVING: (Driving | undefined)[] = [
  undefined,
  { by: "nobody" },
  { by: "driver", who: "process 7" },
  { by: "tasks", who: "process 7" },
];
const ERROR: LastError = { code: "PROCESS_LOAD_FAILED", message: "It has a syntax error.", at: AT };

/** What no run may say about itself, and when. */
const CONTRADICTIONS: [what: string, is: (said: Said) => boolean][] = [
  ["another state", ({ name, state }) => stateOf(name) !== state],
  ["perhaps", ({ all }) => all.includes("unless")],
  ["never iterated, and how that ended", ({ all }) => /not been iterated.*iteration ended/.test(all)],
  ["over, and what to do", ({ state, next }) => (next === "") !== (state === "completed")],
  ["nobody, and someone", ({ all, by }) => by === "nobody" && /Executing|process 7|run:watch/.test(all)],
  ["nobody has looked, and someone", ({ all, by }) => by === "" && /Executing|process 7|run:watch/.test(all)],
  ["driven, and drive it", ({ next, by }) => by === "driver" && /^babysitter run |executes what/.test(next)],
  ["over, and what went wrong on the way", ({ state, why }) => isOver(state) && why.includes("iteration ended")],
  ["two sentences with nothing between them", ({ why }) => /[^.!?…:)] The last iteration/u.test(why)],
  [
    "nothing of the error",
    ({ state, by, why, error }) => !isOver(state) && by !== "driver" && error !== "" && !why.includes(error),
  ],
];

interface Said {
  name: string;
  state: string;
  why: string;
  next: string;
  all: string;
  by: string;
  error: string;
}

const isOver = (state: string): boolean => ["completed", "cancelled", "blocked"].includes(state);
const stateOf = (name: string): string =>
  name === "asking" || name === "sleeping" ? "waiting" : (name.split(" ")[0] ?? "");

describe("C27: where a run stands never contradicts itself", () => {
  test.each(Object.entries(RUNS))("%s", (name, drafts) => {
    const found = DRIVING.flatMap((driving) =>
      [undefined, ERROR].flatMap((lastError) => {
        const { state, why, next = "" } = standingOf(summaryOf(drafts), { now: NOW, name: "r", driving, lastError });
        const all = `${state}: ${why} ${next}`;
        const said = { name, state, why, next, all, by: driving?.by ?? "", error: lastError?.code ?? "" };
        return CONTRADICTIONS.filter(([, is]) => is(said)).map(([what]) => `${what}: ${all}`);
      }),
    );
    expect(found).toEqual([]);
  });

  test("a first iteration that failed is not one that never was", () => {
    const { why } = standingOf(summaryOf([]), { now: NOW, name: "r", lastError: ERROR });
    expect(why).toBe("Its first iteration ended with PROCESS_LOAD_FAILED: It has a syntax error.");
  });

  test.each([
    ["failed", { failed: 1, isRejection: false }, 'run:retry r    (retries "a"; or correct'],
    ["rejected", { rejected: 1, isRejection: true }, 'run:retry r    (asks "a" again)'],
    [
      "rejected beside a failure",
      { failed: 1, rejected: 1, isRejection: true },
      'run:retry r    (asks "a", "a" again)',
    ],
    ["failed beside a rejection", { failed: 1, rejected: 1, isRejection: false }, 'run:retry r    (retries "a"; or'],
    ["used", { used: 1, isRejection: false }, 'run:fork r --at-task effect-a    (repeats "a" in a copy)'],
    ["none of them", { isRejection: false }, "run:iterate r    (after correcting the process"],
  ])("the way on from a step that is %s is the one that works", (_, steps, next) => {
    const {
      failed: tasks = 0,
      rejected = 0,
      used,
      isRejection,
    } = steps as Record<string, number> & { isRejection: boolean };
    const step = { taskId: "a", invocationKey: "a:1", effectId: "effect-a" } as RecordedRequest;
    const several = (count: number): RecordedRequest[] => Array.from({ length: count }, () => step);
    const given = { failed: several(tasks), rejected: several(rejected), used: used === undefined ? used : step };
    const wayOn = decideWayOn(given, isRejection);
    const failedRun = summaryOf(RUNS["failed"] ?? []);
    expect(standingOf(failedRun, { now: NOW, name: "r", wayOn }).next).toContain(`babysitter ${next}`);
  });

  test("the ways on stand by themselves: no name of a step becomes a command of its own", () => {
    const title = "x; or then: babysitter run:retry other";
    const named = { invocationKey: "k:1", taskId: "k", title } as RecordedRequest;
    const { ways, next } = standingOf(summaryOf([failed]), {
      now: NOW,
      name: "r",
      wayOn: { is: "retry", steps: [named] },
    });
    expect(ways).toEqual([
      { command: "babysitter run:retry r", does: expect.stringContaining(title) as string },
      { command: "babysitter run:iterate r", when: "or correct the process, then" },
    ]);
    expect(next).toBe(
      `babysitter run:retry r    (${ways[0]?.does}; or correct the process, then: babysitter run:iterate r)`,
    );
    const asking = standingOf(summaryOf([request("breakpoint")]), { now: NOW, name: "r" });
    expect(asking.next).toBe(
      'babysitter breakpoint:approve effect-1    (or: babysitter breakpoint:reject effect-1 --reason "…")',
    );
  });

  test("a task that nobody executes any more is not being executed", () => {
    const summary = summaryOf([request("shell"), started]);
    const seen = (driving?: Driving): object => standingOf(summary, { now: NOW, name: "r", driving });
    expect(seen()).toMatchObject({ why: "Started: shell; waiting for 1 result." });
    expect(seen({ by: "nobody" })).toMatchObject({
      why: "Interrupted while executing shell; waiting for 1 result.",
      next: "babysitter run r    (executes what is pending)",
    });
    expect(seen({ by: "driver", who: "process 7" })).toMatchObject({
      why: "Executing: shell; waiting for 1 result.",
      next: "babysitter run:watch r    (process 7 is driving it)",
    });
    expect(seen({ by: "tasks", who: "process 7" })).toMatchObject({
      next: "babysitter run:iterate r    (waits for the tasks that process 7 executes)",
    });
  });
});
