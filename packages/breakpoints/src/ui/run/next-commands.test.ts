import { describe, expect, it } from "vitest";
import { nextCommands } from "./next-commands.js";

const run = { state: "failed", drivenBy: null, agent: false };
const LEFT = "Nothing is driving this run. To continue it, run in a terminal:";

describe("what to type to get a run on", () => {
  it.each<[state: string, next: string, expected: [lead: string, command: string, about?: string]]>([
    ["failed", "babysitter run:retry r", ["In a terminal:", "babysitter run:retry r"]],
    [
      "failed",
      'babysitter run:retry r    (asks "x" (k:1) again)',
      ["In a terminal:", "babysitter run:retry r", 'This asks "x" (k:1) again.'],
    ],
    ["created", "babysitter run:iterate r", ["To start it, run in a terminal:", "babysitter run:iterate r"]],
    ["running", "babysitter run:iterate r", [LEFT, "babysitter run:iterate r"]],
    [
      "waiting",
      "babysitter run r    (executes what is pending)",
      [LEFT, "babysitter run r", "This executes what is pending."],
    ],
    [
      "waiting",
      "babysitter run:iterate r    (when the sleep is over)",
      ["In a terminal, when the sleep is over:", "babysitter run:iterate r"],
    ],
    ["waiting", "babysitter task:post r e --status ok", ["In a terminal:", "babysitter task:post r e --status ok"]],
  ])("%s: %s", (state, next, [lead, command, about]) => {
    expect(nextCommands({ ...run, state, next })).toEqual([{ lead, command, about }]);
  });

  it("a run that somebody drives is watched, and one of an agent is not said to be left alone", () => {
    const driven = { state: "waiting", drivenBy: "process 7", agent: false };
    expect(nextCommands({ ...driven, next: "babysitter run:watch r    (process 7 is driving it)" })).toEqual([
      { lead: "To watch it in a terminal:", command: "babysitter run:watch r", about: undefined },
    ]);
    expect(nextCommands({ ...run, state: "running", agent: true, next: "babysitter run:iterate r" })[0]?.lead).toBe(
      "In a terminal:",
    );
    expect(nextCommands({ ...run, next: null })).toEqual([]);
  });

  it("what was cut ends with its dots alone", () => {
    expect(nextCommands({ ...run, next: 'babysitter run:retry r    (retries "long…)' })[0]?.about).toBe(
      'This retries "long…',
    );
  });

  it.each([
    [
      'babysitter run:retry r    (retries "x" (par[2]); or correct the process, then: babysitter run:iterate r)',
      ["In a terminal:", "babysitter run:retry r", 'This retries "x" (par[2]).'],
      ["Or correct the process, then:", "babysitter run:iterate r"],
    ],
    [
      "babysitter run:iterate r    (after correcting the process; to run it again as it is: babysitter run:retry r)",
      ["In a terminal, after correcting the process:", "babysitter run:iterate r", undefined],
      ["To run it again as it is:", "babysitter run:retry r"],
    ],
    [
      'babysitter breakpoint:approve e    (or breakpoint:reject e --reason "…")',
      ["In a terminal:", "babysitter breakpoint:approve e", undefined],
      ["Or:", 'babysitter breakpoint:reject e --reason "…"'],
    ],
  ])("another way on can be copied too: %s", (next, [lead, command, about], [otherLead, other]) => {
    expect(nextCommands({ ...run, next })).toEqual([
      { lead, command, about },
      { lead: otherLead, command: other, about: undefined },
    ]);
  });

  it("the name of a step is never offered as a command", () => {
    const title = "x; or then: babysitter run:retry other";
    for (const next of [
      `babysitter run:retry r    (asks "${title}" (k:1) again)`,
      `babysitter run:retry r    (asks "${title}… again)`,
      `babysitter run:fork r --at-task e    (repeats "${title}" (k:1) in a copy)`,
    ])
      expect(nextCommands({ ...run, next })).toHaveLength(1);
    const [, other] = nextCommands({
      ...run,
      next: `babysitter run:retry r    (retries "${title}" (k:1); or correct the process, then: babysitter run:iterate r)`,
    });
    expect(other?.command).toBe("babysitter run:iterate r");
  });
});
