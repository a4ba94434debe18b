import type { EventDraft } from "../model/events.js";
import { defined } from "../model/json.js";
import type { RecordedRequest } from "../model/replay-index.js";
import type { ChangeSource } from "../model/who-may-decide.js";

/** The event by which a recorded result no longer counts and the process asks for the effect anew. */
export function retriedEffect(
  request: RecordedRequest,
  { timestamp, source, attempt = 1 }: { timestamp: string; source?: ChangeSource | undefined; attempt?: number },
): EventDraft {
  const { effectId, invocationKey, taskId, kind, label, title, at, seq, id, resolution } = request;
  const payload = defined({
    attempt: resolution === undefined ? attempt : resolution.attempt + 1,
    kind,
    requestSeq: seq,
    requestId: id,
    requestedAt: at,
    label,
    title,
    resolution: resolution?.seq,
    status: resolution?.status,
    source,
  });
  return { type: "EFFECT_RETRIED", timestamp, effectId, invocationKey, taskId, payload };
}
