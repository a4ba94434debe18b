import { describe, expect, it } from "vitest";
import type { JsonObject } from "./json.js";
import { describeUnknownWords, unknownWords, wordMistakes } from "./task-words.js";

const MISTAKES: [JsonObject, string, string | undefined][] = [
  [{ kind: "shel", shell: "ls" }, "kind", "shell"],
  [{ kind: "Shell", shell: "ls" }, "kind", "shell"],
  [{ kind: "nod", node: { entry: "a.js" } }, "kind", "node"],
  [{ kind: "agnet", agent: {} }, "kind", "agent"],
  [{ kind: "skil" }, "kind", "skill"],
  [{ kind: "brakepoint" }, "kind", "breakpoint"],
  [{ kind: 5 }, "kind", undefined],
  [{ shel: { command: "ls" } }, "shel", "shell"],
  [{ kind: "shell", shell: "ls", timeoutMS: 5 }, "timeoutMS", "timeoutMs"],
  [{ kind: "agent", outputschema: {} }, "outputschema", "outputSchema"],
  [{ kind: "shell", shell: "ls", retry: { atempts: 3 } }, "retry.atempts", "retry.attempts"],
  [{ kind: "shell", shell: { cmd: "ls" } }, "shell.cmd", "shell.command"],
  [{ kind: "shell", shell: { constructor: "ls" } }, "shell.constructor", undefined],
  [{ kind: "shell", shell: "ls", retry: { maxAttempts: 2 } }, "retry.maxAttempts", "retry.attempts"],
  [{ kind: "shell", shell: { comand: "ls" } }, "shell.comand", "shell.command"],
  [{ kind: "shell", shell: { command: "ls", allowfailure: true } }, "shell.allowfailure", "shell.allowFailure"],
  [{ kind: "node", node: { entry: "a.js", arg: [] } }, "node.arg", "node.args"],
];

describe("words of a task definition", () => {
  it.each(MISTAKES)("C25: %j has a mistake at %s, near %s", (definition, path, nearest) => {
    const [mistake, ...others] = wordMistakes(definition);
    expect([mistake?.path, mistake?.nearest, others]).toEqual([path, nearest, []]);
  });

  it.each<[JsonObject]>([
    [{ kind: "shell", shell: "ls", timeoutMs: 5, retry: 3, labels: ["x"] }],
    [{ kind: "shell", shell: { command: "ls", args: [], env: {}, secretEnv: [], cwd: ".", stdin: "", timeout: 1 } }],
    [{ kind: "node", node: { entry: "a.js", timeoutMs: 1 }, io: {}, metadata: {}, description: "d" }],
    [{ node: { entry: "a.js" } }],
    [{ kind: "agent", agent: { anything: 1 }, execution: { model: "m" }, audience: "all" }],
    [{ kind: "orchestrator_task", orchestratorTask: {} }],
    [{ kind: "breakpoint", breakpoint: { payload: {} } }],
  ])("C25: nothing is wrong or unknown in %j", (definition) => {
    expect(wordMistakes(definition)).toEqual([]);
    expect(unknownWords(definition)).toEqual({ kind: undefined, fields: [] });
  });

  it("C25: words of one's own are no mistakes; they are named, and a declared kind is not", () => {
    const own: JsonObject = { kind: "ticket", ticket: {}, priority: 1 };
    expect(wordMistakes(own)).toEqual([]);
    expect(unknownWords(own)).toEqual({ kind: "ticket", fields: ["priority"] });
    expect(unknownWords(own, ["ticket"])).toEqual({ kind: undefined, fields: [] });
    expect(describeUnknownWords([{ taskId: "open", ...unknownWords(own) }])).toBe(
      'Unknown: kind "ticket" of task "open", field "priority" of task "open". Tasks of an unknown kind wait until another program posts their results; declare kinds of your own in .a5c/config.json: {"tasks":{"kinds":["ticket"]}}.',
    );
  });

  it("C25: a kind that looks like a built-in one can be declared", () => {
    expect(wordMistakes({ kind: "code" })[0]?.hint).toContain('{"tasks":{"kinds":["code"]}}');
    expect(wordMistakes({ kind: "code" }, ["code"])).toEqual([]);
  });

  it("C25: fields that agents are told may have any name, unless they look like ours", () => {
    expect(unknownWords({ kind: "agent", agent: {}, audience: "all", lables: [] }).fields).toEqual(["lables"]);
  });

  it("C25: a mistake says what was probably meant and what is accepted", () => {
    expect(wordMistakes({ kind: "shell", shell: "ls", retry: { atempts: 3 } })[0]?.problem).toBe(
      'has the unknown field "retry.atempts". Did you mean "retry.attempts"? Fields of retry: attempts, backoffMs, factor, maxBackoffMs, on, interrupted.',
    );
  });
});
