import { expect, test } from "vitest";
import { RunOnDisk } from "../../../../tests/fixtures/journal/run-on-disk.js";
import { RUN_ID } from "../../../../tests/fixtures/journal/small-run.js";
import type { Executor, RunningWork } from "../effects/executor.js";
import { BabysitterError } from "../model/errors.js";
import type { PendingEffect } from "../model/run-state.js";
import { postResult } from "../runs/post-result.js";
import { RunJournal } from "../runs/run-journal.js";
import { RunningAttempts } from "./running-attempts.js";

const NOW = "2026-01-01T12:00:00.000Z";
const FACTS = { startedAt: NOW, finishedAt: NOW, durationMs: 0 };

const ended = (result: RunningWork["result"]): RunningWork => ({
  group: undefined,
  result,
  stop: async () => undefined,
  onOutput: () => () => undefined,
});
const noRoom = (): RunningWork => {
  const error = { name: "TaskError", message: '"whole" could not be started: spawn EMFILE', code: "EMFILE" };
  return ended(Promise.resolve({ status: "error", reason: "interrupted", noRoom: true, error, facts: FACTS }));
};
const done = (): RunningWork => ended(Promise.resolve({ status: "ok", value: 1, facts: FACTS }));

async function waitingTask(begin: Executor["begin"], roomPatienceMs: number) {
  const run = await RunOnDisk.halfway();
  const journal = await RunJournal.open(run.ports(), RUN_ID);
  const [task] = Object.values(journal.summary.pending) as [PendingEffect];
  const told: string[] = [];
  const settled: unknown[] = [];
  const attempts = new RunningAttempts({
    journal,
    executors: [{ name: "played", kinds: ["agent"], begin }],
    projectRoot: run.home,
    processDir: run.home,
    concurrency: 20,
    report: (progress) => void (progress.type === "notice" && told.push(progress.text)),
    onSettled: (problem) => settled.push(problem),
    isBeingEnded: async () => false,
    roomPatienceMs,
    post: async (request) => void (await postResult(journal, request)),
  });
  /** As the driver does: what stays pending is begun again. */
  const drive = async (): Promise<void> => {
    while (settled.every((problem) => problem === undefined) && journal.summary.pending[task.effectId] !== undefined) {
      const before = settled.length;
      attempts.begin(task);
      await expect.poll(() => settled.length, { timeout: 20_000, interval: 5 }).toBeGreaterThan(before);
      await journal.catchUp();
    }
  };
  const recorded = async (): Promise<string[]> => {
    await journal.catchUp();
    const events = (await journal.ports.store.read(RUN_ID, undefined)) ?? [];
    return events.slice(8).map(({ type }) => type);
  };
  return { attempts, told, settled, drive, recorded };
}

test("C21: a task for which there is no room is not begun, and no attempt is spent on it", async () => {
  let tries = 0;
  const { drive, recorded, told, attempts } = await waitingTask(() => (++tries < 3 ? noRoom() : done()), 60_000);
  await drive();
  expect(await recorded()).toEqual(["EFFECT_STARTED", "EFFECT_RESOLVED"]);
  expect(tries).toBe(3);
  expect(told).toEqual([expect.stringMatching(/^One task runs at a time from now on, not 20: .*EMFILE.*ulimit -n/u)]);
  expect(attempts.limit).toBe(1);
});

test("C21: where there is never any room the driver ends with a coded error, and the task stays as it is", async () => {
  const { drive, recorded, settled } = await waitingTask(noRoom, 0);
  await drive();
  const problem = settled.at(-1);
  expect(BabysitterError.is(problem) && [problem.code, problem.message]).toEqual([
    "SYSTEM_REFUSED",
    expect.stringContaining("EMFILE"),
  ]);
  expect(await recorded()).toEqual([]);
});
