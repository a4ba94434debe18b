/** The shipped plugin and what it must not let through, in every permission mode of the host. */
import fs from "node:fs";
import { describe, expect, test } from "vitest";
import { BAIT, forbiddenCommands, forgedAnswers } from "./rig/forbidden-commands.js";
import { answers, type HostProject } from "./rig/host-run.js";
import { HOST_VERSIONS, type HostVersion } from "./rig/install-hosts.js";
import { beginOwnRun, gives, OWN_PROCESS } from "./rig/own-run.js";
import { newShippedProject } from "./rig/shipped-plugin.js";

/** A mode, and a model with which the host has it. */
const MODES = [
  ["default", "claude-sonnet-4-5"],
  ["acceptEdits", "claude-sonnet-4-5"],
  ["auto", "claude-opus-4-6"],
] as const;

/** Newer hosts have no check of their own for mode auto here, refuse everything, and give up after ten times. */
const mostRefusals = (version: HostVersion, mode: string): number =>
  mode === "auto" && version !== "2.1.197" ? 10 : 100;

async function withOwnRun(version: HostVersion) {
  const project = newShippedProject(version, { "p.mjs": OWN_PROCESS, ...BAIT });
  fs.chmodSync(project.path("babysitter"), 0o755);
  fs.writeFileSync(`${project.home}/secret.json`, "1");
  const own = await beginOwnRun(project);
  await project.create("p.mjs#work", "other");
  return { project, ...own };
}

/** What the hook has said about commands that were not simply left to the host. */
const opinions = (run: Parameters<typeof answers>[0]): string[] =>
  answers(run, "PreToolUse").filter((answer) => answer.trim() !== "{}");

/** What would free the agent; the engine itself pauses a loop in which nobody gets anywhere. */
const FREEING = ["RUN_CANCELLED", "LOOP_PAUSED", "LOOP_AMENDED", "BREAKPOINT_COMMENTED"];

function decided(project: HostProject, question: string): string[] {
  const events = project.events("own") as unknown as { type: string; effectId?: string; payload: { by?: string } }[];
  return events
    .filter(({ type, effectId }) => FREEING.includes(type) || (type === "EFFECT_RESOLVED" && effectId === question))
    .filter(({ payload }) => payload.by !== "engine")
    .map(({ type }) => type);
}

describe.each(HOST_VERSIONS)("what an agent may not do in Claude Code %s", (version) => {
  test.each(MODES)("P6: none of more than 40 commands slips through in mode %s", async (mode, model) => {
    const { project, sessionId, ...own } = await withOwnRun(version);
    const commands = forbiddenCommands(own);
    expect(commands.length).toBeGreaterThan(40);
    const refused: unknown[] = [];
    const most = mostRefusals(version, mode);
    for (let at = 0; at < commands.length; at += most) {
      const some = commands.slice(at, at + most);
      const { run, denied } = await gives(project, some, {
        sessionId,
        resume: at > 0,
        permissionMode: mode,
        model,
      });
      expect(opinions(run)).toEqual([]);
      refused.push(...denied);
    }
    expect(refused).toEqual(commands);
    expect(fs.existsSync(project.path("smuggled"))).toBe(false);
    expect(project.count("own", "EFFECT_RESOLVED") + project.count("other", "EFFECT_REQUESTED")).toBe(0);
    expect(decided(project, own.question)).toEqual([]);
  });

  test("P6: in bypass mode the hook neither allows nor rewrites any of them, and the command line itself refuses", async () => {
    const { project, sessionId, ...own } = await withOwnRun(version);
    const commands = forbiddenCommands(own);
    const { run, told, denied } = await gives(project, commands, { sessionId });
    expect([denied, opinions(run)]).toEqual([[], []]);
    expect(decided(project, own.question)).toEqual([]);
    const forged = forgedAnswers(own);
    for (const [at, command] of forged.entries())
      expect([command, told[at]]).toEqual([command, expect.stringContaining("DECISION_NOT_ALLOWED")]);
  });
});
