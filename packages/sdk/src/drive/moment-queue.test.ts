import { expect, test } from "vitest";
import type { HookDispatch } from "../model/hook-types.js";
import type { MomentCall } from "../runs/hook-moments.js";
import type { RunJournal } from "../runs/run-journal.js";
import { MomentQueue } from "./moment-queue.js";

const journal = { runDir: "/run", summary: { pending: {} } } as unknown as RunJournal;
const call = (hookType: MomentCall["hookType"]): MomentCall => ({ hookType, payload: {} });

test("a call whose answer cannot be recorded is told, and the calls behind it are still made", async () => {
  const made: string[] = [];
  const problems: unknown[] = [];
  const queue = new MomentQueue({
    journal,
    hooks: {
      call: async ({ hookType }) => {
        made.push(hookType);
        if (hookType === "on-run-start") throw new Error("no room on the disk");
        return { hookType } as HookDispatch;
      },
      owed: async () => [],
      openQuestions: async () => [],
    },
    onSettled: (problem) => problems.push(problem),
  });
  queue.add(call("on-run-start"));
  queue.add(call("on-run-complete"));
  expect(queue.busy).toBe(true);
  await queue.idle();
  expect(queue.busy).toBe(false);
  expect(made).toEqual(["on-run-start", "on-run-complete"]);
  expect(problems).toMatchObject([{ message: "no room on the disk" }, undefined]);
});
