import { describe, expect, it } from "vitest";
import { isAgentProgram } from "../environments.js";
import type { ProcessFacts } from "../host.js";
import { hookCaller, isToolCall } from "./hook-caller.js";

const of = (...argv: string[]): ProcessFacts => ({ argv });

const HOST = of("claude", "--plugin-dir", "/p");
const PRINTING = of("claude", "-p", "Go.");
const TERMINAL = [of("-zsh"), of("/usr/bin/gnome-terminal-server")];
const GUARD = of(
  "/bin/sh",
  "-c",
  'set -- user-prompt-expansion; [ ! -r "/p/hooks/guard.sh" ] || . "/p/hooks/guard.sh"',
);
const TOOL = of(
  "/bin/bash",
  "-c",
  "source /h/.claude/shell-snapshots/snapshot-bash-1-a.sh && eval 'babysitter hook:run --hook-type x'",
);

const caller = (above: ProcessFacts[] | undefined, stdout: "socket" | "other" = "socket", env = {}): string =>
  hookCaller({ above, isHost: isAgentProgram, stdout, env });

describe("a hook counts as called by", () => {
  it.each([
    ["a person in front of the host", [GUARD, HOST, ...TERMINAL], "person"],
    ["a person, when the host starts our program itself", [HOST, ...TERMINAL], "person"],
    ["a person, by a plain command", [of("sh", "-c", "'/n/node' '/x/cli.cjs' hook:run --hook-type y"), HOST], "person"],
    ["a person, where only command lines are known", [of(...GUARD.argv.join(" ").split(" ")), HOST], "person"],
    ["a host without anybody", [GUARD, PRINTING, ...TERMINAL], "host"],
    ["a host that an agent has started", [GUARD, HOST, TOOL, HOST, ...TERMINAL], "nested"],
    ["a host that another agent has started", [GUARD, HOST, of("bash"), of("codex")], "nested"],
    ["nobody: the tool of an agent", [TOOL, HOST, ...TERMINAL], "nobody"],
    ["nobody: a shell in the tool of an agent", [GUARD, TOOL, HOST, ...TERMINAL], "nobody"],
    ["nobody: another program below the host", [of("python3", "forge.py"), HOST], "nobody"],
    ["nobody: a command that does something before", [of("sh", "-c", "x; babysitter hook:run"), HOST], "nobody"],
    ["nobody: no host at all", TERMINAL, "nobody"],
    ["nobody: nothing at all, as after a double fork", [], "nobody"],
    ["who knows", undefined, "unknown"],
  ])("%s", (_, above, expected) => {
    expect(caller(above)).toBe(expected);
  });

  it("nobody, when the answer goes to a file, a terminal or a pipe: a tool's shell that has become our hook", () => {
    expect(caller([HOST, ...TERMINAL], "other")).toBe("nobody");
    expect(caller([GUARD, HOST], "other")).toBe("nobody");
  });

  it("an agent, when a shell of its tools is between hook and host; no shell above that host counts", () => {
    const isTool = (above: ProcessFacts[] | undefined): boolean => isToolCall({ above, isHost: isAgentProgram });
    expect([isTool([TOOL, HOST]), isTool([of("env"), of("python3"), TOOL, HOST])]).toEqual([true, true]);
    expect(isTool([of("bash", "/h/my-stop-hook.sh"), of("sh", "-c", "my-stop-hook.sh"), HOST])).toBe(false);
    expect(isTool([GUARD, HOST, TOOL, HOST])).toBe(false);
    expect([isTool([TOOL]), isTool([]), isTool(undefined)]).toEqual([false, false, false]);
  });

  it("a host without anybody, when another program has embedded it", () => {
    expect(caller([GUARD, HOST], "socket", { CLAUDE_CODE_ENTRYPOINT: "sdk-ts" })).toBe("host");
    expect(caller([GUARD, HOST], "socket", { CLAUDE_CODE_SESSION_ATTENDED: "0" })).toBe("host");
    expect(caller([GUARD, HOST], "socket", { CLAUDE_CODE_ENTRYPOINT: "claude-vscode" })).toBe("person");
  });
});

describe("the host of an agent is", () => {
  it.each<[string, ProcessFacts]>([
    ["a program of that name", of("/usr/local/bin/claude")],
    ["one that was started under another name", { argv: ["x"], program: "/h/.local/share/claude/versions/2.1.325" }],
    ["a script of its package", of("node", "--no-warnings", "/l/node_modules/@anthropic-ai/claude-code/cli.js")],
    ["a script of that name", of("/usr/bin/node", "/usr/local/bin/gemini")],
    ["one of Python", of("/usr/bin/python3", "/h/.local/bin/aider")],
  ])("%s", (_, one) => expect(isAgentProgram(one)).toBe(true));

  it.each<[string, ProcessFacts]>([
    ["a shell", of("-bash")],
    ["an editor", of("/usr/share/code/code", "--type=ptyHost")],
    ["an editor of which an agent has its name", of("/Applications/Cursor.app/Contents/MacOS/Cursor")],
    ["the desktop application", of("/Applications/Claude.app/Contents/MacOS/Claude")],
    ["a program that is given such a name", of("vim", "claude")],
    ["a script that is given such a name", of("node", "lint.js", "claude")],
    ["tmux", of("tmux", "new", "-s", "claude")],
    ["nothing", of()],
  ])("not %s", (_, one) => expect(isAgentProgram(one)).toBe(false));
});
