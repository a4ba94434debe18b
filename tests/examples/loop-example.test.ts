import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { CLI, execute } from "../fixtures/command-line.js";
import { LoopProject } from "../fixtures/loop-runs/loop-project.js";

const EXAMPLE = fileURLToPath(new URL("../../examples/07-loop", import.meta.url));

it("L10: the example of a loop without an agent refuses two wrong claims and takes the true one", async () => {
  const project = new LoopProject();
  const { code, stdout, stderr } = await execute(process.execPath, [path.join(EXAMPLE, "verify.mjs")], {
    cwd: project.dir,
    home: project.home,
    env: { BABYSITTER_CLI: CLI },
  });
  expect(`${stdout}${stderr}exit ${code}`).toBe("ok 07-loop\nexit 0");
});

it("L10: the commands that its README gives by hand do what it says", async () => {
  const readme = fs.readFileSync(path.join(EXAMPLE, "README.md"), "utf8");
  const [, byHand = ""] = [...readme.matchAll(/```bash\n([\s\S]*?)```/gu)].map(([, commands]) => commands);
  const project = new LoopProject();
  // A check that takes longer than a host waits would be answered with "wait"; here someone waits before.
  const script = `babysitter() { "${process.execPath}" "${CLI}" "$@"; }
${byHand.replaceAll(/^echo '\{/gmu, "babysitter loop:verify --wait >/dev/null\n$&")}`;
  const { stdout, code } = await execute("bash", ["-c", script], { cwd: project.dir, home: project.home });
  const answers = stdout.split("\n").flatMap((line) => (line.startsWith("{") ? [JSON.parse(line) as object] : []));
  expect(answers).toEqual([
    { decision: "block", reason: expect.stringContaining("Not met: greeting"), systemMessage: expect.any(String) },
    { systemMessage: expect.stringContaining("done and verified: greeting") },
  ]);
  expect([code, stdout]).toEqual([0, expect.stringContaining("Done, verified by the engine")]);
});

it("L13: every command in the guide exists, with the options that it shows", async () => {
  const guide = fs.readFileSync(fileURLToPath(new URL("../../docs/guide/loops.md", import.meta.url)), "utf8");
  const shown = new Map<string, Set<string>>();
  for (const [, command = "", rest = ""] of guide.matchAll(/babysitter ([a-z]+:[a-z-]+)([^`\n]*)/gu)) {
    const flags = shown.get(command) ?? new Set<string>();
    for (const [flag] of rest.replaceAll(/'[^']*'/gu, "").matchAll(/--[a-z-]+/gu)) flags.add(flag);
    shown.set(command, flags);
  }
  expect(shown.size).toBeGreaterThan(15);
  const project = new LoopProject();
  for (const [command, flags] of shown) {
    const { code, stdout } = await project.run([command, "--help"]);
    expect([command, code, [...flags].filter((flag) => !stdout.includes(flag))]).toEqual([command, 0, []]);
  }
});
