import { describe, expect, it } from "vitest";
import { kindsFor, performerOf } from "./task-kinds.js";

describe("who carries out an effect", () => {
  it.each([
    ["node", "engine"],
    ["skill", "agent"],
    ["breakpoint", "person"],
    ["sleep", "time"],
    ["hook", "worker"],
    ["orchestrator_task", "outside"],
    ["toString", "outside"],
    ["", "outside"],
  ])("%j: %s", (kind, performer) => {
    expect(performerOf(kind)).toBe(performer);
  });

  it("lists kinds in the order of the table", () => {
    expect(kindsFor("agent", "engine")).toEqual(["node", "shell", "agent", "skill"]);
  });
});
