/** What the doctor sees in the runs of a project. */
import fs from "node:fs";
import { expect, test } from "vitest";
import type { Finding } from "../../packages/sdk/src/hosts/finding.js";
import { Project } from "../fixtures/project.js";
import { shiftedClock } from "../fixtures/shifted-clock.js";

const PROCESS = `export const process = (inputs, ctx) => ctx.breakpoint({ question: "Go on?" });\n`;

async function findings(project: Project): Promise<Finding[]> {
  const done = await project.run(["doctor", "--json"]);
  return (JSON.parse(done.stdout) as { findings: Finding[] }).findings.filter(({ check }) =>
    ["clock", "runs"].includes(check),
  );
}

test("C21: the doctor names a clock that is earlier than the journals, and runs that cannot be read", async () => {
  const project = new Project({ "p.mjs": PROCESS });
  await project.create("p.mjs", "good");
  expect((await findings(project)).map(({ check, level }) => [check, level])).toEqual([
    ["runs", "ok"],
    ["clock", "ok"],
  ]);
  await project.create("p.mjs", "ahead", [], { env: shiftedClock(2) });
  await project.create("p.mjs", "bad");
  const [first] = fs.readdirSync(project.path(".a5c/runs/bad/journal"));
  fs.rmSync(project.path(".a5c/runs/bad/state"), { recursive: true, force: true });
  fs.truncateSync(project.path(".a5c/runs/bad/journal", first as string), 10);
  expect((await findings(project)).filter(({ level }) => level !== "ok")).toEqual([
    {
      check: "runs",
      level: "warning",
      text: expect.stringMatching(/^one run cannot be read: bad: /u),
      fix: "babysitter run:check bad",
    },
    {
      check: "clock",
      level: "warning",
      text: expect.stringMatching(/before the newest event of ahead/u),
      fix: expect.stringContaining("date"),
    },
  ]);
});
