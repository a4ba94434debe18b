/** The hooks that come with the package: scripts to read and to call by hand, which the engine itself need not start. */
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { HOOK_TYPES } from "../../packages/sdk/src/model/hook-types.js";
import { CLI, execute, type Finished } from "../fixtures/command-line.js";
import { Project } from "../fixtures/project.js";

const SHIPPED = fileURLToPath(new URL("../../packages/sdk/hooks", import.meta.url));
const PLUGIN = fileURLToPath(new URL("../../plugins/babysitter", import.meta.url));

const PROCESS = `export async function process(inputs, ctx) {
  await ctx.hook("pre-commit", {});
  await ctx.task({ kind: "node", labels: ["score"], node: { entry: "score.mjs" } });
  return ctx.breakpoint("Ship it?");
}`;

function shippedProject(): Project {
  return new Project({ "p.mjs": PROCESS, "score.mjs": "export default () => ({ score: 85 });" });
}

async function byHand(project: Project, script: string, payload: object): Promise<Finished> {
  return execute(path.join(SHIPPED, script), [], {
    cwd: project.dir,
    home: project.home,
    env: { BABYSITTER_CLI: CLI },
    stdin: JSON.stringify(payload),
  });
}

describe("hooks that come with the package", () => {
  it("H6: there is one for every type", () => {
    const types = fs
      .readdirSync(SHIPPED, { withFileTypes: true })
      .flatMap((found) => (found.isDirectory() ? found.name : []));
    expect(types).toEqual(Object.keys(HOOK_TYPES).toSorted());
    expect(fs.readdirSync(path.join(SHIPPED, "on-breakpoint"))).toEqual(["breakpoint-cli.sh"]);
    for (const type of types)
      expect(fs.readdirSync(path.join(PLUGIN, "hooks", type))).toEqual(fs.readdirSync(path.join(SHIPPED, type)));
  });

  it.each(Object.keys(HOOK_TYPES).filter((type) => type !== "on-breakpoint"))(
    "H6: the logger of %s works by hand: its payload on stderr, JSON on stdout",
    async (type) => {
      const { code, stdout, stderr } = await byHand(new Project(), `${type}/logger.sh`, { runId: "test" });
      expect([code, JSON.parse(stdout)]).toEqual([0, { ok: true }]);
      expect(stderr).toMatch(new RegExp(`^\\S+Z ${type} \\{"runId":"test"\\}\\n$`, "u"));
    },
  );

  it("H6: breakpoint-cli.sh shows the question of its payload, and fails if there is none", async () => {
    const project = shippedProject();
    await project.create("p.mjs", "r");
    await project.ask(["run:iterate", "r"]);
    const [action] = (await project.ask(["run:iterate", "r"])).nextActions;
    const { code, stdout, stderr } = await byHand(project, "on-breakpoint/breakpoint-cli.sh", {
      breakpointId: action?.effectId,
    });
    expect([code, JSON.parse(stdout)]).toEqual([0, { ok: true }]);
    expect(stderr).toContain("Ship it?");
    for (const payload of [{ breakpointId: "nothing" }, {}])
      expect(await byHand(project, "on-breakpoint/breakpoint-cli.sh", payload)).not.toMatchObject({ code: 0 });
  });

  it.each(["--plugin-root", "CLAUDE_PLUGIN_ROOT"])(
    "H6: in the plugin that %s names, no script of them is started, and the run goes as without it",
    async (way) => {
      const [plain, given] = [shippedProject(), shippedProject()];
      const marked = path.join(given.root, "plugin");
      fs.cpSync(SHIPPED, path.join(marked, "hooks"), { recursive: true });
      const flags = way === "--plugin-root" ? [way, marked] : [];
      const env: Record<string, string> = flags.length === 0 ? { [way]: marked } : {};
      const documents = [];
      for (const [project, more, options] of [[plain, [], {}] as const, [given, flags, { env }] as const]) {
        await project.create("p.mjs", "r");
        const first = await project.ask(["run:iterate", "r", ...more], options);
        const { status, reason, metadata } = await project.ask(["run:iterate", "r", ...more], options);
        documents.push([first.status, first.count, status, reason, metadata]);
        expect(fs.existsSync(path.join(project.runDir("r"), "hooks"))).toBe(false);
        expect(project.events("r", "HOOK_DISPATCHED")).toEqual([]);
      }
      expect(documents[1]).toEqual(documents[0]);
    },
  );

  it("H1: hook:list says which of a plugin's hooks are built in; hook:dispatch calls their scripts", async () => {
    const project = shippedProject();
    fs.cpSync(SHIPPED, project.path("plugins", "babysitter", "hooks"), { recursive: true });
    const { stdout } = await project.run(["hook:list", "on-run-start"]);
    expect(stdout).toBe("on-run-start\n  1  native  logger.sh (built in)\n");
    const called = await project.run(["hook:dispatch", "on-run-start"], { stdin: '{"runId": "test"}' });
    expect([called.code, called.stderr]).toEqual([
      0,
      expect.stringMatching(/^logger\.sh: .* on-run-start \{"runId":"test"\}\n$/u),
    ]);
  });
});
