/** The scripts of the documentation, run as a user would run them: from the files that are copied. */
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { CLI, execute, type Finished } from "../fixtures/command-line.js";
import { Project } from "../fixtures/project.js";

const EXAMPLES = fileURLToPath(new URL("../../docs/examples/ci", import.meta.url));
const BIN = path.join(path.dirname(CLI), "bin");
const JQ = fileURLToPath(new URL("../fixtures/hooks/stand-ins/jq.mjs", import.meta.url));

/** A breakpoint and parallel tasks, as authors write them. */
const PROCESS = `const writePlan = { id: "write-plan", kind: "shell", shell: { command: "cat > plan.md", stdin: "# Plan" } };
const build = { id: "build", kind: "node", node: { entry: "./scripts/build.mjs" } };
const lint = { id: "lint", kind: "shell", shell: { command: "echo clean" } };
export async function ciProcess(inputs, ctx) {
  await ctx.task(writePlan, { content: "plan" });
  if (inputs.ask) {
    const answer = await ctx.breakpoint({ question: "Approve the plan?", context: { files: [{ path: "plan.md", format: "markdown" }] } });
    if (!answer.approved) throw new Error("rejected");
  }
  const [built, linted] = await ctx.parallel.all([() => ctx.task(build, { target: "app" }), () => ctx.task(lint)]);
  if (inputs.fail) throw new Error("as asked");
  return { built, linted: linted.stdout };
}
export const process = ciProcess;
`;

/** With everything on PATH that the scripts call by name. */
async function bash(project: Project, script: string, { env = {}, args = [] as string[] } = {}): Promise<Finished> {
  const bin = project.path("bin");
  fs.mkdirSync(bin, { recursive: true });
  const programs = {
    babysitter: `exec "${BIN}/babysitter" "$@"`,
    node: `exec "${process.execPath}" "$@"`,
    jq: `exec "${process.execPath}" "${JQ}" "$@"`,
  };
  for (const [name, line] of Object.entries(programs))
    fs.writeFileSync(path.join(bin, name), `#!/bin/sh\n${line}\n`, { mode: 0o755 });
  const where = { cwd: project.dir, home: project.home };
  return execute("bash", ["-c", script, "bash", ...args], {
    ...where,
    env: { PATH: `${bin}:${process.env["PATH"]}`, ...env },
  });
}

function ciProject(inputs: object): Project {
  return new Project({
    ".a5c/processes/ci.mjs": PROCESS,
    "scripts/build.mjs": "export default ({ target }) => `${target} built`;",
    "ci-inputs.json": JSON.stringify(inputs),
  });
}

/** The documented loop, word for word in what it does: pre-increment under plain bash, status read with jq. */
const SEED_LOOP = `
ITERATION=0
while true; do
  ((ITERATION++))
  RESULT=$(babysitter run:iterate "$RUN_ID" --json --iteration $ITERATION)
  STATUS=$(echo "$RESULT" | jq -r '.status')
  echo "Iteration $ITERATION: $STATUS"
  if [ "$STATUS" = "completed" ]; then
    exit 0
  elif [ "$STATUS" = "failed" ]; then
    exit 1
  elif [ "$STATUS" = "waiting" ]; then
    echo "Breakpoint detected, cannot auto-approve in CI"
    exit 1
  fi
done
`;

const CREATE = `babysitter run:create --process-id ci/build-and-test --entry .a5c/processes/ci.mjs#ciProcess --inputs ci-inputs.json --run-id "$RUN_ID" > /dev/null\n`;

describe("scripts of the documentation", () => {
  it.each([
    [{}, 0, ["executed", "executed", "completed"]],
    [{ fail: true }, 1, ["executed", "executed", "failed"]],
    [{ ask: true }, 1, ["executed", "waiting"]],
  ])("C19 H4: the known Actions job under plain bash, inputs %j", async (inputs, code, statuses) => {
    const project = ciProject(inputs);
    const done = await bash(project, CREATE + SEED_LOOP, { env: { RUN_ID: "run-7" } });
    const told = done.stdout.split("\n").flatMap((line) => /^Iteration \d+: (\w+)$/.exec(line)?.[1] ?? []);
    expect([done.stderr, done.code, told]).toEqual(["", code, statuses]);
  });

  it("C19: our loop works under set -e, waits for long tasks, and stops at a question", async () => {
    const project = ciProject({ ask: true });
    const loop = fs.readFileSync(path.join(EXAMPLES, "loop.sh"), "utf8");
    const env = { RUN_ID: "run-7", BABYSITTER_ITERATE_WAIT_MS: "1" };
    await bash(project, CREATE, { env });
    const waiting = await bash(project, loop, { env, args: ["run-7"] });
    expect([waiting.code, waiting.stderr, waiting.stdout.trim().split("\n").at(-1)]).toEqual([
      3,
      "",
      "waits: breakpoint-waiting",
    ]);
    const { nextActions } = await project.ask(["run:iterate", "run-7"]);
    await project.ask(["breakpoint:approve", nextActions[0]?.effectId as string]);
    const done = await bash(project, loop, { env, args: ["run-7"] });
    expect([done.code, done.stderr]).toEqual([0, ""]);
    expect(await project.ask(["run:iterate", "run-7"])).toMatchObject({
      output: { built: "app built", linted: "clean\n" },
    });
  });

  it("C19: the job of the documentation runs its commands under bash -e, as GitHub does", async () => {
    const project = ciProject({});
    const workflow = fs.readFileSync(path.join(EXAMPLES, "github-actions.yml"), "utf8");
    const [command = ""] = [...workflow.matchAll(/run: \|\n((?: {10}.+\n)+)/g)].map(([, text]) => text);
    expect(command).toContain("babysitter run");
    const done = await bash(project, `set -e\n${command}`, { env: { RUN_ID: "run-7", CI: "true" } });
    expect([done.code, done.stderr]).toEqual([0, ""]);
    expect(done.stdout).toContain("completed  run-7");
  });

  it("H7: the first block of the hooks guide makes a hook that is called by hand and by every completed run", async () => {
    const guide = fs.readFileSync(fileURLToPath(new URL("../../docs/guide/hooks.md", import.meta.url)), "utf8");
    const [, block = ""] = /```sh\n([\s\S]*?)```/u.exec(guide) ?? [];
    const project = new Project({ "p.mjs": "export const process = async () => 'done';\n" });
    const done = await bash(project, `set -e\n${block}`);
    expect([done.code, done.stderr]).toEqual([0, ""]);
    expect(done.stdout).toMatch(/^on-run-complete\n +1 +project +\.a5c\/hooks\/on-run-complete\/tell-me\.sh\n/mu);
    expect(done.stdout.trimEnd().split("\n").at(-1)).toBe("the test is done");
    await project.create("p.mjs", "my-run");
    await project.ask(["run:iterate", "my-run"]);
    expect(project.read("done.txt")).toBe("the test is done\nmy-run is done\n");
  });
});
