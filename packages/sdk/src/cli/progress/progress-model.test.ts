import { expect, test } from "vitest";
import { busyRun, Recording, START } from "../../../../../tests/fixtures/cli/progress/recording.js";
import {
  doneIn,
  effectName,
  newProgressModel,
  openIn,
  type ProgressModel,
  takeProgress,
  tookMs,
  totalIn,
} from "./progress-model.js";

function modelOf(recording: Recording): ProgressModel {
  const model = newProgressModel();
  for (const progress of recording.progress) takeProgress(model, progress, START);
  return model;
}

/** The tree as nested lists of names and states. */
function treeOf(branch: ProgressModel["root"]): unknown[] {
  return branch.items.map((item) =>
    item.type === "effect" ? `${effectName(item)}: ${item.state}` : item.lanes.map((lane) => treeOf(lane)),
  );
}

test("requests become a tree of groups, lanes and effects, in the order in which they were asked for", () => {
  const run = new Recording()
    .requested("a")
    .requested("b", { scope: "par1[0]/" })
    .requested("c", { scope: "par1[1]/" });
  run.requested("d", { scope: "par1[1]/par1[0]/" }).requested("e", { scope: "par1[1]/par1[1]/" });
  run.requested("f", { scope: "par1[0]/" }).requested("g", { scope: "par2[0]/" }).requested("h");
  expect(treeOf(modelOf(run).root)).toEqual([
    "a: queued",
    [
      ["b: queued", "f: queued"],
      ["c: queued", [["d: queued"], ["e: queued"]]],
    ],
    [["g: queued"]],
    "h: queued",
  ]);
});

test("an effect goes through its states, and its groups count it in each of them", () => {
  const run = new Recording();
  const model = newProgressModel();
  const seen: unknown[] = [];
  const step = (): void => {
    for (const progress of run.progress.splice(0)) takeProgress(model, progress, START);
    const effect = model.effects.get("effect-a");
    const group = model.parallels.get("par1");
    const counted = Object.entries(group?.counts ?? {}).filter(([, count]) => count !== 0);
    expect(counted).toEqual([[effect?.state, 1]]);
    expect(model.root.counts).toEqual(group?.counts);
    seen.push([effect?.state, effect?.attempt, effect?.note]);
  };
  run.requested("a", { scope: "par1[0]/" });
  step();
  run.at(1).started("a");
  step();
  run.at(2).attemptFailed("a", 1, "no network\nat all", 5);
  step();
  run.at(7).started("a", 2);
  step();
  run.at(8).attemptFailed("a", 2, "again");
  step();
  run.at(8).started("a", 3);
  step();
  run.at(9).failed("a", "for good", 3);
  step();
  run.at(10).reopened("a", 4);
  step();
  run.at(11).started("a", 4);
  step();
  run.at(12).done("a", { attempt: 4 });
  step();
  expect(seen).toEqual([
    ["queued", 1, undefined],
    ["running", 1, undefined],
    ["retrying", 2, "no network"],
    ["running", 2, "no network"],
    ["queued", 3, "again"],
    ["running", 3, "again"],
    ["failed", 3, "for good"],
    ["queued", 4, undefined],
    ["running", 4, undefined],
    ["done", 4, undefined],
  ]);
  expect(model.failed.size).toBe(0);
});

test("what an old attempt still says changes nothing", () => {
  const run = new Recording().requested("a").started("a").attemptFailed("a", 1, "once").at(5).started("a", 2);
  const before = modelOf(run).effects.get("effect-a");
  expect(before).toMatchObject({ state: "running", attempt: 2, note: "once", startedMs: START + 5000 });
  const late = run.at(6).started("a", 1).attemptFailed("a", 1, "late");
  expect(modelOf(late).effects.get("effect-a")).toEqual(before);
  run.output("a", "line").done("a", { attempt: 2 }).output("a", "later").started("a", 2);
  expect(modelOf(run).effects.get("effect-a")).toMatchObject({ state: "done", attempt: 2, line: undefined });
});

test("questions and sleeps have states of their own, also after they were opened again", () => {
  const run = new Recording().requested("q", { kind: "breakpoint", title: "Ship?" });
  run.requested("s", { kind: "sleep", until: "2026-03-04T13:00:00.000Z" });
  const model = modelOf(run);
  expect(treeOf(model.root)).toEqual(["Ship?: asking", "s: sleeping"]);
  expect(model.effects.get("effect-s")?.untilMs).toBe(START + 3_600_000);
  run.failed("q", "expired").reopened("q", 2, "breakpoint");
  expect(treeOf(modelOf(run).root)[0]).toBe("Ship?: asking");
});

test.each([
  [{ approved: true }, "approved", "done"],
  [{ approved: true, option: "blue" }, "approved: blue", "done"],
  [{ approved: false, feedback: "too early" }, "rejected: too early", "rejected"],
  [{ approved: true, via: "policy", respondedBy: "policy:demo" }, "approved by policy:demo", "done"],
  ["what?", "answered", "done"],
])("C27: the answer %j to a question is told as %s and counts as %s", (value, note, state) => {
  const run = new Recording().requested("q", { kind: "breakpoint" }).done("q", { result: { value } });
  expect(modelOf(run).effects.get("effect-q")).toMatchObject({ state, note });
});

test("what is open when the run is over is abandoned", () => {
  const asked = (): Recording => new Recording().requested("a").requested("b").requested("c").started("b").done("c");
  const done = asked().event("RUN_COMPLETED", {
    output: { value: null },
    completionProof: "proof",
    iteration: 1,
    abandoned: ["effect-a"],
  });
  expect(treeOf(modelOf(done).root)).toEqual(["a: abandoned", "b: running", "c: done"]);
  const cancelled = modelOf(asked().event("RUN_CANCELLED", {}));
  expect(treeOf(cancelled.root)).toEqual(["a: abandoned", "b: abandoned", "c: done"]);
  expect([cancelled.open.size, cancelled.outcome]).toEqual([0, "cancelled"]);
});

test("a failed run that goes on has not failed", () => {
  const failed = new Recording().event("RUN_FAILED", {
    error: { name: "E", message: "m" },
    iteration: 1,
    codeHash: "",
  });
  expect(modelOf(failed).outcome).toBe("failed");
  expect(modelOf(failed.event("RUN_REOPENED", { reason: "retry", codeHash: "" })).outcome).toBeUndefined();
});

test("a run takes as long as its journal says, however much later somebody looks", () => {
  const DAY_MS = 86_400_000;
  const later = (run: Recording): number => {
    const model = modelOf(run);
    model.begunMs = START;
    takeProgress(model, { type: "ended", ending: {} as never }, START + DAY_MS);
    return tookMs(model, START + DAY_MS);
  };
  const failed = new Recording()
    .requested("a")
    .at(7)
    .event("RUN_FAILED", {
      error: { name: "E", message: "m" },
      iteration: 1,
      codeHash: "",
    });
  expect(later(failed)).toBe(7_000);
  expect(later(failed.at(9).event("RUN_REOPENED", { reason: "retry", codeHash: "" }))).toBe(DAY_MS);
  expect(later(failed.at(12).event("RUN_CANCELLED", {}))).toBe(12_000);
});

test("a question that was answered with no is done", () => {
  const run = new Recording().requested("a").done("a").requested("q", { kind: "breakpoint" });
  run.done("q", { result: { value: { approved: false } } }).requested("b");
  const { counts } = modelOf(run).root;
  expect([doneIn(counts), totalIn(counts)]).toEqual([2, 3]);
});

test("times come from the result where it has them, else from the journal", () => {
  const run = new Recording().at(1).requested("a").at(2).started("a").at(9);
  run.done("a", { startedAt: "2026-03-04T12:00:03.000Z", finishedAt: "2026-03-04T12:00:08.000Z" });
  run.at(1).requested("b").at(2).started("b").at(9).done("b");
  const { effects } = modelOf(run);
  expect(effects.get("effect-a")).toMatchObject({ startedMs: START + 3000, finishedMs: START + 8000 });
  expect(effects.get("effect-b")).toMatchObject({ startedMs: START + 2000, finishedMs: START + 9000 });
});

test("effects with the same title are told apart by lane and number", () => {
  const run = new Recording();
  run.requested("a1", { title: "Fetch", scope: "par1[0]/" }).requested("a2", { title: "Fetch", scope: "par1[1]/" });
  run.requested("f1", { title: "Fix" }).requested("f2", { title: "Fix", ordinal: 2 }).requested("x", { label: "Only" });
  expect([...modelOf(run).effects.values()].map(effectName)).toEqual([
    "Fetch [0]",
    "Fetch [1]",
    "Fix #1",
    "Fix #2",
    "Only",
  ]);
});

test("of everything that is written only the newest is kept", () => {
  const run = new Recording().requested("a").started("a");
  const model = modelOf(run);
  for (let line = 0; line < 10_000; line += 1) {
    takeProgress(model, { type: "output", effectId: "effect-a", line: `${line} ${"x".repeat(2000)}` }, START);
    takeProgress(model, { type: "printed", line: `${line}` }, START);
    const [logged] = new Recording().logged(`line ${line}`).progress;
    if (logged !== undefined) takeProgress(model, logged, START);
  }
  const effect = model.effects.get("effect-a");
  expect(effect?.line?.startsWith("9999 x")).toBe(true);
  expect(effect?.line?.length).toBeLessThan(1000);
  expect([model.logged, model.recentLogs.length]).toEqual([10_000, 20]);
  expect(model.recentLogs.at(-1)?.message).toBe("line 9999");
});

test("events of a newer version, and about effects nobody asked for, are passed over", () => {
  const run = new Recording().started("ghost").done("ghost").reopened("ghost", 2).output("ghost", "boo");
  for (const type of ["SOMETHING_NEW", "constructor", "__proto__"])
    run.progress.push({ type: "event", event: { type, format: 1, payload: {} } as never, past: false });
  run.progress.push({
    type: "event",
    event: { type: "PROCESS_LOGGED", format: 99, payload: {} } as never,
    past: false,
  });
  expect(modelOf(run)).toEqual(newProgressModel());
});

test("all counts add up in a busy run", () => {
  const { root, effects, open, failed } = modelOf(busyRun());
  expect(totalIn(root.counts)).toBe(effects.size);
  expect(openIn(root.counts)).toBe(open.size);
  expect(root.counts).toEqual({
    queued: 1,
    running: 2,
    retrying: 0,
    sleeping: 1,
    asking: 1,
    done: 3,
    rejected: 0,
    failed: 1,
    abandoned: 0,
  });
  expect(failed.size).toBe(1);
});
