/**
 * Replays one run in a program of its own: what a process leaves behind in its modules, an endless loop, or a
 * crash must not touch the replay of the next run.
 */
import { spawn } from "node:child_process";
import { BabysitterError } from "../../model/errors.js";
import type { RunId } from "../../model/ids.js";
import { isJsonObject, type JsonObject } from "../../model/json.js";
import type { Ports } from "../../model/ports.js";
import type { ReplayAnswer } from "../../runs/replay-run.js";

/** The name of the option by which a program knows that it is the one apart. */
export const HERE = "here";

export async function replayApart(
  { ports, runId }: { ports: Ports; runId: RunId },
  more: string[],
): Promise<ReplayAnswer> {
  const runDir = ports.store.runDir(runId);
  const { text, ending } = await output(["run:replay", runDir, ...more, `--${HERE}`, "--json"]);
  const document = parsed(text);
  const [answer] = (document["runs"] ?? []) as unknown as ReplayAnswer[];
  if (answer !== undefined) return answer;
  const error = isJsonObject(document["error"]) ? document["error"] : undefined;
  // A process that spins takes the program with it; its last words say so.
  if (error?.["code"] === "PROCESS_SPINS") return { runId, runDir, verdict: "differs", error };
  if (error !== undefined) return { runId, runDir, verdict: "cannot", error };
  throw new BabysitterError("INTERNAL", `The replay of ${runId} ended without an answer (${ending}).`);
}

function output(args: string[]): Promise<{ text: string; ending: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [process.argv[1] as string, ...args], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    let text = "";
    child.stdout.setEncoding("utf8").on("data", (chunk: string) => void (text += chunk));
    child.on("error", reject);
    child.on("close", (code, signal) => resolve({ text, ending: signal ?? `exit ${code}` }));
  });
}

function parsed(text: string): JsonObject {
  try {
    const document: unknown = JSON.parse(text);
    return isJsonObject(document) ? document : {};
  } catch {
    return {};
  }
}
