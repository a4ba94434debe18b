import { describe, expect, it } from "vitest";
import type { NextWay } from "../../wire/run-wire.js";
import { commandsIfLeft, nextCommands } from "./next-commands.js";

const run = { state: "failed", drivenBy: null, agent: false };
const LEFT = "Nothing is driving this run. To continue it, run in a terminal:";

describe("what to type to get a run on", () => {
  it.each<[state: string, way: NextWay, lead: string, about?: string]>([
    ["failed", { command: "babysitter run:retry r" }, "In a terminal:"],
    [
      "failed",
      { command: "babysitter run:retry r", does: 'asks "x" (k:1) again' },
      "In a terminal:",
      'This asks "x" (k:1) again.',
    ],
    ["created", { command: "babysitter run r" }, "To start it, run in a terminal:"],
    ["running", { command: "babysitter run r" }, LEFT],
    [
      "waiting",
      { command: "babysitter run r", does: "executes what is pending" },
      LEFT,
      "This executes what is pending.",
    ],
    [
      "waiting",
      { command: "babysitter run:iterate r", when: "when the sleep is over" },
      "In a terminal, when the sleep is over:",
    ],
    ["waiting", { command: "babysitter task:post r e --status ok" }, "In a terminal:"],
  ])("%s: %o", (state, way, lead, about) => {
    expect(nextCommands({ ...run, state, ways: [way] })).toEqual([{ lead, command: way.command, about }]);
  });

  it("a run that somebody drives is watched, and one of an agent is not said to be left alone", () => {
    const driven = { state: "waiting", drivenBy: "process 7", agent: false };
    const watch = { command: "babysitter run:watch r", because: "process 7 is driving it" };
    expect(nextCommands({ ...driven, ways: [watch] })).toEqual([
      { lead: "To watch it in a terminal:", command: "babysitter run:watch r", about: undefined },
    ]);
    const iterate = { command: "babysitter run:iterate r" };
    expect(nextCommands({ ...run, state: "running", agent: true, ways: [iterate] })[0]?.lead).toBe("In a terminal:");
    expect(nextCommands({ ...run, ways: [] })).toEqual([]);
  });

  it.each<[about: string, run: object, way: NextWay, left: boolean]>([
    ["it is ready, and nobody is at it", { state: "running" }, { command: "babysitter run r" }, true],
    ["it waits, and nobody is at it", { state: "waiting" }, { command: "babysitter run r" }, true],
    ["somebody drives it", { state: "waiting", drivenBy: "process 7" }, { command: "babysitter run r" }, false],
    ["its agent hears of it", { state: "waiting", agent: true }, { command: "babysitter run:iterate r" }, false],
    ["it sleeps", { state: "waiting" }, { command: "babysitter run r", when: "when the sleep is over" }, false],
    ["it asks something else", { state: "waiting" }, { command: "babysitter breakpoint:show e" }, false],
    ["it has failed", { state: "failed" }, { command: "babysitter run:retry r" }, false],
  ])("whether an answer alone does not move it: %s", (_, given, way, left) => {
    const facts = { ...run, ...given, ways: [way] };
    expect(commandsIfLeft(facts)).toEqual(left ? nextCommands(facts) : []);
  });

  it("what was cut ends with its dots alone", () => {
    const way = { command: "babysitter run:retry r", does: 'retries "long…' };
    expect(nextCommands({ ...run, ways: [way] })[0]?.about).toBe('This retries "long…');
  });

  it("another way on can be copied too, below a sentence of its own", () => {
    const ways = [
      { command: "babysitter run:iterate r", when: "after correcting the process" },
      { command: "babysitter run:retry r", when: "to run it again as it is" },
    ];
    expect(nextCommands({ ...run, ways })).toEqual([
      { lead: "In a terminal, after correcting the process:", command: "babysitter run:iterate r", about: undefined },
      { lead: "To run it again as it is:", command: "babysitter run:retry r", about: undefined },
    ]);
  });
});
