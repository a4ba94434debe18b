import { expect, it } from "vitest";
import type { ProcessContext } from "../replay/process-context.js";
import { createTestRun } from "../testing/index.js";
import { runViewOf } from "./run-view.js";

const START = "2026-05-01T08:00:00.000Z";
const HOUR = 3_600_000;

it("a sleep that began with a clock far ahead is due for a look, and then ends when its time is over", async () => {
  const run = await createTestRun({
    now: Date.parse(START) + 24_000 * HOUR,
    process: (_: never, ctx: ProcessContext) => ctx.sleep(HOUR),
  });
  await run.iterate();
  await run.restart();
  run.clock.set(START);
  expect(runViewOf(await run.journal())).toMatchObject({ sleepsUntil: START, dueAt: START });
  await run.iterate();
  const end = "2026-05-01T09:00:00.000Z";
  expect(runViewOf(await run.journal())).toMatchObject({ sleepsUntil: end, dueAt: end });
});
