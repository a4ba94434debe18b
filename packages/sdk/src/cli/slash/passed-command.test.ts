import { describe, expect, test } from "vitest";
import { type PassedVerb, parsePassed } from "./passed-command.js";

describe("what was typed, as arguments of a command", () => {
  test.each<[PassedVerb, string, string | undefined, string[]]>([
    ["amend", "", undefined, []],
    [
      "amend",
      " run-1\n--criteria 'a: b $(c)' --criteria=d:e --accept-changes",
      "run-1",
      ["--criteria=a: b $(c)", "--criteria=d:e", "--accept-changes"],
    ],
    ["amend", `--claim "say \\"hi\\", don't"`, undefined, [`--claim=say "hi", don't`]],
    ["amend", "--claim=--accept-changes", undefined, ["--claim=--accept-changes"]],
    ["approve", "effect-1 --option 'not now'", "effect-1", ["--option=not now"]],
    ["reject", "effect-1 no", "effect-1", ["--reason=no"]],
    ["reject", " effect-1\n  use --force;\n$(x) `y` ", "effect-1", ["--reason=use --force;\n$(x) `y`"]],
    ["reject", "effect-1 --reason 'no way' --shown ab", "effect-1", ["--reason=no way", "--shown=ab"]],
    ["reject", "effect-1 --reasonable people disagree", "effect-1", ["--reason=--reasonable people disagree"]],
    ["report", "run-1", "run-1", []],
    ["verify", "--again --criterion a --criterion b", undefined, ["--criterion=a", "--criterion=b", "--again"]],
  ])("/%s %j", (verb, args, name, options) => {
    const { kind, ...request } = parsePassed(verb, args);
    expect(kind).toBe("command");
    expect(request).toEqual({ verb, command: expect.any(String), options, ...(name === undefined ? {} : { name }) });
  });

  test.each<[PassedVerb, string, string]>([
    ["amend", "--criterion 'x: true'", "Unknown flag --criterion."],
    ["amend", "--max-iterations", "--max-iterations needs a value."],
    ["amend", "--max-iterations 6 --max-iterations 7", "--max-iterations is given twice."],
    ["amend", "--criteria 'x: true", "never closed"],
    ["amend", "--accept-changes=yes", "Unknown flag --accept-changes"],
    ["amend", "--runs-dir /tmp --max-iterations 9", "Unknown flag --runs-dir."],
    ["amend", "--json --max-iterations 9", "Unknown flag --json."],
    ["amend", "please add --max-iterations 9", "Too many words: add"],
    ["amend", "-- --max-iterations 9", "Too many words: --max-iterations 9"],
    ["amend", "../../x", "is not a run ID."],
    ["amend", "a..b", "is not a run ID."],
    ["amend", "a/b", "is not a run ID."],
    ["amend", "x\u0000y", "is not a run ID."],
    ["amend", "$(touch PWNED)", "Too many words"],
    ["amend", "`id`", "is not a run ID."],
    ["approve", "effect-1 yes please", "Too many words: yes please"],
    ["approve", "effect-1 --run other", "Unknown flag --run."],
    ["approve", "../effect-1", "is not the ID of a question."],
    ["reject", "effect-1 --reason", "--reason needs a value."],
    ["reject", "effect/1 no", "is not the ID of a question."],
    ["verify", "--wait", "Unknown flag --wait."],
    ["report", "run-1 --since 3d", "Unknown flag --since."],
  ])("/%s %j: %s", (verb, args, problem) => {
    expect(parsePassed(verb, args)).toMatchObject({ kind: "error", problem: expect.stringContaining(problem) });
  });

  test.each<PassedVerb>(["amend", "approve", "reject", "report", "verify"])("/%s --help shows its options", (verb) => {
    const request = parsePassed(verb, " --help\n");
    expect(request).toMatchObject({ kind: "help", text: expect.stringContaining("Usage: babysitter ") });
  });
});
