import { expect, test } from "vitest";
import type { Command, Invocation } from "../../cli/grammar/invocation.js";
import { type CommandLoaders, runInProcess } from "./run-in-process.js";

/** Commands that only show what they were given. */
function showing(...names: string[]): { loaders: CommandLoaders; seen: Invocation[] } {
  const seen: Invocation[] = [];
  const command: Command = async (invocation) => {
    seen.push(invocation);
    return { document: {}, text: invocation.name };
  };
  return { loaders: Object.fromEntries(names.map((name) => [name, async () => ({ command })])), seen };
}

const AGENT = { CLAUDECODE: "1", AI_AGENT: "claude-code_2-1-197_harness", CODEX_HOME: "/x", COPILOT_TOKEN: "x" };

test("the user has typed it: no marker of an agent stays, everything else does", async () => {
  const { loaders, seen } = showing("run:pause");
  const env = { ...AGENT, HOME: "/h", CLAUDE_CODE_SESSION_ID: "s", CLAUDE_PROJECT_DIR: "/p" };
  await runInProcess(["run:pause", "/p/.a5c/runs/r"], { cwd: "/p", env, loaders });
  expect(seen[0]?.env).toEqual({ HOME: "/h", CLAUDE_CODE_SESSION_ID: "s", CLAUDE_PROJECT_DIR: "/p" });
  expect(seen[0]?.positionals).toEqual(["/p/.a5c/runs/r"]);
  expect(seen[0]?.places()).toEqual({ runsDir: "/p/.a5c/runs", projectRoot: "/p" });
  expect(seen[0]?.paint("red", "x")).toBe("x");
});

test("every command takes the session and what a loop is agreed on; its own options as they are", async () => {
  const { loaders, seen } = showing("run:create", "run:pause");
  const line = ["run:create", "--entry=-x.mjs", "--session-id=s", "--state-dir=/s", "--criteria=a: b"] as const;
  await runInProcess(line, { cwd: "/", env: {}, loaders });
  const { options } = seen[0] as Invocation;
  expect(["entry", "session-id", "state-dir"].map((name) => options.text(name))).toEqual(["-x.mjs", "s", "/s"]);
  expect(options.texts("criteria")).toEqual(["a: b"]);
});

test.each([[["run:pause", "--nonsense"] as const], [["no:such"] as const], [["loop:start", "x"] as const]])(
  "%j is refused",
  async (line) => {
    const { loaders, seen } = showing("run:pause");
    await expect(runInProcess(line, { cwd: "/", env: {}, loaders })).rejects.toMatchObject({ code: "USAGE" });
    expect(seen).toEqual([]);
  },
);
