import type { JournalEvent } from "@a5c-ai/babysitter-sdk/view";
import { describe, expect, it } from "vitest";
import type { RunFileList } from "../../wire/run-wire.js";
import { failingStep, lastLines, logsOf, tellingLog, toldFailure } from "./failing-step.js";

const events = (...list: [type: string, effectId: string | undefined, payload?: object][]): JournalEvent[] =>
  list.map(([type, effectId, payload = {}], index) => ({
    seq: index + 1,
    type,
    effectId,
    taskId: `task of ${effectId}`,
    payload,
  })) as unknown as JournalEvent[];
const bad = { status: "error", attempt: 1, error: { message: "exit 3" } };
const good = { status: "ok", attempt: 1 };
const titles = new Map([["a", "Build"]]);
const failing = (...list: Parameters<typeof events>): unknown => {
  const found = failingStep(events(...list), titles);
  return found === undefined ? undefined : [found.title, found.error, found.seq];
};
const failed: [string, undefined, object] = ["RUN_FAILED", undefined, { error: { message: "it threw" } }];

describe("what went wrong last", () => {
  it("a step of a run that has failed, also when others were done after it", () => {
    expect(failing(["EFFECT_RESOLVED", "a", bad], ["EFFECT_RESOLVED", "b", good], failed)).toEqual([
      "Build",
      "exit 3",
      1,
    ]);
    expect(failing(["EFFECT_RESOLVED", "b", bad], failed)).toEqual(["task of b", "exit 3", 1]);
  });

  it("the process itself, when no step has failed", () => {
    expect(failing(["EFFECT_RESOLVED", "a", good], failed)).toEqual(["The process itself", "it threw", 2]);
  });

  it("in a run that goes on: the last result, unless something was done since", () => {
    expect(failing(["EFFECT_RESOLVED", "a", bad], ["EFFECT_STARTED", "b"])).toEqual(["Build", "exit 3", 1]);
    expect(failing(["EFFECT_RESOLVED", "a", bad], ["EFFECT_RESOLVED", "b", good])).toBeUndefined();
  });

  it("nothing, when it was tried again, or the run has come to another end", () => {
    const step: [string, string, object] = ["EFFECT_RESOLVED", "a", bad];
    for (const after of ["EFFECT_RETRIED", "EFFECT_REOPENED"]) expect(failing(step, [after, "a"])).toBeUndefined();
    for (const end of ["RUN_COMPLETED", "RUN_CANCELLED"]) expect(failing(step, [end, undefined])).toBeUndefined();
    expect(failing(step, failed, ["RUN_REOPENED", undefined], ["EFFECT_RETRIED", "a"])).toBeUndefined();
    expect(failing()).toBeUndefined();
  });
});

describe("what a run has failed on, as its server says it", () => {
  const told = {
    effectId: "a",
    title: "Build",
    kind: "shell",
    attempt: 2,
    at: "",
    message: "exit 3",
    stdout: ["begun"],
    stderr: ["no such file"],
    logs: ["tasks/a/stderr.attempt-1.log", "tasks/a/stdout.log", "tasks/a/stderr.log"],
  };

  it("is there before any event, with the end of its log; the event is found when it is here", () => {
    const run = { state: "failed", failing: told, error: null };
    expect(toldFailure(run, [])).toEqual({
      seq: undefined,
      effectId: "a",
      title: "Build",
      error: "exit 3",
      attempt: 2,
      log: { path: "tasks/a/stderr.log", lines: ["no such file"] },
    });
    const here = events(["EFFECT_RESOLVED", "a", bad], ["EFFECT_RESOLVED", "b", bad], failed);
    expect(toldFailure(run, here)?.seq).toBe(1);
    expect(toldFailure({ ...run, failing: { ...told, logs: ["tasks/a/stdout.log"] } }, [])?.log?.lines).toEqual([
      "begun",
    ]);
    expect(toldFailure({ ...run, failing: { ...told, logs: [] } }, [])?.log).toBeUndefined();
  });

  it("may be no step at all, and a run that has not failed has failed on nothing", () => {
    const error = { message: "it threw" };
    expect(toldFailure({ state: "failed", error }, events(failed))).toMatchObject({
      seq: 1,
      title: "The process itself",
      error: "it threw",
    });
    expect(toldFailure({ state: "waiting", error }, [])).toBeUndefined();
  });
});

describe("the log that tells most", () => {
  const file = (path: string, bytes: number): RunFileList["files"][number] => ({
    kind: "log",
    path: `tasks/a/${path}`,
    bytes,
    modifiedAt: "",
    effectId: "a",
  });
  const [out, err, old] = [file("stdout.log", 9), file("stderr.log", 4), file("stderr.attempt-1.log", 4)];

  it("is that of errors, of the last attempt; an empty one tells nothing", () => {
    expect(logsOf([old, out, err], "a")).toEqual([err, out, old]);
    expect(tellingLog([old, out, { ...err, bytes: 0 }], "a")).toEqual(out);
    expect([tellingLog([out], "b"), tellingLog([{ ...out, bytes: 0 }], "a")]).toEqual([undefined, undefined]);
    expect(tellingLog([{ ...out, kind: "artifact" }], "a")).toBeUndefined();
  });

  it("its last lines are those before its last line break", () => {
    expect([lastLines("a\nb\nc\n", 2), lastLines("a", 30), lastLines("", 30)]).toEqual([["b", "c"], ["a"], [""]]);
  });
});
