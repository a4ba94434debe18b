import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import type { EventDraft } from "../../packages/sdk/src/model/events.js";
import { daysAgo, EFFECT, effectEvent, recordRun, requested } from "../fixtures/cli/recorded-runs.js";
import { Project } from "../fixtures/project.js";

interface ShowDoc {
  attempts: Record<string, unknown>[];
  stdout: string | null;
  stderr: string | null;
  truncated: { stdout: boolean; stderr: boolean };
  logs: { file: string; bytes: number }[];
}

const show = async (project: Project): Promise<ShowDoc> =>
  (await project.ask(["task:show", "r", EFFECT])) as unknown as ShowDoc;

const minute = (n: number): string => `2026-01-20T10:${String(n).padStart(2, "0")}:00.000Z`;
const started = (attempt: number, at: string): EventDraft =>
  effectEvent("EFFECT_STARTED", at, { attempt, executor: "shell", host: "box" });
const failed = (attempt: number, at: string, reason: "failed" | "timed-out" | "interrupted"): EventDraft =>
  effectEvent("EFFECT_ATTEMPT_FAILED", at, {
    attempt,
    reason,
    nextAttempt: attempt + 1,
    error: { name: "Error", message: `attempt ${attempt} came to nothing, API_KEY=abc\nmore`, data: { exitCode: 7 } },
  });

async function taskWith(events: EventDraft[], end?: "cancelled"): Promise<Project> {
  const project = new Project();
  await recordRun(project.runsDir, "r", {
    at: daysAgo(1),
    events: [requested(daysAgo(1)), ...events],
    ...(end === undefined ? {} : { end }),
  });
  return project;
}

function writeLogs(project: Project, logs: Record<string, string>): void {
  for (const [name, text] of Object.entries(logs)) project.write({ [`.a5c/runs/r/tasks/${EFFECT}/${name}`]: text });
}

describe("task:show", () => {
  it("C16: lists every attempt with its times, end and error, and the running one", async () => {
    const project = await taskWith([
      started(1, minute(0)),
      failed(1, minute(1), "failed"),
      started(2, minute(2)),
      failed(2, minute(4), "timed-out"),
      started(3, minute(5)),
      failed(3, minute(6), "interrupted"),
      started(4, minute(7)),
    ]);
    const { attempts } = await show(project);
    expect(attempts).toMatchObject([
      {
        attempt: 1,
        executor: "shell",
        host: "box",
        startedAt: minute(0),
        finishedAt: minute(1),
        durationMs: 60_000,
        end: "failed",
        exitCode: 7,
        error: "attempt 1 came to nothing, API_KEY=[hidden]\nmore",
      },
      { attempt: 2, end: "timed-out", durationMs: 120_000 },
      { attempt: 3, end: "interrupted" },
      { attempt: 4, end: "running", startedAt: minute(7) },
    ]);
    expect(attempts[3]).not.toHaveProperty("finishedAt");
    const text = (await project.run(["task:show", "r", EFFECT])).stdout;
    expect(text).toMatch(/attempts:\n {2}1 +failed +shell +2026-01-20T10:00:00.000Z +60000 ms +exit 7 +attempt 1 came/);
    expect(text).toMatch(/\n {2}4 +running +shell/);
  });

  it("C16: takes the facts of the last attempt from its result, and survives metadata of any shape", async () => {
    const resolved = (metadata: never): EventDraft =>
      effectEvent("EFFECT_RESOLVED", minute(9), {
        status: "error",
        attempt: 2,
        by: "post",
        error: { name: "Error", message: "no" },
        startedAt: minute(3),
        finishedAt: minute(4),
        metadata,
      });
    const facts = { durationMs: 59_000, exitCode: 3, signal: "SIGTERM", executor: "node" } as never;
    const before = [started(1, minute(0)), failed(1, minute(1), "failed"), started(2, minute(2))];
    expect((await show(await taskWith([...before, resolved(facts)]))).attempts[1]).toEqual({
      attempt: 2,
      executor: "node",
      host: "box",
      startedAt: minute(3),
      finishedAt: minute(4),
      durationMs: 59_000,
      end: "error",
      exitCode: 3,
      signal: "SIGTERM",
      error: "no",
    });
    for (const odd of [[1], "text", { exitCode: "3", durationMs: null, executor: {} }] as never[])
      expect((await show(await taskWith([...before, resolved(odd)]))).attempts[1]).toMatchObject({
        end: "error",
        executor: "shell",
        durationMs: 60_000,
      });
  });

  it("does not say that an attempt of a cancelled run still runs", async () => {
    const project = await taskWith([started(1, minute(0))], "cancelled");
    expect((await show(project)).attempts).toMatchObject([{ attempt: 1, end: "interrupted" }]);
  });

  it("C16: shows people the last lines of long logs, gives scripts all up to a limit, and says where earlier logs are", async () => {
    const project = await taskWith([started(1, minute(0))]);
    expect(await show(project)).toMatchObject({ stdout: null, truncated: { stdout: false }, logs: [] });
    const lines = Array.from({ length: 100 }, (_, index) => `line ${index + 1}`);
    writeLogs(project, {
      "stdout.log": `${lines.join("\n")}\n`,
      "stderr.log": "TOKEN=abc\n",
      "stdout.attempt-1.log": "earlier",
      "stderr.attempt-1.log": "",
      "result.json.log": "not a log",
    });
    const doc = await show(project);
    expect(doc).toMatchObject({ stdout: `${lines.join("\n")}\n`, stderr: "TOKEN=[hidden]\n" });
    expect(doc.logs).toEqual([
      { file: `tasks/${EFFECT}/stderr.attempt-1.log`, bytes: 0 },
      { file: `tasks/${EFFECT}/stderr.log`, bytes: 10 },
      { file: `tasks/${EFFECT}/stdout.attempt-1.log`, bytes: 7 },
      { file: `tasks/${EFFECT}/stdout.log`, bytes: doc.stdout?.length },
    ]);
    const text = (await project.run(["task:show", "r", EFFECT])).stdout;
    expect(text).toContain(`stdout (the last 40 lines of tasks/${EFFECT}/stdout.log):\n  | line 61\n`);
    expect(text).toContain("\n  | line 100\n");
    expect(text).not.toContain("line 60\n");
    expect(text).toContain(`logs of earlier attempts:\n  tasks/${EFFECT}/stderr.attempt-1.log`);
  });

  it("C16: reads only the end of a huge log, and never half a character", async () => {
    const project = await taskWith([started(1, minute(0))]);
    // Three bytes a character: the limit falls into the middle of one.
    writeLogs(project, { "stdout.log": `${"€".repeat(500_000)}end.\n` });
    const file = path.join(project.runsDir, "r", "tasks", EFFECT, "stdout.log");
    const doc = await show(project);
    expect(doc.truncated).toEqual({ stdout: true, stderr: false });
    expect(doc.stdout?.replaceAll("€", "")).toBe("end.\n");
    expect(Buffer.byteLength(doc.stdout ?? "")).toBeGreaterThan(1024 * 1024 - 4);
    expect(Buffer.byteLength(doc.stdout ?? "")).toBeLessThanOrEqual(1024 * 1024);
    // A file of this size does not fit into a string; most of it is a hole on the disk.
    fs.truncateSync(file, 3 * 1024 * 1024 * 1024);
    fs.appendFileSync(file, "very end\n");
    expect((await show(project)).stdout).toMatch(/very end\n$/);
  });
});
