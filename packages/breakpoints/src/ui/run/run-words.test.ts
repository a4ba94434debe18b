import type { RunSummary } from "@a5c-ai/babysitter-sdk/view";
import { describe, expect, it } from "vitest";
import type { RunDetail } from "../../wire/run-wire.js";
import { commandIn, goneWords, isGone, troubleOf } from "./run-trouble.js";
import { outcomeNow, outcomeOf, pendingWords, standingNow, standingThen, whyNow } from "./run-words.js";

const state = (kinds: string[], more: object = {}): RunSummary =>
  ({
    created: { entry: { path: "p.mjs" } },
    counts: { requested: kinds.length },
    pending: Object.fromEntries(kinds.map((kind, n) => [n, { kind, taskId: `t${n}`, attempt: n + 1 }])),
    ...more,
  }) as unknown as RunSummary;
const run = (more: Partial<RunDetail>): RunDetail =>
  ({ state: "waiting", drivenBy: null, agent: false, ...more }) as RunDetail;

describe("where a run stands", () => {
  it.each<[string, Partial<RunDetail>, string[], string]>([
    ["a question is open, whoever works on it", { drivenBy: "process 1" }, ["shell", "breakpoint"], "Needs you"],
    ["it sleeps", {}, ["sleep"], "Waiting for time"],
    ["somebody is at it", { drivenBy: "process 1" }, ["shell"], "Working"],
    ["nobody is", {}, ["shell"], "Stalled"],
    ["an agent may be", { agent: true }, ["agent"], "Waiting"],
    ["it has failed", { state: "failed" }, [], "Failed"],
    ["it was just made, and nobody is at it", { state: "created" }, [], "Not started"],
    ["in words of a newer server", { state: "levitating" }, [], "Unknown state"],
  ])("%s", (_what, more, kinds, word) => {
    expect(standingNow(run(more), state(kinds)).word).toBe(word);
  });

  it("nobody calls it stalled before its events have said what it waits for", () => {
    expect(standingNow(run({}), undefined).word).toBe("Waiting");
    expect(standingNow(run({ drivenBy: "process 1" }), undefined).word).toBe("Working");
  });

  it.each<[string, Partial<RunDetail>, string[], string]>([
    ["somebody is at it", { drivenBy: "process 1" }, ["shell"], "live"],
    ["it asks", {}, ["breakpoint"], "needs"],
    ["it is paused", { state: "paused" }, [], "needs"],
    ["it sleeps", {}, ["sleep"], "quiet"],
    ["it has failed", { state: "failed" }, [], "bad"],
    ["it has completed", { state: "completed" }, [], "good"],
  ])("in the colour that this has everywhere: %s", (_what, more, kinds, tone) => {
    expect(standingNow(run(more), state(kinds)).tone).toBe(tone);
  });

  it("that nobody has started it is said plainly, and what went wrong then is kept", () => {
    const made = { state: "created", error: null, why: "It has not been iterated yet." };
    expect(whyNow(run(made))).toBe("It has not been started.");
    expect(whyNow(run({ ...made, error: { message: "no" }, why: "Its first iteration ended with no" }))).toBe(
      "Its first iteration ended with no",
    );
  });

  it("and where it stood: who worked on it then is not known", () => {
    expect([standingThen(state(["shell"])).word, standingThen(state(["breakpoint"])).word]).toEqual([
      "Waiting",
      "Needs you",
    ]);
    expect(standingThen(state([], { failed: {} })).word).toBe("Failed");
  });

  it("on what it counts as done, in the words of the board", () => {
    const completed = { output: {} };
    expect(outcomeOf(state([], { completed, loop: { ended: { attestation: "claim" } } }))?.word).toBe("Claim");
    expect(outcomeOf(state([], { completed }))?.word).toBe("Proof");
    expect([outcomeOf(undefined), outcomeOf(state([], { loop: {} }))]).toEqual([undefined, undefined]);
    const loop = { outcome: "verified" } as RunDetail["loop"];
    expect(outcomeNow(run({ state: "completed", loop }))?.word).toBe("Verified");
    expect(outcomeNow(run({ state: "completed", loop: null }))?.word).toBe("Proof");
    expect(outcomeNow(run({ loop }))).toBeUndefined();
  });

  it("what it waits for is named, up to a number", () => {
    expect(pendingWords(state(["a", "b", "c"]), 2)).toEqual(["t0", "t1 (attempt 2)", "1 more"]);
  });
});

describe("commands in words", () => {
  it("a hint leads to a command that can be copied", () => {
    expect(commandIn("It may have been archived: babysitter run:list --archived")).toBe(
      "babysitter run:list --archived",
    );
    expect(commandIn("`babysitter run:list` lists them; `babysitter run:check` checks one.")).toBe(
      "babysitter run:list",
    );
    expect([commandIn("Free some space."), commandIn(undefined)]).toEqual([undefined, undefined]);
  });

  it("whatever was thrown has words", () => {
    expect(troubleOf(Object.assign(new Error("no"), { code: "RUN_NOT_FOUND", hint: "h" }))).toEqual({
      code: "RUN_NOT_FOUND",
      message: "no",
      hint: "h",
    });
    expect([troubleOf("boo").message, troubleOf(null).code]).toEqual(["boo", "UNEXPECTED"]);
    const gone = (details: object): string => troubleOf({ code: "RUN_NOT_FOUND", message: "no", details }).code;
    expect([gone({ archived: true }), gone({ deleted: true }), gone({})]).toEqual([
      "RUN_ARCHIVED",
      "RUN_DELETED",
      "RUN_NOT_FOUND",
    ]);
    expect([isGone({ code: "RUN_ARCHIVED" }), isGone({ code: "OFFLINE" })]).toEqual([true, false]);
    const heading = (code: string): string => {
      const { before, after } = goneWords(code);
      return `${before} r1${after}`;
    };
    expect(["RUN_ARCHIVED", "RUN_DELETED", "RUN_NOT_FOUND"].map(heading)).toEqual([
      "Run r1 is archived",
      "Run r1 was deleted",
      "There is no run r1",
    ]);
  });
});
