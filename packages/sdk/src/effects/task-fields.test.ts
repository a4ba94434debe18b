import { describe, expect, it } from "vitest";
import type { EffectId, RunId } from "../model/ids.js";
import type { Json, JsonObject } from "../model/json.js";
import type { Work, WorkPlace } from "./executor.js";
import { cwdField, environmentField, flagField, sectionOf, textField, textList, timeoutField } from "./task-fields.js";

function workOf(definition: JsonObject = {}): Work {
  const [runId, effectId] = ["r1" as RunId, "e1" as EffectId];
  return { runId, effectId, invocationKey: "k", taskId: "task", kind: "node", attempt: 1, definition, args: null };
}

const work = workOf();
const place: WorkPlace = { projectRoot: "/project", processDir: "/process", runDir: "/run", taskDir: "/run/tasks/e1" };
const invalid = (problem: string): object =>
  expect.objectContaining({ code: "TASK_INVALID", message: `Task "task" cannot be executed: ${problem}.` });

/** What is thrown, or the value. */
function outcome(read: () => unknown): unknown {
  try {
    return read();
  } catch (error) {
    return error;
  }
}

describe("a section", () => {
  it("is an object or not there", () => {
    expect(sectionOf(workOf({ node: { entry: "x" } }), "node")).toEqual({ entry: "x" });
    expect(sectionOf(workOf(), "node")).toEqual({});
    for (const node of [null, "x", 5, true, []])
      expect(outcome(() => sectionOf(workOf({ node }), "node"))).toEqual(invalid("`node` must be an object"));
  });
});

describe("a field", () => {
  it.each<[Json, unknown]>([
    [null, undefined],
    ["", ""],
    ["text", "text"],
    [5, invalid("`x` must be a string")],
    [false, invalid("`x` must be a string")],
    [["text"], invalid("`x` must be a string")],
    ["a\0b", invalid("`x` must be a string")],
  ])("of text: %j", (x, expected) => {
    expect(outcome(() => textField(work, { x }, "x"))).toEqual(expected);
  });

  it.each<[Json, unknown]>([
    [null, undefined],
    [[], []],
    [
      ["a", "", 5, -0.5, false],
      ["a", "", "5", "-0.5", "false"],
    ],
    ["a", invalid("`x` must be a list of strings")],
    [{ 0: "a" }, invalid("`x` must be a list of strings")],
    [[null], invalid("`x` must contain only strings")],
    [[["a"]], invalid("`x` must contain only strings")],
    [["a\0"], invalid("`x` must contain only strings")],
  ])("with a list of texts: %j", (x, expected) => {
    expect(outcome(() => textList(work, { x }, "x"))).toEqual(expected);
  });

  it.each<[Json, unknown]>([
    [null, false],
    [true, true],
    [false, false],
    ["true", invalid("`x` must be true or false")],
    [1, invalid("`x` must be true or false")],
  ])("that is true or false: %j", (x, expected) => {
    expect(outcome(() => flagField(work, { x }, "x"))).toEqual(expected);
  });

  it("that is absent is not there", () => {
    expect([textField(work, {}, "x"), textList(work, {}, "x"), flagField(work, {}, "x")]).toEqual([
      undefined,
      undefined,
      false,
    ]);
    expect(environmentField(work, {})).toEqual({});
  });

  it.each<[Json, unknown]>([
    [null, {}],
    [
      { A: "1", B: 2, C: true, D: null, E: "" },
      { A: "1", B: "2", C: "true", E: "" },
    ],
    ["A=1", invalid("`env` must be an object of strings")],
    [[], invalid("`env` must be an object of strings")],
    [{ A: {} }, invalid("`env.A` must contain only strings")],
    [{ A: "\0" }, invalid("`env.A` must contain only strings")],
    [{ "": "1" }, invalid('`env` has "", which is not a valid variable name')],
    [{ "A=B": 1 }, invalid('`env` has "A=B", which is not a valid variable name')],
    [{ "A\0": "1" }, invalid('`env` has "A\\u0000", which is not a valid variable name')],
  ])("of variables: %j", (env, expected) => {
    expect(outcome(() => environmentField(work, { env }))).toEqual(expected);
  });
});

describe("the limit of time", () => {
  it.each<[JsonObject, JsonObject, unknown]>([
    [{}, {}, 900],
    [{ timeout: 5 }, {}, 5],
    [{ timeoutMs: 6, timeout: 5 }, {}, 6],
    [{}, { timeoutMs: 7 }, 7],
    [{ timeout: 5 }, { timeoutMs: 7 }, 5],
    [{ timeout: 0 }, { timeoutMs: 7 }, undefined],
    [{ timeout: null }, { timeout: 0 }, undefined],
    [{ timeout: "5" }, {}, invalid("`timeout` must be a number of milliseconds, or 0 for no limit")],
    [{}, { timeoutMs: -1 }, invalid("`timeoutMs` must be a number of milliseconds, or 0 for no limit")],
    [{ timeout: true }, {}, invalid("`timeout` must be a number of milliseconds, or 0 for no limit")],
  ])("%j in %j", (section, definition, expected) => {
    expect(outcome(() => timeoutField(work, [section, definition], 900))).toEqual(expected);
  });
});

describe("the working directory", () => {
  it.each<[Json, unknown]>([
    [null, "/project"],
    ["", "/project"],
    ["a/../b", "/project/b"],
    ["../other", "/other"],
    ["/tmp", "/tmp"],
    [5, invalid("`cwd` must be a string")],
  ])("%j", (cwd, expected) => {
    expect(outcome(() => cwdField(work, { cwd }, place))).toEqual(expected);
  });
});
