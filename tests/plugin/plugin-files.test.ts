import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { GLOBAL_OPTIONS } from "../../packages/sdk/src/cli/grammar/command-spec.js";
import { COMMANDS } from "../../packages/sdk/src/cli/grammar/command-table.js";
import { HOOK_EVENTS } from "../../packages/sdk/src/hosts/host.js";
import { VERSION } from "../../packages/sdk/src/model/version.js";
import { LoopProject, SESSION } from "../fixtures/loop-runs/loop-project.js";
import { guardCommand, PLUGIN, REPOSITORY } from "../fixtures/plugin/plugin-copy.js";

const BUDGET_BYTES = 8_000;

function read(name: string): string {
  return fs.readFileSync(path.join(PLUGIN, name), "utf8");
}

function hooksIn(
  name: string,
): Record<string, { matcher?: string; hooks: { command: string; asyncRewake?: boolean }[] }[]> {
  return (JSON.parse(read(name)) as { hooks: ReturnType<typeof hooksIn> }).hooks;
}

function pages(): string[] {
  return fs
    .readdirSync(PLUGIN, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .toSorted();
}

/** What a page tells its readers to run: in fences, and in backticks that begin with the name. */
function commandsOn(page: string): string[] {
  const text = page
    .replaceAll(/"?\$\{CLAUDE_PLUGIN_ROOT\}\/bin\/babysitter"?/gu, "babysitter")
    .replaceAll('"$BABYSITTER_CLI"', "babysitter");
  const inline = [...text.matchAll(/`(babysitter [^`\n]+)`/gu)].map(([, command = ""]) => command);
  const fenced = [...text.matchAll(/^```sh\n(.*?)^```/gmsu)].flatMap(([, block = ""]) =>
    block.split("\n").flatMap((line) => /(?:^|\| )(babysitter .+)$/u.exec(line)?.[1] ?? []),
  );
  return [...inline, ...fenced];
}

describe("the files of the plugin", () => {
  it("P1: has a manifest, two hook files, skills, commands and an agent, and one version number", () => {
    const manifest = JSON.parse(read(".claude-plugin/plugin.json")) as Record<string, unknown>;
    expect(manifest).toMatchObject({ name: "babysitter", version: VERSION, hooks: ["./hooks/modern.json"] });
    const files = [
      ["resume", "status", "pause", "cancel", "doctor"].map((name) => `commands/${name}.md`),
      ["HOOKS", "ORCHESTRATION_GUIDE", "ADVANCED_PATTERNS"].map((name) => `skills/babysit/reference/${name}.md`),
      ["skills/babysit/SKILL.md", "skills/babysitter-score/SKILL.md", "agents/babysitter.md"],
      ["README.md", "LICENSE", "dist/third-party-licenses.txt"],
    ].flat();
    expect(files.filter((name) => read(name).trim() === "")).toEqual([]);
    const marketplace = JSON.parse(
      fs.readFileSync(path.join(REPOSITORY, ".claude-plugin/marketplace.json"), "utf8"),
    ) as {
      plugins: { name: string; source: string }[];
    };
    expect(marketplace.plugins.map(({ name, source }) => [name, path.resolve(REPOSITORY, source)])).toEqual([
      ["babysitter", path.resolve(PLUGIN)],
    ]);
  });

  it("keeps events that not every version knows out of the first hook file", () => {
    expect(Object.keys(hooksIn("hooks/hooks.json")).toSorted()).toEqual([
      "PostToolUse",
      "PreToolUse",
      "SessionEnd",
      "SessionStart",
      "Stop",
      "UserPromptSubmit",
    ]);
    expect(Object.keys(hooksIn("hooks/modern.json")).toSorted()).toEqual([
      "ConfigChange",
      "PermissionRequest",
      "StopFailure",
      "UserPromptExpansion",
    ]);
  });

  it("hands each event to the guard under the name that hook:run knows", () => {
    const known: readonly string[] = HOOK_EVENTS;
    for (const file of ["hooks/hooks.json", "hooks/modern.json"]) {
      for (const [event, entries] of Object.entries(hooksIn(file))) {
        const name = event.replaceAll(/(?<!^)[A-Z]/gu, "-$&").toLowerCase();
        const names = event.startsWith("Stop") ? [name, `${name}-watch`] : [name];
        for (const wanted of names) expect(known).toContain(wanted);
        for (const { hooks } of entries) {
          // Without another shell in between, so that it costs nothing and a hook sees when its host is gone.
          expect(hooks.map(({ command }) => command)).toEqual(names.map(guardCommand));
          // The host waits for the others.
          expect(hooks.map(({ asyncRewake = false }) => asyncRewake)).toEqual(names.map((wanted) => wanted !== name));
        }
      }
    }
    expect(hooksIn("hooks/hooks.json")["PreToolUse"]?.[0]?.matcher).toBe("Bash|AskUserQuestion");
    expect(hooksIn("hooks/hooks.json")["PostToolUse"]?.[0]?.matcher).toBe("AskUserQuestion");
    expect(hooksIn("hooks/modern.json")["PermissionRequest"]?.[0]?.matcher).toBe("AskUserQuestion");
  });

  it("P7: SKILL.md and references (HOOKS, ORCHESTRATION_GUIDE, ADVANCED_PATTERNS), babysitter-score skill, agents/babysitter.md; instructions under 8 kB", async () => {
    const project = new LoopProject();
    // The longest task that is repeated, with everything else that a start of a session can have to say.
    const criteria = Array.from({ length: 12 }, (_, n) => [
      "--criteria",
      `a-rather-long-name-of-a-criterion-that-has-to-be-met-${n}: true`,
    ]);
    await project.start(["x ".repeat(1499), ...criteria.flat()]);
    fs.mkdirSync(path.join(project.home, ".a5c/log"), { recursive: true });
    const problem = { at: new Date().toISOString(), hookType: "stop", code: "INTERNAL", message: "m".repeat(200) };
    fs.writeFileSync(path.join(project.home, ".a5c/log/hooks.jsonl"), `${JSON.stringify(problem)}\n`);
    const { stdout } = await project.run(["hook:run", "--hook-type", "session-start", "--harness", "claude-code"], {
      stdin: JSON.stringify({
        session_id: SESSION,
        hook_event_name: "SessionStart",
        source: "compact",
        cwd: project.dir,
      }),
    });
    const { hookSpecificOutput } = JSON.parse(stdout) as { hookSpecificOutput: { additionalContext: string } };
    expect(hookSpecificOutput.additionalContext).toContain("x ".repeat(1400));
    const bytes = Buffer.byteLength(read("skills/babysit/SKILL.md") + hookSpecificOutput.additionalContext);
    expect(bytes).toBeLessThan(BUDGET_BYTES);
  });

  it("has skills that are started by their bare names", () => {
    expect(read("skills/babysit/SKILL.md")).toMatch(/^---\nname: babysit\n/u);
    expect(read("skills/babysitter-score/SKILL.md")).toMatch(/^---\nname: babysitter-score\n/u);
  });

  it.each(pages())("names only commands and options that exist (%s)", (page) => {
    for (const command of commandsOn(read(page))) {
      const [, name = "", ...words] = command.split(/\s+/u);
      if (name === "<command>") continue;
      const spec = COMMANDS.find((candidate) => candidate.name === name || candidate.aliases?.includes(name));
      expect([command, spec?.name]).toEqual([command, expect.any(String)]);
      const known = Object.keys({ ...spec?.options, ...GLOBAL_OPTIONS }).map((option) => `--${option}`);
      for (const option of words.filter((word) => /^--[a-z]/u.test(word))) expect(known).toContain(option);
    }
  });

  it("names only files that are there", () => {
    for (const page of pages()) {
      for (const [, name = ""] of read(page).matchAll(/`((?:reference|hooks|dist|bin|scripts)\/[\w./-]+)`/gu)) {
        const places = [path.dirname(path.join(PLUGIN, page)), PLUGIN].map((dir) => path.join(dir, name));
        expect([page, name, places.some((file) => fs.existsSync(file))]).toEqual([page, name, true]);
      }
    }
  });

  it("puts nothing that a user typed into a shell", () => {
    for (const page of pages())
      expect([page, read(page)]).toEqual([page, expect.not.stringMatching(/!`|^```!|\$ARGUMENTS|\$\d/mu)]);
  });

  it("P6: Bundled CLI in the plugin, no global install, no npx, no jq", () => {
    expect(fs.existsSync(path.join(PLUGIN, "package.json"))).toBe(false);
    const scripts = fs
      .readdirSync(PLUGIN, { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".sh") || name.endsWith("bin/babysitter"));
    expect(scripts.length).toBeGreaterThan(8);
    for (const name of scripts) {
      expect([name, read(name)]).toEqual([name, expect.not.stringMatching(/\b(?:npx|npm|jq|perl|python3?|bash)\b/u)]);
      expect([name, fs.statSync(path.join(PLUGIN, name)).mode & 0o111]).toEqual([name, 0o111]);
    }
  });
});
