/** What an agent may do by itself while it writes a process for its person. The hooks are real processes. */
import { describe, expect, it } from "vitest";
import { CLI } from "../fixtures/command-line.js";
import { callHook } from "../fixtures/hosts/host-session.js";
import { TypingSession } from "../fixtures/hosts/typing-session.js";
import { Project } from "../fixtures/project.js";

const NOTES = ".a5c/processes/notes.mjs";
const FILES = {
  [NOTES]: 'export default (inputs, ctx) => ctx.task({ kind: "agent", title: "write", agent: {} });\n',
  "elsewhere.mjs": "export default () => 1;\n",
};
const CHECK = `babysitter process:check ${NOTES}`;
const CREATE = `babysitter run:create --process-id plans/notes --entry ${NOTES} --json`;

interface Decision {
  permissionDecision?: string;
  permissionDecisionReason?: string;
  updatedInput?: { command: string };
}

async function asked(session: TypingSession, command: string): Promise<Decision> {
  const stdin = JSON.stringify({
    ...session.input("stop"),
    hook_event_name: "PreToolUse",
    tool_name: "Bash",
    tool_use_id: "toolu_1",
    tool_input: { command },
  });
  const args = ["--hook-type", "pre-tool-use", "--harness", "claude-code"];
  const answer = await callHook({ project: session.project, args, env: session.marks }, stdin);
  return (answer.hookSpecificOutput ?? {}) as Decision;
}

describe("a session that plans", () => {
  it("P9 C24: is told how; its process is checked without a prompt, and followed only after a person was asked", async () => {
    const session = new TypingSession(new Project(FILES));
    const context = await session.goesThrough("babysit", "--plan Write the release notes");
    expect(context).toContain("plan:    the agent writes a process, checks it, and asks you before it follows it");
    expect(context).toContain("babysitter process:check .a5c/processes/<name>.mjs");
    expect(context).toContain("Only the user may agree to the plan");
    expect(await asked(session, CHECK)).toMatchObject({
      permissionDecision: "allow",
      updatedInput: { command: `'${CLI}' 'process:check' '${session.project.path(NOTES)}'` },
    });
    expect(await asked(session, CREATE)).toMatchObject({
      permissionDecision: "ask",
      permissionDecisionReason: expect.stringContaining("Allow it only if you agree") as string,
      updatedInput: { command: CREATE },
    });
    for (const command of [
      "babysitter process:check elsewhere.mjs",
      `babysitter process:check ${NOTES}/../../../elsewhere.mjs`,
      `${CHECK} && ${CREATE}`,
    ])
      expect([command, await asked(session, command)]).toEqual([command, {}]);
  });

  it("P9: is one whose person has asked for a plan: others check and create as the host's rules say", async () => {
    const session = new TypingSession(new Project(FILES));
    await session.goesThrough("babysit", "Write the release notes");
    expect(await asked(session, CHECK)).toEqual({});
    expect(await asked(session, CREATE)).toEqual({});
  });
});
