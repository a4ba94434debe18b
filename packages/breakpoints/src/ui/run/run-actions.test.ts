import { describe, expect, it } from "vitest";
import type { RunDetail } from "../../wire/run-wire.js";
import { actionsFor } from "./run-actions.js";

const run = (more: Partial<RunDetail>): RunDetail =>
  ({ id: "copy-1f", state: "waiting", events: 12, loop: null, readOnly: null, ...more }) as RunDetail;
const ALLOWED = { retry: null, resume: null, pause: null, fork: null, cancel: null };
const loop = { title: "t" } as RunDetail["loop"];
const names = (more: Partial<RunDetail>, facts: { failedStep?: boolean; at?: number } = {}): string[] =>
  actionsFor(run(more), { failedStep: false, name: "r1", at: undefined, ...facts }).map(({ change }) => change);

describe("what may be done to a run", () => {
  it.each<[string, Partial<RunDetail>, string[]]>([
    ["waiting", { state: "waiting" }, ["fork", "cancel"]],
    ["failed", { state: "failed" }, ["retry", "fork", "cancel"]],
    ["completed", { state: "completed" }, ["fork"]],
    ["cancelled", { state: "cancelled" }, ["fork"]],
    ["a loop at work", { state: "running", loop }, ["pause", "fork", "cancel"]],
    ["a loop that is paused", { state: "paused", loop }, ["resume", "fork", "cancel"]],
    ["written by a newer version", { readOnly: "newer" }, []],
  ])("%s", (_what, more, expected) => {
    expect(names(more)).toEqual(expected);
  });

  it("a failed step can be retried while the run goes on", () => {
    expect(names({ state: "running" }, { failedStep: true })).toContain("retry");
    expect(names({ state: "completed" }, { failedStep: true })).not.toContain("retry");
  });

  it("of the past there is only a copy to be made", () => {
    const [fork, ...others] = actionsFor(run({ state: "failed" }), { failedStep: true, name: "r1", at: 7 });
    expect([fork?.change, fork?.word, fork?.command, others]).toEqual([
      "fork",
      "Fork from here",
      "babysitter run:fork r1 --at 7",
      [],
    ]);
  });

  it("commands call the run by its own name, and a reason against it is kept", () => {
    const actions = actionsFor(run({ state: "failed", can: { ...ALLOWED, retry: "Somebody else drives it." } }), {
      failedStep: true,
      name: "r1",
      at: undefined,
    });
    expect(actions.map(({ command, whyNot }) => [command, whyNot])).toEqual([
      ["babysitter run:retry r1", "Somebody else drives it."],
      ["babysitter run:fork r1 --at 12", null],
      ["babysitter run:cancel r1", null],
    ]);
  });
});
