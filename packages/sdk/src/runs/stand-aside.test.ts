import { expect, it } from "vitest";
import { ok, other, work } from "../../../../tests/fixtures/replay/journal-views.js";
import { RUN, sharedRun } from "../../../../tests/fixtures/replay/shared-run.js";
import { effectIdOf } from "../replay/identity.js";
import type { ProcessContext } from "../replay/process-context.js";
import { recordStart } from "./attempts.js";
import { LiveRun } from "./live-run.js";
import { RunJournal } from "./run-journal.js";

const WORK = effectIdOf(RUN, "work:1");
const BESIDE = effectIdOf(RUN, "other:1");

it("C6 C21 J2: while another program writes for it, a journal neither tells of what is seen there nor gets in its way", async () => {
  const ports = await sharedRun(async (_: never, ctx: ProcessContext) => {
    const beside = ctx.task(other, {});
    return [await ctx.task(work, {}), await ctx.task(work, { second: true }), await beside];
  });
  const host = await LiveRun.open(ports, RUN, { quietLimitMs: 5_000 });
  await host.iterate();
  const driver = await RunJournal.open(ports, RUN);
  const told: string[] = [];
  driver.observe(({ type, invocationKey }) => told.push(`${type} ${invocationKey}`));
  let sync = (): void => undefined;
  const durable = new Promise<void>((resolve) => (sync = resolve));
  const seen = new Promise<void>((resolve) => {
    void driver.standAside(async () => {
      await host.post({ effectId: WORK, result: ok("w") });
      resolve();
      await durable;
    });
  });
  const caughtUp = driver.catchUp().then(() => told.push("dispatch"));
  const started = recordStart(driver, BESIDE, { attempt: 1, executor: "test", host: "here" });
  const next = driver.standAside(async () => told.push("next"));
  await seen;
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  expect(told).toEqual([]);
  sync();
  expect(await started).toBe(true);
  await Promise.all([caughtUp, next]);
  const events = ["EFFECT_RESOLVED work:1", "EFFECT_REQUESTED work:2", "EFFECT_STARTED other:1"];
  expect(told.filter((line) => line.startsWith("EFFECT"))).toEqual(events);
  expect(told.indexOf("dispatch")).toBeGreaterThan(told.indexOf("EFFECT_REQUESTED work:2"));
  await host.close();
});

it("C21: one that has failed to write does not stop anybody", async () => {
  const ports = await sharedRun(async (_: never, ctx: ProcessContext) => ctx.task(work, {}));
  const journal = await RunJournal.open(ports, RUN);
  const failed = journal.standAside(() => Promise.reject(new Error("it has died")));
  const after = journal.standAside(async () => "goes on");
  await expect(failed).rejects.toThrow("it has died");
  expect(await after).toBe("goes on");
  expect(await journal.catchUp()).toEqual([]);
});
