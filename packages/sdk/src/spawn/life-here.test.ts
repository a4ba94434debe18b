import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import { createInterface } from "node:readline";
import { expect, onTestFinished, test } from "vitest";
import { until } from "../../../../tests/fixtures/processes.js";
import { lifeHere } from "./life-here.js";
import { HAS_PROC, refOf } from "./process-group-ref.js";

/** Starts a shell, which prints a line when it is ready. */
async function started(script: string): Promise<{ child: ChildProcess; line: string }> {
  const child = spawn("/bin/sh", ["-c", script], { stdio: ["ignore", "pipe", "ignore"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  const [line] = (await once(createInterface(child.stdout), "line")) as [string];
  return { child, line };
}

test("a process is alive until it has ended", async () => {
  const { child } = await started("echo up; exec sleep 1000");
  const record = refOf(child.pid as number, "m");
  expect(lifeHere(record)).toBe("alive");
  expect(lifeHere({ ...record, startTime: record.startTime.replace(/^\d+/u, "1") })).toBe("dead");
  child.kill("SIGKILL");
  await once(child, "close");
  expect(lifeHere(record)).toBe("dead");
});

test.runIf(HAS_PROC)("a process that nobody has buried is dead", async () => {
  // The shell becomes a program that never asks what has become of its child.
  const { child, line } = await started("sleep 1000 & echo $!; exec sleep 1000");
  await until(() => fs.readFileSync(`/proc/${child.pid}/comm`, "utf8") === "sleep\n");
  const record = refOf(Number(line), "m");
  expect(lifeHere(record)).toBe("alive");
  process.kill(Number(line), "SIGKILL");
  await until(() => lifeHere(record) === "dead");
  // It is still there.
  expect(process.kill(Number(line), 0)).toBe(true);
});
