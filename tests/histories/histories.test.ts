import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { eventsOf } from "../fixtures/stored-events.js";
import { tempDir } from "../fixtures/temp-dir.js";

/**
 * Journals recorded by every released version of the replay rules. Each is cut before its last event, so
 * that today's engine has to replay all of it and must come to the recorded end.
 */
const HISTORIES = import.meta.dirname;
const REPLAY = path.join(HISTORIES, "replay-history.mjs");
const recorded = fs
  .readdirSync(HISTORIES)
  .filter((name) => name.startsWith("semantics-"))
  .flatMap((semantics) => fs.readdirSync(path.join(HISTORIES, semantics)).map((name) => ({ semantics, name })))
  .filter(({ semantics, name }) => fs.existsSync(path.join(HISTORIES, semantics, name, "journal")));

interface Replayed {
  findings: unknown[];
  recorded: { status: string; reason: string; output: unknown };
  forks: { at: number; status: string; reason: string; error?: unknown }[];
  replayed: unknown;
}

function replay({ semantics, name }: { semantics: string; name: string }): Replayed {
  const project = tempDir();
  const runDir = path.join(project, ".a5c/runs", name);
  fs.cpSync(path.join(HISTORIES, semantics, name), runDir, { recursive: true });
  fs.copyFileSync(path.join(HISTORIES, semantics, `${name}.mjs`), path.join(project, `${name}.mjs`));
  return JSON.parse(execFileSync(process.execPath, [REPLAY, runDir], { encoding: "utf8" })) as Replayed;
}

/** True where a copy ends with a failure that was taken back only later: today's code may not know what failed. */
function isBeforeRetry({ semantics, name }: { semantics: string; name: string }, at: number): boolean {
  return eventsOf(path.join(HISTORIES, semantics, name)).some(
    ({ type, seq, payload }) => type === "EFFECT_RETRIED" && (payload["resolution"] as number) <= at && at < seq,
  );
}

test("there are histories to replay", () => {
  expect(recorded.length).toBeGreaterThan(0);
});

test.each(recorded)(
  "C5 C12: the journal $semantics/$name replays to its recorded end, and forks at every event",
  (history) => {
    const result = replay(history);
    expect(result.findings).toEqual([]);
    expect(result.recorded).toMatchObject({ status: "completed", reason: "terminal-state" });
    expect(result.replayed).toMatchObject({ status: "completed", reason: "completed", output: result.recorded.output });
    const failed = result.forks.filter(({ at, status }) => status === "failed" && !isBeforeRetry(history, at));
    expect(failed).toEqual([]);
  },
);
