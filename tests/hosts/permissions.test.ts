/** The permission hook in the real host: what runs without a question, and what the host still decides by itself. */
import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { CLI } from "../fast/cli/command-line.js";
import { type HostProject, type HostRun, type HostRunOptions, newHostProject } from "./rig/host-run.js";
import { HOST_VERSIONS, type HostVersion } from "./rig/install-hosts.js";
import { bash, inTurn, says } from "./rig/scripted-model.js";

const PROCESS = `
export async function work(inputs, ctx) {
  await ctx.parallel.all([
    () => ctx.task({ kind: "agent", title: "draft", agent: { prompt: "draft" } }),
    () => ctx.breakpoint({ question: "Ship it?" }),
  ]);
}
`;

/** A mode, and a model with which the host has it. */
const MODES = [
  ["default", "claude-sonnet-4-5"],
  ["acceptEdits", "claude-sonnet-4-5"],
  ["auto", "claude-opus-4-6"],
] as const;

const inMode = (mode: (typeof MODES)[number][0]): Pick<HostRunOptions, "permissionMode"> => ({
  permissionMode: mode as NonNullable<HostRunOptions["permissionMode"]>,
});

/** With our hook where the plugin has it, and with a run of the session's own that waits for agent and person. */
async function ownProject(
  version: HostVersion,
): Promise<{ project: HostProject; sessionId: string; agent: string; question: string }> {
  const project = newHostProject(version, { "p.mjs": PROCESS });
  const file = path.join(project.plugin.dir, "hooks", "hooks.json");
  const { hooks } = JSON.parse(fs.readFileSync(file, "utf8")) as { hooks: Record<string, unknown> };
  const command = `tee -a '${project.plugin.payloads}' | '${process.execPath}' '${CLI}' hook:run --hook-type pre-tool-use --harness claude-code`;
  hooks["PreToolUse"] = [{ matcher: "Bash", hooks: [{ type: "command", command }] }];
  delete hooks["Stop"];
  fs.writeFileSync(file, JSON.stringify({ hooks }));
  const sessionId = crypto.randomUUID();
  const binding = ["--harness", "claude-code", "--session-id", sessionId];
  await project.create("p.mjs#work", "own", binding);
  await project.run(["run:iterate", "own"]);
  const { tasks } = await project.ask(["task:list", "own"]);
  const idOf = (wanted: string): string => tasks.find(({ kind }) => kind === wanted)?.effectId ?? "";
  return { project, sessionId, agent: idOf("agent"), question: idOf("breakpoint") };
}

/** The agent gives these commands, one after the other; answers what it was told about each. */
async function gives(
  project: HostProject,
  commands: readonly string[],
  options: Omit<HostRunOptions, "scenario">,
): Promise<{ run: HostRun; told: string[]; denied: unknown[] }> {
  const run = await project.host({
    ...options,
    scenario: inTurn([...commands.map((command) => bash(command)), says("That is all.")]),
  });
  const told = run.model.main.slice(1).map(({ news }) => news);
  const denials = run.result["permission_denials"] as { tool_input: { command: string } }[];
  return { run, told, denied: denials.map(({ tool_input: { command } }) => command) };
}

/** Each would leave a file behind. */
const SMUGGLED = [
  "babysitter run:status; touch smuggled",
  "babysitter run:status && touch smuggled",
  "babysitter run:status || touch smuggled",
  "babysitter run:status | tee smuggled",
  "babysitter run:status & touch smuggled",
  "babysitter run:status\ntouch smuggled",
  "babysitter run:status $(touch smuggled)",
  "babysitter run:status `touch smuggled`",
  "babysitter run:status <(touch smuggled)",
  "babysitter run:status > smuggled",
  "babysitter run:status 2> smuggled",
  'babysitter run:status "$(touch smuggled)"',
  "babysitter run:status - <<E\n$(touch smuggled)\nE",
  "babysitter run:status <<'E'\nE\ntouch smuggled",
  "(babysitter run:status; touch smuggled)",
  "babysitter() { touch smuggled; }; babysitter run:status",
  "NODE_OPTIONS=--require=./smuggle.cjs babysitter run:status",
  "PATH=. babysitter run:status",
  "./babysitter run:status",
];

describe.each(HOST_VERSIONS)("permissions in %s", (version) => {
  test.each(MODES)("P6: permission prompts do not stop an unattended run in mode %s", async (mode, model) => {
    const { project, sessionId, agent } = await ownProject(version);
    const commands = [
      "babysitter run:status --json",
      `babysitter task:post ${agent} --status ok --value - <<'EOF'\n{"it's": "$(touch smuggled)"}\nEOF`,
      "babysitter run:iterate --json",
    ];
    const { told, denied } = await gives(project, commands, { sessionId, ...inMode(mode), model });
    expect(project.payloads("PreToolUse").map(({ permission_mode }) => permission_mode)).toEqual([mode, mode, mode]);
    expect(denied).toEqual([]);
    expect(told[0]).toContain('"runId": "own"');
    expect(told[1]).toContain(`Recorded ok for ${agent}`);
    expect(told[2]).toContain("breakpoint-waiting");
    const [resolved] = project.events("own", "EFFECT_RESOLVED");
    expect(JSON.stringify(resolved?.payload)).toContain("$(touch smuggled)");
    expect(fs.existsSync(project.path("smuggled"))).toBe(false);
  });

  test.each(MODES)("P6: everything else falls to the host's own prompt in mode %s", async (mode, model) => {
    const { project, sessionId, question } = await ownProject(version);
    await project.create("p.mjs#work", "other");
    fs.writeFileSync(project.path("babysitter"), "#!/bin/sh\ntouch smuggled\n", { mode: 0o755 });
    fs.writeFileSync(project.path("smuggle.cjs"), 'require("node:fs").writeFileSync("smuggled", "");\n');
    const commands = [
      `babysitter task:post ${question} --status ok`,
      `babysitter breakpoint:approve ${question}`,
      "babysitter run:status other",
      "babysitter run:status --runs-dir /etc",
      "babysitter run:cancel own",
      ...SMUGGLED,
      // In this mode the host gives up after ten refusals.
    ].slice(0, mode === "auto" ? 9 : undefined);
    const { denied } = await gives(project, commands, { sessionId, ...inMode(mode), model });
    expect(denied).toEqual(commands);
    expect(fs.existsSync(project.path("smuggled"))).toBe(false);
    expect(project.count("own", "EFFECT_RESOLVED") + project.count("own", "RUN_CANCELLED")).toBe(0);
  });

  test("P6: without permissions the hook changes nothing but which program it is: another one is first on the PATH", async () => {
    const { project, sessionId } = await ownProject(version);
    const bin = path.join(project.root, "global");
    fs.mkdirSync(bin);
    fs.writeFileSync(path.join(bin, "babysitter"), "#!/bin/sh\necho another program\n", { mode: 0o755 });
    const PATH = [bin, path.dirname(process.execPath), "/usr/bin", "/bin"].join(":");
    const commands = ["babysitter run:status", "babysitter run:list", "babysitter run:list; echo two"];
    const { told, denied } = await gives(project, commands, { sessionId, env: { PATH } });
    expect(denied).toEqual([]);
    expect(told[0]).toMatch(/run +own/u);
    expect(told[1]).toContain("own");
    expect(told[1]).not.toContain("another program");
    expect(told[2]).toContain("another program\ntwo");
  });

  test("P6: run:iterate with code that was changed since falls to the host's own prompt", async () => {
    const { project, sessionId } = await ownProject(version);
    const commands = ["babysitter run:iterate", "babysitter run:status"];
    fs.writeFileSync(project.path("p.mjs"), `import "node:fs";${PROCESS}`);
    const { denied } = await gives(project, commands, { sessionId, permissionMode: "default" });
    expect(denied).toEqual(["babysitter run:iterate"]);
  });
});
