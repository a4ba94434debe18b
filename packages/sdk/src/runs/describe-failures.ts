/** What a person would scroll for after a failure. Nothing here writes to a journal. */
import { messageWithCauses, type RecordedError } from "../model/errors.js";
import type { EffectRequested, EffectResolved } from "../model/events.js";
import { type Failure, isThrownBy, outputTail, tailBytes } from "../model/failure.js";
import { defined, isJsonObject, type Json } from "../model/json.js";
import type { RecordedRequest } from "../model/replay-index.js";
import { hideSecrets } from "../model/secrets.js";
import type { LogName } from "../model/workspace.js";
import { recordedOutcome } from "./post-result.js";
import type { RunJournal } from "./run-journal.js";

const MAX_SHOWN = 3;

/** The last failures of a run, the newest first; of a failed run those that it ended on, the one that it threw at the top. */
export async function describeFailures(
  journal: RunJournal,
  { most = MAX_SHOWN, lines }: { most?: number; lines?: number } = {},
): Promise<Failure[]> {
  const { failed, lastAfter, counts } = journal.summary;
  if (counts.error === 0) return [];
  const all = (await journal.index()).resolved.filter(({ resolution }) => resolution?.status === "error");
  const ended = failed === undefined ? [] : all.filter(({ resolution }) => (resolution?.seq ?? 0) > lastAfter);
  const isThrown = ({ invocationKey }: RecordedRequest): boolean => isThrownBy(failed?.error, invocationKey);
  // A process may request more before it throws: to clean up, or while others of a map go on.
  const first = all.filter(isThrown);
  const others = first.length + ended.length > 0 ? ended : all;
  const chosen = [...first, ...others.filter((one) => !isThrown(one)).toReversed()];
  const failures: Failure[] = [];
  for (const request of chosen.slice(0, most)) failures.push(await describeFailure(journal, request, lines));
  return failures;
}

async function describeFailure(
  journal: RunJournal,
  request: RecordedRequest,
  lines: number | undefined,
): Promise<Failure> {
  const { effectId, invocationKey, kind, title, label, taskId, resolution } = request;
  const { store, workspace } = journal.ports;
  const { location } = (await store.readAt(journal.runId, request)).payload as EffectRequested;
  const event = await store.readAt(journal.runId, resolution as NonNullable<typeof resolution>);
  const { metadata, attempt } = event.payload as EffectResolved;
  const { error = { name: "Error", message: "unknown" } } = await recordedOutcome(journal, event);
  const facts = { ...objectOf(error.data), ...objectOf(metadata) };
  const [stderr, stdout] = [
    await tailOf(journal, effectId, { name: "stderr.log", posted: facts["stderr"], lines }),
    await tailOf(journal, effectId, { name: "stdout.log", posted: facts["stdout"], lines }),
  ];
  const logs = (await workspace.listLogs(journal.runId, effectId)).filter(({ bytes }) => bytes > 0);
  return defined({
    effectId,
    invocationKey,
    kind,
    title: title ?? label ?? taskId,
    attempt,
    at: event.timestamp,
    code: error.code,
    message: messageBeside(error, [stderr, stdout]),
    exitCode: typeof facts["exitCode"] === "number" ? facts["exitCode"] : undefined,
    signal: typeof facts["signal"] === "string" ? facts["signal"] : undefined,
    location,
    stderr,
    stdout,
    logs: logs.map(({ file }) => file),
  });
}

/** The log has it first hand; a result that somebody posted may carry its own. */
async function tailOf(
  { ports, runId }: RunJournal,
  effectId: RecordedRequest["effectId"],
  { name, posted, lines }: { name: LogName; posted: Json | undefined; lines: number | undefined },
): Promise<string[]> {
  const log = await ports.workspace.readLogTail(runId, effectId, name, tailBytes(lines));
  return outputTail(log?.text || (typeof posted === "string" ? posted : ""), lines);
}

/** Executors end their message with the last line of the output, which is shown below as well. */
function messageBeside(error: RecordedError, tails: readonly string[][]): string {
  const message = messageWithCauses(error);
  const said = tails.map((lines) => lines.findLast((line) => line.trim() !== "")?.trim() ?? "");
  const doubled = said.find((line) => line !== "" && message.endsWith(`: ${line}`));
  return hideSecrets(doubled === undefined ? message : message.slice(0, -doubled.length - 2));
}

function objectOf(data: Json | undefined): Record<string, Json | undefined> {
  return isJsonObject(data) ? data : {};
}
