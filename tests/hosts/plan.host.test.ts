/** `/babysit --plan` in the real host: a process is written, checked, shown, agreed to by a person, and followed. */
import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { HostProject } from "./rig/host-run.js";
import { type HostTerminal, openTerminal } from "./rig/host-terminal.js";
import { type HostVersion, NEWEST_HOST } from "./rig/install-hosts.js";
import { bash, callsTool, inTurn, type ModelRequest, type Reply, says } from "./rig/scripted-model.js";

const NAME = ".a5c/processes/notes";
const PROCESS = `import { defineTask } from "@a5c-ai/babysitter-sdk";
const write = defineTask("write", () => ({
  kind: "agent",
  title: "Write the notes",
  agent: { prompt: "Write the notes." },
  outputSchema: { type: "object", required: ["text"], properties: { text: { type: "string" } } },
}));
export default async function notes(inputs, ctx) {
  const { text } = await ctx.task(write);
  await ctx.task({ kind: "shell", title: "Check", shell: { command: "echo checked > checked" } });
  return text;
}
`;

const printed = ({ news }: ModelRequest, field: string): string =>
  new RegExp(`"${field}": "([^"]+)"`, "u").exec(news)?.[1] ?? "";

const CHECK = bash(`babysitter process:check ${NAME}.mjs`);
const CREATE = bash(`babysitter run:create --process-id plans/notes --entry ${NAME}.mjs --json`);
const ASK = callsTool("AskUserQuestion", {
  questions: [
    {
      question: "Shall I follow this plan?",
      header: "Plan",
      multiSelect: false,
      options: [
        { label: "Follow it", description: "Create the run." },
        { label: "Change it", description: "Say what." },
      ],
    },
  ],
});
const ITERATE = bash("babysitter run:iterate --json");
const post = (request: ModelRequest): Reply =>
  bash(`babysitter task:post ${printed(request, "effectId")} --status ok --value - <<'JSON'\n{"text":"news"}\nJSON`);
const prove = (request: ModelRequest): Reply =>
  says(`The run is complete.\n\n<promise>${printed(request, "completionProof")}</promise>`);
const STATUS = bash("babysitter run:status --json");

async function planning(version: HostVersion, replies: (Reply | ((request: ModelRequest) => Reply))[]) {
  const project = new HostProject(version, { "README.md": "# Notes\n" }, { shipped: true });
  const write = (file: string, content: string): Reply =>
    callsTool("Write", { file_path: project.path(file), content });
  const terminal = await openTerminal(project, {
    sessionId: randomUUID(),
    prompt: "",
    permissionMode: "acceptEdits",
    scenario: inTurn([
      write(`${NAME}.mjs`, PROCESS),
      write(`${NAME}.process.md`, "# Notes\n\nWrite them, check them.\n"),
      CHECK,
      ...replies,
    ]),
  });
  await terminal.enter("/babysit --plan Write the release notes", "🔄 Babysitter loop");
  const [runId = ""] = project.runs();
  return { project, terminal, runId };
}

/** What the agent was told, with everything before it. */
const told = ({ model }: HostTerminal): string => model.main.map(({ news }) => news).join("\n");

describe.each(NEWEST_HOST)("a plan in Claude Code %s", (version) => {
  test("P9 C24: `/babysit --plan`: process written → checked without a prompt → shown → agreed to in the host's dialogs → run followed to its proof", async () => {
    const { project, terminal, runId } = await planning(version, [
      ASK,
      CREATE,
      ITERATE,
      post,
      ITERATE,
      ITERATE,
      STATUS,
      prove,
    ]);
    await terminal.shows("Shall I follow this plan?");
    // The check has run by itself, and nothing but the check.
    expect(told(terminal)).toContain("Requests, with invented results:");
    expect(told(terminal)).toContain("No problems found.");
    expect(terminal.words).toContain("plan: the agent writes a process, checks it, and asks you before it follows it");
    expect(project.events(runId).some(({ type }) => type === "EFFECT_REQUESTED")).toBe(false);
    await terminal.pressUntil("1", "Do you want to proceed?");
    // Now about the command itself, in the words of the hook.
    expect(terminal.words).toContain("the agent wants to follow the process that it has planned");
    expect(project.events(runId).some(({ type }) => type === "EFFECT_REQUESTED")).toBe(false);
    await terminal.pressUntil("1", () => project.count(runId, "RUN_COMPLETED") === 1);
    await terminal.shows("Report: /babysitter:report");
    expect(project.runs()).toEqual([runId]);
    expect(project.codes().at(-1)).toBe("completion_proof_matched");
    expect(project.read("checked")).toBe("checked\n");
  });

  test("P9: a person who says no to the plan is heard: no process is followed", async () => {
    const { project, terminal, runId } = await planning(version, [CREATE, says("So I wait."), says("I wait.")]);
    await terminal.shows("Do you want to proceed?");
    await terminal.pressUntil("\u001B", () => !terminal.text.includes("Do you want to proceed?"));
    await terminal.shows("❯");
    expect(project.runs()).toEqual([runId]);
    expect(project.events(runId).map(({ type }) => type)).not.toContain("PROCESS_ATTACHED");
    expect(project.events(runId).some(({ type }) => type === "EFFECT_REQUESTED")).toBe(false);
  });
});
