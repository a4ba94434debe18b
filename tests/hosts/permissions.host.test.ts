/** The permission hook in the real host: what runs without a question, and what the host still decides by itself. */
import { randomUUID } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { CLI } from "../fixtures/command-line.js";
import { HostProject } from "./rig/host-run.js";
import { HOST_VERSIONS, type HostVersion } from "./rig/install-hosts.js";
import { beginOwnRun, gives, OWN_PROCESS } from "./rig/own-run.js";
import { newShippedProject, pathWith } from "./rig/shipped-plugin.js";

/** A mode, and a model with which the host has it. */
const MODES = [
  ["default", "claude-sonnet-4-5"],
  ["acceptEdits", "claude-sonnet-4-5"],
  ["auto", "claude-opus-4-6"],
] as const;

/** With a run of the session's own that waits for agent and person, and nothing that holds the session. */
async function ownProject(version: HostVersion) {
  const project = new HostProject(version, { "p.mjs": OWN_PROCESS });
  const file = path.join(project.plugin.dir, "hooks", "hooks.json");
  const { hooks } = JSON.parse(fs.readFileSync(file, "utf8")) as { hooks: Record<string, unknown> };
  const command = `tee -a '${project.plugin.payloads}' | '${process.execPath}' '${CLI}' hook:run --hook-type pre-tool-use --harness claude-code`;
  hooks["PreToolUse"] = [{ matcher: "Bash", hooks: [{ type: "command", command }] }];
  delete hooks["Stop"];
  fs.writeFileSync(file, JSON.stringify({ hooks }));
  return { project, ...(await beginOwnRun(project)) };
}

describe.each(HOST_VERSIONS)("permissions in %s", (version) => {
  test.each(MODES)("P6: permission prompts do not stop an unattended run in mode %s", async (mode, model) => {
    const { project, sessionId, agent } = await ownProject(version);
    const commands = [
      "babysitter run:status --json",
      `babysitter task:post ${agent} --status ok --value - <<'EOF'\n{"it's": "$(touch smuggled)"}\nEOF`,
      "babysitter run:iterate --json",
    ];
    const { told, denied } = await gives(project, commands, { sessionId, permissionMode: mode, model });
    expect(project.payloads("PreToolUse").map(({ permission_mode }) => permission_mode)).toEqual([mode, mode, mode]);
    expect(denied).toEqual([]);
    expect(told[0]).toContain('"runId": "own"');
    expect(told[1]).toContain(`Recorded ok for ${agent}`);
    expect(told[2]).toContain("breakpoint-waiting");
    const [resolved] = project.events("own", "EFFECT_RESOLVED");
    expect(JSON.stringify(resolved?.payload)).toContain("$(touch smuggled)");
    expect(fs.existsSync(project.path("smuggled"))).toBe(false);
  });

  test("P6: the plugin's own program runs although another one is first on the PATH: in pipes too, and before there is a loop", async () => {
    const project = newShippedProject(version);
    const env = { PATH: pathWith(project, { babysitter: "echo another program" }) };
    const commands = ["babysitter run:list", "babysitter run:list | cat", "echo $(babysitter paths --json); echo two"];
    const { told, denied } = await gives(project, commands, { sessionId: randomUUID(), env });
    expect(denied).toEqual([]);
    expect(told[0]).toContain("No runs in");
    expect(told[1]).toContain("No runs in");
    expect(told[2]).toMatch(/runs[^]*two/u);
    expect(told.join()).not.toContain("another program");
  });

  test("P6: run:iterate with code that was changed since falls to the host's own prompt", async () => {
    const { project, sessionId } = await ownProject(version);
    const commands = ["babysitter run:iterate", "babysitter run:status"];
    fs.writeFileSync(project.path("p.mjs"), `import "node:fs";${OWN_PROCESS}`);
    const { denied } = await gives(project, commands, { sessionId, permissionMode: "default" });
    expect(denied).toEqual(["babysitter run:iterate"]);
  });
});
