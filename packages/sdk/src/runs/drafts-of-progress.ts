/** What a process has done, as events to be recorded. */
import { recordError } from "../model/errors.js";
import type { EventDraft } from "../model/events.js";
import { secretNamesIn } from "../model/secrets.js";
import type { Progress } from "../replay/process-standing.js";
import type { RunJournal } from "./run-journal.js";

/** When and in which iteration it did so, and by which code. */
interface Circumstances {
  timestamp: string;
  iteration: number;
  codeHash: string;
}

export function draftsOf(
  journal: RunJournal,
  { standing, requests, dropped, logs, patches }: Progress,
  { timestamp, iteration, codeHash }: Circumstances,
): EventDraft[] {
  // A request without its marker would replay on the old path: markers go first.
  const drafts: EventDraft[] = patches.map((patch) => ({
    type: "PATCH_MARKED",
    timestamp,
    payload: { ...patch, iteration },
  }));
  if (logs.length > 0) drafts.push({ type: "PROCESS_LOGGED", timestamp, payload: { iteration, entries: logs } });
  for (const { effectId, invocationKey, taskId, seq, id } of dropped) {
    const payload = { iteration, requestSeq: seq, requestId: id };
    drafts.push({ type: "EFFECT_DROPPED", timestamp, effectId, invocationKey, taskId, payload });
  }
  let place = journal.newPlace;
  for (const { effectId, invocationKey, taskId, definition, args, ...rest } of requests) {
    const secretEnv = secretNamesIn(definition);
    drafts.push({
      type: "EFFECT_REQUESTED",
      timestamp,
      effectId,
      invocationKey,
      taskId,
      payload: {
        ...rest,
        iteration,
        definition: { value: definition },
        args: { value: args },
        ...(secretEnv.length === 0 ? {} : { secretEnv }),
        ...place,
      },
    });
    place = {};
  }
  if (standing.is === "completed") {
    const abandoned = [...Object.keys(journal.summary.pending), ...requests.map(({ effectId }) => effectId)];
    drafts.push({
      type: "RUN_COMPLETED",
      timestamp,
      payload: {
        output: { value: standing.output },
        completionProof: journal.ports.randomHex(16),
        iteration,
        abandoned,
      },
    });
  } else if (standing.is === "failed") {
    drafts.push({
      type: "RUN_FAILED",
      timestamp,
      payload: { error: recordError(standing.error), iteration, codeHash },
    });
  }
  return drafts;
}
