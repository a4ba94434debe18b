import fs from "node:fs";
import { setTimeout as delay, setImmediate as immediate } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { eventTypes, ok, other, pendingKeys, work } from "../../../../tests/fixtures/replay/journal-views.js";
import { createTestRun } from "../testing/index.js";
import type { ProcessContext } from "./process-context.js";
import { defineTask } from "./task-definition.js";

const OWN_FILE = fileURLToPath(import.meta.url);
/** Long enough that nothing in these tests may ever wait for it. */
const NEVER = 3_600_000;

describe("when an iteration ends", () => {
  it("R5: files, timers and immediates between calls are waited for, one after the other", async () => {
    const run = await createTestRun({
      process: async (_: never, ctx: ProcessContext) => {
        await ctx.task(work, {});
        for (let count = 0; count < 30; count += 1) await immediate();
        const text = await fs.promises.readFile(OWN_FILE, "utf8");
        await delay(30);
        const handle = await fs.promises.open(OWN_FILE);
        const { size } = await handle.stat();
        await handle.close();
        await new Promise<void>((resolve) => {
          fs.stat(OWN_FILE, () => process.nextTick(() => setTimeout(resolve, 1)));
        });
        return ctx.task(other, { same: text.length > 0 && size > 0 });
      },
    });
    await run.iterate();
    await run.post("work:1", ok(1));
    await run.iterate();
    expect(await pendingKeys(run)).toEqual(["other:1"]);
    await run.restart();
    await run.post("other:1", ok("end"));
    expect((await run.iterate()).output).toBe("end");
  });

  it("R5: child processes, sockets and streams between calls are waited for", async () => {
    const { execFile } = await import("node:child_process");
    const http = await import("node:http");
    const server = http.createServer((_request, response) => response.end("hello"));
    await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as { port: number };
    try {
      const run = await createTestRun({
        process: async (_: never, ctx: ProcessContext) => {
          const printed = await new Promise<string>((resolve, reject) => {
            execFile(process.execPath, ["-p", "6*7"], (error, stdout) => (error ? reject(error) : resolve(stdout)));
          });
          const text = await new Promise<string>((resolve, reject) => {
            const request = http.get({ port, host: "127.0.0.1", agent: false }, (response) => {
              let body = "";
              response.setEncoding("utf8").on("data", (part: string) => (body += part));
              response.on("end", () => resolve(body));
            });
            request.on("error", reject);
          });
          let read = 0;
          for await (const chunk of fs.createReadStream(OWN_FILE)) read += (chunk as Buffer).length;
          return ctx.task(work, { printed: printed.trim(), text, read: read > 0 });
        },
      });
      expect(await run.iterate()).toMatchObject({ status: "waiting" });
      expect((await run.events()).at(-1)?.payload).toMatchObject({
        args: { value: { printed: "42", text: "hello", read: true } },
      });
      await run.restart();
      await run.post("work:1", ok("end"));
      expect((await run.iterate()).output).toBe("end");
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });

  it("R5: an answer over a connection that was kept alive is waited for", async () => {
    const http = await import("node:http");
    const server = http.createServer((_request, response) => setTimeout(() => response.end("hello"), 40));
    await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as { port: number };
    const get = async () => (await fetch(`http://127.0.0.1:${port}/`)).text();
    try {
      const run = await createTestRun({
        process: async (_: never, ctx: ProcessContext) => {
          const texts = [await get(), await get()];
          await ctx.task(work, { texts });
          return ctx.task(other, { text: await get() });
        },
      });
      for (const key of ["work:1", "other:1"]) {
        await run.iterate();
        expect(await pendingKeys(run)).toEqual([key]);
        await run.restart();
        await run.iterate();
        await run.post(key, ok(key));
      }
      expect((await run.iterate()).output).toBe("other:1");
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });

  it("C20: an unhandled rejection is reported when the process ends, one that was awaited late is not", async () => {
    const run = await createTestRun({
      process: async (_: never, ctx: ProcessContext) => {
        const late = (async () => {
          await ctx.task(work, {});
        })();
        void Promise.reject(new Error("lost save"));
        await ctx.task(other, {});
        return late.catch((error: Error) => error.message);
      },
    });
    await run.iterate();
    await run.post("work:1", { status: "error", error: { message: "failed" } });
    await run.iterate();
    await run.post("other:1", ok(1));
    const end = await run.iterate();
    expect(end.output).toBe("failed");
    expect(end.warnings).toEqual([expect.stringContaining("lost save")]);
  });

  it("R5: compression in many steps is waited for", async () => {
    const { gzip } = await import("node:zlib");
    const run = await createTestRun({
      process: async (_: never, ctx: ProcessContext) => {
        const zipped = await new Promise<Buffer>((resolve, reject) => {
          gzip(Buffer.alloc(8_000_000, "abc"), (error, result) => (error ? reject(error) : resolve(result)));
        });
        return ctx.task(work, { small: zipped.length < 100_000 });
      },
    });
    expect(await run.iterate()).toMatchObject({ status: "waiting" });
    await run.restart();
    await run.post("work:1", ok("end"));
    expect((await run.iterate()).output).toBe("end");
  });

  it("R5: runs in one program do not wait for, or give up, each other's connections", async () => {
    const http = await import("node:http");
    const server = http.createServer();
    const asked = new Promise<() => void>((resolve) => {
      server.on("request", (_request, response) => resolve(() => response.end("hello")));
    });
    await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as { port: number };
    try {
      const slow = await createTestRun({
        process: async (_: never, ctx: ProcessContext) => {
          const text = await (await fetch(`http://127.0.0.1:${port}/`)).text();
          return ctx.task(work, { text });
        },
      });
      const waiting = slow.iterate();
      const quick = await createTestRun({
        quietLimitMs: 300,
        process: async (_: never, ctx: ProcessContext) => ctx.task(other, {}),
      });
      const iteration = await quick.iterate();
      expect([iteration.status, iteration.warnings]).toEqual(["waiting", []]);
      (await asked)();
      expect(await waiting).toMatchObject({ status: "waiting", nextActions: [{ invocationKey: "work:1" }] });
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });

  it("R5: a promise that nothing will settle is a coded error at once, and nothing is recorded", async () => {
    const run = await createTestRun({ quietLimitMs: NEVER, process: () => new Promise(() => undefined) });
    for (let count = 0; count < 2; count += 1) {
      await expect(run.iterate()).rejects.toMatchObject({ code: "PROCESS_STALLED" });
      await run.restart();
    }
    expect(await eventTypes(run)).toEqual(["RUN_CREATED"]);
    await run.edit(() => "fixed");
    expect((await run.iterate()).output).toBe("fixed");
  });

  it("R5: a process that stalls after a result says so and continues when it is fixed", async () => {
    const run = await createTestRun({
      quietLimitMs: NEVER,
      process: async (_: never, ctx: ProcessContext) => {
        await ctx.task(work, {});
        await ctx.parallel.race([]);
      },
    });
    await run.iterate();
    await run.post("work:1", ok("kept"));
    await expect(run.iterate()).rejects.toMatchObject({ code: "PROCESS_STALLED" });
    await run.edit((_: never, ctx: ProcessContext) => ctx.task(work, {}));
    expect((await run.iterate()).output).toBe("kept");
  });

  it("R5: a heartbeat does not keep an iteration open", async () => {
    let beats: NodeJS.Timeout | undefined;
    const run = await createTestRun({
      quietLimitMs: NEVER,
      process: async (_: never, ctx: ProcessContext) => {
        beats = setInterval(() => undefined, 20);
        try {
          return await ctx.task(work, {});
        } finally {
          clearInterval(beats);
        }
      },
    });
    expect(await run.iterate()).toMatchObject({ status: "waiting", warnings: [] });
    await run.post("work:1", ok("end"));
    expect((await run.iterate()).output).toBe("end");
  });

  it("R5: a timer beyond the limit is not waited for", async () => {
    let watchdog: NodeJS.Timeout | undefined;
    const run = await createTestRun({
      quietLimitMs: 5_000,
      process: async (_: never, ctx: ProcessContext) => {
        const timeout = new Promise((resolve) => {
          watchdog = setTimeout(resolve, NEVER, "too late");
        });
        const first = await Promise.race([ctx.task(work, {}), timeout]);
        clearTimeout(watchdog);
        return first;
      },
    });
    expect(await run.iterate()).toMatchObject({ status: "waiting", warnings: [] });
    await run.post("work:1", ok("in time"));
    expect((await run.iterate()).output).toBe("in time");
  });

  it("R5: work that outlasts the limit ends the iteration with a warning while something is pending", async () => {
    const run = await createTestRun({
      quietLimitMs: 20,
      process: async (_: never, ctx: ProcessContext) => {
        const server = (await import("node:net")).createServer();
        await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
        try {
          return await ctx.task(work, {});
        } finally {
          server.close();
        }
      },
    });
    const first = await run.iterate();
    expect(first.status).toBe("waiting");
    expect(first.warnings).toEqual([expect.stringContaining("move such work to a task")]);
    await run.post("work:1", ok("end"));
    expect((await run.iterate()).output).toBe("end");
  });

  it("R5: a builder that never ends is a coded error that names the cause", async () => {
    const endless = defineTask("endless", () => new Promise<never>(() => undefined));
    const run = await createTestRun({
      quietLimitMs: NEVER,
      process: (_: never, ctx: ProcessContext) => ctx.task(endless, {}),
    });
    await expect(run.iterate()).rejects.toMatchObject({
      code: "PROCESS_STALLED",
      message: expect.stringContaining("task definition"),
    });
  });
});
