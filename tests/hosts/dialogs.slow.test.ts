/** Questions of a run in the host's own dialog, as the host's hooks tell of them. */
import { spawn } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { CLI, cleanEnvironment } from "../fixtures/command-line.js";
import { agentEnvironment, HOOK_ENVIRONMENTS, HostSession, problemsOf } from "../fixtures/hosts/host-session.js";
import { until } from "../fixtures/processes.js";
import { Project } from "../fixtures/project.js";

const PROCESS = `
const ask = (question) => async (inputs, ctx) => {
  const { approved, option, feedback } = await ctx.breakpoint(question);
  return { approved, option, feedback };
};
export const gate = ask({ question: "Ship it?", title: "Release" });
export const choice = ask({ question: "Which?", options: ["a", "b", "c", "d", "e"] });
export const twins = ask({ question: "Go?", options: ["OK", { label: "OK", reject: true }, { id: "OK", label: "Never", reject: true }] });
export const risky = ask({ question: "Wipe?", risk: "high" });
export async function busy(inputs, ctx) {
  await ctx.parallel.all([() => ctx.breakpoint({ question: "Ship it?" }), () => ctx.task({ kind: "agent", agent: { prompt: "p" } })]);
}
`;

type Fields = Record<string, unknown>;

interface Dialog extends Fields {
  questions: { question: string; header: string; options: { label: string }[] }[];
}

interface ToolAnswer {
  hookSpecificOutput?: {
    hookEventName: string;
    permissionDecision?: string;
    permissionDecisionReason?: string;
    updatedInput?: Dialog;
    additionalContext?: string;
    decision?: { behavior: string; updatedInput: Dialog & { answers: Record<string, string> } };
  };
}

const EVENTS = {
  PreToolUse: "pre-tool-use",
  PostToolUse: "post-tool-use",
  PermissionRequest: "permission-request",
} as const;

class AskingSession extends HostSession {
  effectId = "";

  /** A hook of the question tool. */
  async tool(
    event: keyof typeof EVENTS,
    fields: Fields,
    { args = [], env = HOOK_ENVIRONMENTS["2.1.325"] }: { args?: string[]; env?: Record<string, string> } = {},
  ): Promise<NonNullable<ToolAnswer["hookSpecificOutput"]>> {
    const input = { ...this.toolInput(event), ...fields };
    const call = ["hook:run", "--hook-type", EVENTS[event], "--harness", "claude-code", ...args];
    const { code, stdout, stderr } = await this.project.run(call, { stdin: JSON.stringify(input), env, as: "host" });
    if (code !== 0 || stderr !== "") throw new Error(`${event} ended with ${code}: ${stderr}`);
    return (JSON.parse(stdout) as ToolAnswer).hookSpecificOutput ?? { hookEventName: "" };
  }

  toolInput(event: keyof typeof EVENTS): Fields {
    return {
      session_id: this.sessionId,
      transcript_path: this.transcript,
      cwd: this.project.dir,
      hook_event_name: event,
      tool_name: "AskUserQuestion",
    };
  }

  /** The agent asks in its own words. */
  async asks(question: string, more: Fields = {}): Promise<NonNullable<ToolAnswer["hookSpecificOutput"]>> {
    return this.tool("PreToolUse", { tool_input: own(question), ...more });
  }

  /** The dialog with the run's question. */
  async dialog(): Promise<Dialog> {
    const { updatedInput } = await this.asks(this.effectId);
    return updatedInput as Dialog;
  }

  /** The person answers in a dialog; answers what the agent is told then. */
  async answers(dialog: Dialog, label: string, env?: Record<string, string>): Promise<string | undefined> {
    const answered = { ...dialog, answers: { [textOf(dialog)]: label } };
    const fields = { tool_input: answered, tool_response: answered };
    return (await this.tool("PostToolUse", fields, env === undefined ? {} : { env })).additionalContext;
  }

  recorded(): Fields[] {
    return this.events("r")
      .filter(({ type }) => type === "EFFECT_RESOLVED" || type === "BREAKPOINT_COMMENTED")
      .map(({ payload }) => (payload["result"] as { value: Fields } | undefined)?.value ?? payload);
  }
}

const own = (question: string): Fields => ({
  questions: [{ question, header: "h", multiSelect: false, options: [{ label: "Yes" }, { label: "No" }] }],
  answers: { [question]: "Yes" },
});

const textOf = ({ questions: [asked] }: Dialog): string => asked?.question ?? "";

async function asking(entry: string, files: Record<string, string> = {}): Promise<AskingSession> {
  const session = new AskingSession(new Project({ "p.mjs": PROCESS, ...files }));
  await session.createRun(`p.mjs#${entry}`, "r", ["--prompt", "Go."]);
  const { nextActions } = await session.project.ask(["run:iterate", "r"], {
    env: { BABYSITTER_HOOKS_ENABLED: "false" },
  });
  session.effectId = nextActions.find(({ kind }) => kind === "breakpoint")?.effectId ?? "";
  return session;
}

describe("before a dialog", () => {
  it("P5: the run's question replaces the agent's, and the host always asks", async () => {
    const session = await asking("gate");
    for (const question of [`May I tidy up? ${session.effectId}`, " Ship\nit? "]) {
      const { permissionDecision, updatedInput } = await session.asks(question);
      expect(permissionDecision).toBe("ask");
      expect(updatedInput).not.toHaveProperty("answers");
      expect(updatedInput?.questions).toMatchObject([
        { header: "Release", options: [{ label: "Approve" }, { label: "Reject" }] },
      ]);
      expect(textOf(updatedInput as Dialog)).toMatch(/^Ship it\?\n\nbabysitter breakpoint:show effect-/u);
    }
  });

  it("a question of the agent's own, of a subagent, or of another session passes untouched", async () => {
    const session = await asking("gate");
    const { effectId } = session;
    expect((await session.asks("Tabs or spaces?")).hookEventName).toBe("");
    expect((await session.asks(effectId, { agent_id: "a1" })).hookEventName).toBe("");
    // Its file says that it works on this run; the journal knows better.
    const another = new HostSession(session.project);
    fs.copyFileSync(session.file, another.file);
    expect((await session.asks(effectId, { session_id: another.sessionId })).hookEventName).toBe("");
    expect((await session.asks(effectId, { tool_name: "Write" })).hookEventName).toBe("");
  });

  it("what a dialog may not decide is not shown in one, and nobody is asked twice", async () => {
    const risky = await asking("risky");
    const refused = await risky.asks(risky.effectId);
    expect(refused).toMatchObject({ permissionDecision: "deny" });
    expect(refused.permissionDecisionReason).toContain("high risk");
    const session = await asking("gate");
    await session.answers(await session.dialog(), "Approve");
    const late = await session.asks(session.effectId);
    expect(late.permissionDecision).toBe("deny");
    expect(late.permissionDecisionReason).toMatch(/approved by .*Continue with: babysitter run:iterate r$/u);
  });
});

describe("after a dialog", () => {
  it("P5: answer recorded by a hook, once; the run continues with it, and hooks of the project are told", async () => {
    const script = "#!/bin/sh\ncat >> told.jsonl\n";
    const session = await asking("gate", { ".a5c/hooks/on-task-complete/tell.sh": script });
    fs.chmodSync(session.project.path(".a5c/hooks/on-task-complete/tell.sh"), 0o755);
    const dialog = await session.dialog();
    expect(await session.answers(dialog, "Reject")).toMatch(
      /^Recorded for effect-\S+: rejected by .*, hook, .* Continue with: babysitter run:iterate r$/u,
    );
    // The host's word comes a second time, or someone has decided meanwhile.
    expect(await session.answers(dialog, "Approve")).toContain("that decision stays: rejected");
    const [decision, ...others] = session.recorded();
    expect(others).toEqual([]);
    expect(decision).toMatchObject({ approved: false, via: "hook", verified: true });
    const opened = session.events("r").find(({ type }) => type === "BREAKPOINT_OPENED");
    expect(decision?.["shown"]).toBe(opened?.payload["shown"]);
    expect(session.events("r").filter(({ type }) => type === "HOOK_DISPATCHED")).toHaveLength(1);
    await session.project.ask(["run:iterate", "r"]);
    expect(session.events("r").find(({ type }) => type === "RUN_COMPLETED")?.payload).toMatchObject({
      output: { value: { approved: false } },
    });
  });

  it("an answer that has to be typed counts, and every other text is a comment", async () => {
    const session = await asking("choice");
    const dialog = await session.dialog();
    expect(dialog.questions[0]?.options.map(({ label }) => label)).toEqual(["a", "b", "c", "d"]);
    expect(await session.answers(dialog, "a or b, I do not care")).toContain("still open");
    expect(await session.answers(dialog, "e")).toContain("approved (e)");
    expect(session.recorded()).toMatchObject([
      { text: "a or b, I do not care", via: "hook" },
      { approved: true, option: "e", comments: [{ text: "a or b, I do not care" }] },
    ]);
  });

  it("P5: ambiguous = not approved: of answers with the same name a rejection is never taken for the approval", async () => {
    const session = await asking("twins");
    const dialog = await session.dialog();
    const labels = dialog.questions[0]?.options.map(({ label }) => label) ?? [];
    expect(labels).toEqual(["OK", "OK (2)", "Never"]);
    for (const label of labels) expect(await session.answers(dialog, label)).toContain("was not recorded");
    expect(session.recorded()).toEqual([]);
  });

  it("P5: empty/dismissed/ambiguous = not approved; nor is what was forged", async () => {
    const session = await asking("gate");
    const dialog = await session.dialog();
    const [asked] = dialog.questions;
    const yes = { answers: { [textOf(dialog)]: "Approve" } };
    const swapped = { questions: [{ ...asked, options: asked?.options.toReversed() }] };
    const given: [Fields, unknown][] = [
      // The agent has written the answer itself.
      [
        { ...dialog, ...yes },
        { ...dialog, answers: {} },
      ],
      [{ ...dialog, ...yes }, undefined],
      // The host went on by itself.
      [dialog, { ...dialog, ...yes, afkTimeoutMs: 60_000 }],
      // Several answers.
      [dialog, { ...dialog, answers: { ...yes.answers, more: "Approve" } }],
      // The dialog showed something else.
      [swapped, { ...swapped, ...yes }],
      [{ questions: [{ ...asked, header: "Tidy" }] }, { ...dialog, ...yes }],
      [dialog, { ...swapped, ...yes }],
      [own(session.effectId), { ...own(session.effectId), answers: { [session.effectId]: "Approve" } }],
    ];
    for (const [tool_input, tool_response] of given) {
      const { additionalContext } = await session.tool("PostToolUse", { tool_input, tool_response });
      expect({ tool_input, additionalContext }).toMatchObject({
        additionalContext: expect.stringMatching(/nothing (of it )?was recorded/u) as string,
      });
    }
    // A command of the agent itself that plays the host.
    expect(await session.answers(dialog, "Approve", agentEnvironment(session.sessionId))).toBeUndefined();
    expect(session.recorded()).toEqual([]);
  });

  it("an agent that has other work is not reminded of a question", async () => {
    const session = await asking("busy");
    const tool = own("Tabs or spaces?");
    expect((await session.tool("PostToolUse", { tool_input: tool, tool_response: tool })).hookEventName).toBe("");
  });
});

/** Only here can be seen from outside that a hook waits. */
describe.skipIf(!fs.existsSync("/proc/self/fdinfo"))("a hook that waits while a dialog is open", () => {
  it("P8: a question answered elsewhere closes the dialog with that answer", async () => {
    const config = { ".a5c/config.json": JSON.stringify({ breakpoints: { answers: "open" } }) };
    const session = await asking("gate", config);
    const dialog = await session.dialog();
    const waiting = session.tool("PermissionRequest", { tool_input: dialog });
    await until(() => watches(session));
    await session.project.ask(["breakpoint:reject", session.effectId, "--reason", "first the tests"]);
    const closed = {
      behavior: "allow",
      updatedInput: { ...dialog, answers: { [textOf(dialog)]: "Rejected: first the tests" } },
    };
    expect((await waiting).decision).toEqual(closed);
    // Decided between the two hooks.
    expect((await session.tool("PermissionRequest", { tool_input: dialog })).decision).toEqual(closed);
    expect(session.recorded()).toHaveLength(1);
  });

  it("waits for nothing when the dialog is not the run's, and no longer than it may", async () => {
    const session = await asking("gate");
    const dialog = await session.dialog();
    const [asked] = dialog.questions;
    for (const tool_input of [own(session.effectId), { questions: [{ ...asked, header: "Tidy" }] }])
      expect((await session.tool("PermissionRequest", { tool_input })).decision).toBeUndefined();
    const inTime = await session.tool("PermissionRequest", { tool_input: dialog }, { args: ["--deadline-ms", "5500"] });
    expect(inTime.decision).toBeUndefined();
    expect(problemsOf(session.project)).toEqual([]);
  });

  it("ends when the dialog has led to no decision, or with the run", async () => {
    const session = await asking("gate");
    const dialog = await session.dialog();
    const first = session.tool("PermissionRequest", { tool_input: dialog });
    await until(() => watches(session));
    await session.answers(dialog, "What is this?");
    expect((await first).decision).toBeUndefined();
    const second = session.tool("PermissionRequest", { tool_input: dialog });
    await until(() => watches(session));
    await session.stop("I could not ask.");
    expect((await second).decision).toBeUndefined();
    const third = session.tool("PermissionRequest", { tool_input: dialog });
    await until(() => watches(session));
    await session.project.ask(["run:cancel", "r", "--reason", "enough"], { as: "person" });
    expect((await third).decision?.updatedInput.answers).toEqual({
      [textOf(dialog)]: "Not answered: the run has ended.",
    });
  });

  it("ends with the host", async () => {
    const session = await asking("gate");
    const input = { ...session.toolInput("PermissionRequest"), tool_input: await session.dialog() };
    const hook = ["hook:run", "--hook-type", "permission-request", "--harness", "claude-code"];
    const host = spawn(process.execPath, ["-e", HOST, JSON.stringify(input), CLI, ...hook], {
      cwd: session.project.dir,
      env: cleanEnvironment(session.project.home),
      stdio: "ignore",
    });
    await until(() => watches(session));
    host.kill("SIGKILL");
    await until(() => !watches(session));
    expect(session.recorded()).toEqual([]);
  });
});

/** A program that starts another one, with this on its stdin, and waits. */
const HOST = `
const { spawn } = require("node:child_process");
const [input, ...command] = process.argv.slice(1);
spawn(process.execPath, command, { stdio: ["pipe", "ignore", "ignore"] }).stdin.end(input);
`;

/** True when some process of ours watches the journal. */
function watches(session: AskingSession): boolean {
  const { ino } = fs.statSync(path.join(session.runDir("r"), "journal"));
  const wanted = `ino:${ino.toString(16)} `;
  return fs
    .readdirSync("/proc")
    .filter((name) => /^\d+$/u.test(name))
    .some((pid) => inotifyMarks(pid).includes(wanted));
}

function inotifyMarks(pid: string): string {
  try {
    return fs
      .readdirSync(`/proc/${pid}/fd`)
      .filter((fd) => fs.readlinkSync(`/proc/${pid}/fd/${fd}`) === "anon_inode:inotify")
      .map((fd) => fs.readFileSync(`/proc/${pid}/fdinfo/${fd}`, "utf8"))
      .join("\n");
  } catch {
    return "";
  }
}
