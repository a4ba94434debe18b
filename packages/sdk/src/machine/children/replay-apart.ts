/**
 * Replays one run in a program of its own: what a process leaves behind in its modules, an endless loop, or a
 * crash must not touch the replay of the next run.
 */
import { BabysitterError } from "../../model/errors.js";
import type { RunId } from "../../model/ids.js";
import { isJsonObject } from "../../model/json.js";
import type { Ports } from "../../model/ports.js";
import type { ReplayAnswer } from "../../runs/replay-run.js";
import { answerApart } from "./answer-apart.js";

export async function replayApart(
  { ports, runId }: { ports: Ports; runId: RunId },
  more: string[],
): Promise<ReplayAnswer> {
  const runDir = ports.workspace.runDir(runId);
  const { document, ending } = await answerApart(["run:replay", runDir, ...more]);
  const [answer] = (document["runs"] ?? []) as unknown as ReplayAnswer[];
  if (answer !== undefined) return answer;
  const error = isJsonObject(document["error"]) ? document["error"] : undefined;
  // A process that spins takes the program with it; its last words say so.
  if (error?.["code"] === "PROCESS_SPINS") return { runId, runDir, verdict: "differs", error };
  if (error !== undefined) return { runId, runDir, verdict: "cannot", error };
  throw new BabysitterError("INTERNAL", `The replay of ${runId} ended without an answer (${ending}).`);
}
