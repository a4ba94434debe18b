import { createHook } from "node:async_hooks";
import { EventEmitter, once } from "node:events";
import fs from "node:fs";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { until } from "../../../../tests/fixtures/processes.js";
import { ok, other, work } from "../../../../tests/fixtures/replay/journal-views.js";
import { waitAsync } from "../../../../tests/fixtures/replay/random-programs.js";
import { tempDir } from "../../../../tests/fixtures/temp-dir.js";
import { createTestRun } from "../testing/index.js";
import type { ProcessContext } from "./process-context.js";

function watchedFile(): string {
  const file = path.join(tempDir(), "watched");
  fs.writeFileSync(file, "");
  return file;
}

/** Ways to wait for a change of the file. */
const WAYS: Record<string, (file: string, signal: AbortSignal) => Promise<unknown>> = {
  "a promise": (file, signal) =>
    new Promise<void>((resolve) => fs.watch(file, { signal, persistent: false }, () => resolve())),
  "events.once": (file, signal) => once(fs.watch(file, { signal, persistent: false }), "change"),
  "fs.promises.watch": async (file, signal) => {
    for await (const change of fs.promises.watch(file, { signal, persistent: false })) return change;
    return undefined;
  },
};
/** What lies between the change and the request. */
const BETWEEN: Record<string, () => unknown> = {
  nothing: () => undefined,
  ticks: async () => {
    await Promise.resolve();
    await Promise.resolve();
  },
  "a timer": () => delay(5),
  "an immediate": () => new Promise((resolve) => setImmediate(resolve)),
  "a file": () => fs.promises.readFile(import.meta.filename),
  "a callback of a file": () => new Promise((resolve) => fs.stat(import.meta.filename, resolve)),
  "a wait without a thread": () => waitAsync(5),
  "an emitter": () => {
    const emitter = new EventEmitter();
    setTimeout(() => emitter.emit("go"), 5);
    return once(emitter, "go");
  },
};

describe.each(Object.keys(WAYS))("a file that is watched through %s", (way) => {
  it.each(Object.keys(BETWEEN))("R5: what it brings after %s is refused", async (between) => {
    const file = watchedFile();
    const end = new AbortController();
    let went = false;
    const run = await createTestRun({
      quietLimitMs: 10_000,
      process: async (_inputs: never, ctx: ProcessContext) => {
        const event = WAYS[way]?.(file, end.signal).catch(() => new Promise(() => undefined));
        const brought = event?.then(async () => {
          await BETWEEN[between]?.();
          went = true;
          return ctx.task(other, {});
        });
        return Promise.race([ctx.task(work, {}), brought]);
      },
    });
    await run.iterate();
    fs.writeFileSync(file, "changed");
    await until(() => went);
    await expect(run.iterate()).rejects.toMatchObject({ code: "REQUEST_NOT_REPLAYABLE" });
    end.abort();
  });
});

it("R5: what is under way beside an event is no part of it, even when both end at the same time", async () => {
  const file = watchedFile();
  const run = await createTestRun({
    quietLimitMs: 300,
    process: async (_inputs: never, ctx: ProcessContext) => {
      const watcher = fs.watch(file, () => undefined);
      fs.writeFileSync(file, "changed");
      const stat = fs.promises.stat(import.meta.filename);
      // Meanwhile both end, so that Node hears of both in one turn.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
      await stat;
      const answer = await ctx.task(work, {});
      watcher.close();
      return answer;
    },
  });
  await run.iterate();
  await run.post("work:1", ok("end"));
  expect((await run.iterate()).output).toBe("end");
});

it.each<[string, () => unknown, () => unknown]>([
  ["timers", () => setTimeout(() => undefined, 1), () => Promise.race([delay(20, "a"), delay(60, "b")])],
  ["random numbers", () => Math.random(), () => Math.random()],
])("R4 R5: %s of an event leave those of the process as they are in a replay", async (_, ofEvent, ofProcess) => {
  const file = watchedFile();
  let heard = 0;
  let watcher: fs.FSWatcher | undefined;
  const run = await createTestRun({
    quietLimitMs: 300,
    process: async (_inputs: never, ctx: ProcessContext) => {
      watcher = fs.watch(file, () => {
        heard += 1;
        ofEvent();
      });
      await ctx.task(work, {});
      return ctx.task(other, { saw: await ofProcess() });
    },
  });
  await run.iterate();
  fs.writeFileSync(file, "changed");
  await until(() => heard > 0);
  await run.post("work:1", ok("slow"));
  await run.iterate();
  watcher?.close();
  await run.restart();
  await run.post("other:1", ok("end"));
  expect((await run.iterate()).output).toBe("end");
});

it.each<[string, (file: string, go: () => void) => () => void, (file: string) => void]>([
  [
    "a watched file",
    (file, go) => {
      const watcher = fs.watch(file, go);
      return () => watcher.close();
    },
    (file) => fs.writeFileSync(file, "changed"),
  ],
  [
    "a watched file, later on",
    (file, go) => {
      const watcher = fs.watch(file, () => void fs.promises.readFile(file).then(() => setTimeout(go, 5)));
      return () => watcher.close();
    },
    (file) => fs.writeFileSync(file, "changed"),
  ],
  [
    "a signal",
    (_file, go) => {
      process.once("SIGUSR2", go);
      return () => process.off("SIGUSR2", go);
    },
    () => process.kill(process.pid, "SIGUSR2"),
  ],
])("R5: what %s brings is refused when it comes, and the run continues", async (_, listen, happen) => {
  const file = watchedFile();
  let isListening = false;
  let went = false;
  const run = await createTestRun({
    quietLimitMs: 100,
    process: async (_inputs: never, ctx: ProcessContext) => {
      let stop = (): void => undefined;
      const event = new Promise<void>((resolve) => (stop = listen(file, resolve)));
      isListening = true;
      const brought = event.then(() => {
        went = true;
        return ctx.task(other, {});
      });
      const first = await Promise.race([ctx.task(work, {}), brought]);
      stop();
      return first;
    },
  });
  await run.iterate();
  expect(isListening).toBe(true);
  happen(file);
  await until(() => went);
  await expect(run.iterate()).rejects.toMatchObject({
    code: "REQUEST_NOT_REPLAYABLE",
    message: expect.stringContaining("cannot repeat"),
  });
  await run.post("work:1", ok("end"));
  expect((await run.iterate()).output).toBe("end");
});

it("R5: however much an event from outside sets off, what comes of it is refused", async () => {
  const file = watchedFile();
  let went = false;
  let watcher: fs.FSWatcher | undefined;
  const steps = async (count: number): Promise<void> => {
    for (let step = 0; step < count; step += 1) await Promise.resolve();
  };
  const run = await createTestRun({
    quietLimitMs: 100,
    process: async (_inputs: never, ctx: ProcessContext) => {
      const event = new Promise<void>((resolve) => {
        watcher = fs.watch(file, () => {
          void steps(20_000).then(() => setTimeout(resolve, 5));
        });
      });
      const brought = event.then(() => {
        went = true;
        return ctx.task(other, {});
      });
      return Promise.race([ctx.task(work, {}), brought]);
    },
  });
  await run.iterate();
  fs.writeFileSync(file, "changed");
  await until(() => went);
  await expect(run.iterate()).rejects.toMatchObject({ code: "REQUEST_NOT_REPLAYABLE" });
  watcher?.close();
});

it("R5: an event from outside is over when what it set off is: the program rests again", async () => {
  const file = watchedFile();
  let heard = false;
  const run = await createTestRun({
    quietLimitMs: 100,
    process: async (_inputs: never, ctx: ProcessContext) => {
      const watcher = fs.watch(file, () => (heard = true));
      await ctx.task(work, {});
      watcher.close();
    },
  });
  await run.iterate();
  fs.writeFileSync(file, "changed");
  await until(() => heard);
  let begun = 0;
  const counter = createHook({ init: (_id, type) => void (begun += type === "Immediate" ? 1 : 0) }).enable();
  for (let turn = 0; turn < 1_000; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  counter.disable();
  expect(begun).toBeLessThan(1_500);
  await run.post("work:1", ok("end"));
  expect((await run.iterate()).status).toBe("completed");
});
