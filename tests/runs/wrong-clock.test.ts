import { expect, test } from "vitest";
import { Project } from "../fixtures/project.js";
import { shiftedClock } from "../fixtures/shifted-clock.js";

const NAP = `
export async function process(inputs, ctx) {
  await ctx.task({ kind: "agent", id: "work", agent: { prompt: "x" } });
  await ctx.sleep(inputs.ms ?? 500);
  return "awake";
}
`;

test("C8: a sleep after a result that was posted with a clock 1,000 days ahead takes half a second", async () => {
  const project = new Project({ "p.mjs": NAP });
  await project.create("p.mjs", "nap");
  const [action] = (await project.ask(["run:iterate", "nap"])).nextActions;
  await project.ask(["task:post", "nap", action?.effectId ?? "", "--status", "ok", "--value", "-"], {
    stdin: "1",
    env: shiftedClock(1_000),
  });
  expect((await project.ask(["run:status", "nap"])).why).toMatch(/The clock shows .* before an event of this run/);
  const done = await project.run(["run", "nap", "--json"]);
  expect([done.code, done.json().output]).toEqual([0, "awake"]);
  expect(done.stderr).toContain("The clock shows");
  expect(project.events("nap", "CLOCK_SET_BACK")).toHaveLength(1);
});

test("C8: an hour that was asked for with a clock 1,000 days ahead ends an hour after the next command", async () => {
  const project = new Project({ "p.mjs": NAP });
  await project.create("p.mjs", "nap", ["--inputs", "-"], { stdin: '{"ms":3600000}' });
  const [action] = (await project.ask(["run:iterate", "nap"])).nextActions;
  await project.post("nap", action?.effectId ?? "", 1);
  await project.ask(["run:iterate", "nap"], { env: shiftedClock(1_000) });
  const before = Date.now();
  const { status, warnings, nextActions } = await project.ask(["run:iterate", "nap"]);
  const end = Date.parse(nextActions[0]?.until ?? "") - 3_600_000;
  expect([status, end >= before, end <= Date.now()]).toEqual(["waiting", true, true]);
  expect(warnings).toEqual([expect.stringContaining("it is wrong now, or was wrong then")]);
});
