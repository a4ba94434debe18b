import { expect, it } from "vitest";
import { statusOf } from "../model/run-state.js";
import { createTestRun } from "../testing/index.js";
import { stateAt } from "./state-at.js";

it("folds a run up to any of its events, and refuses what is none", async () => {
  const run = await createTestRun({ process: (_, ctx) => ctx.task({ kind: "agent", id: "write" }), runId: "past" });
  await run.complete(() => ({ status: "ok", value: "done" }));
  const journal = await run.journal();
  const states = await Promise.all((await run.events()).map(async ({ seq }) => statusOf(await stateAt(journal, seq))));
  expect(states).toEqual(["created", "waiting", "running", "completed"]);
  expect(await stateAt(journal, states.length)).toEqual(journal.summary);
  for (const seq of [0, states.length + 1, 1.5, Number.NaN])
    await expect(stateAt(journal, seq)).rejects.toMatchObject({ code: "USAGE" });
});
