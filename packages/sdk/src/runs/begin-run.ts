/** Makes runs: their first events are sealed here, and are there together or not at all. */
import { blobRef, spillValues } from "../journal/rules/blobs.js";
import { sealBehind, sealFirst } from "../journal/rules/chain.js";
import { runExists } from "../journal/rules/refusals.js";
import type { EventDraft, JournalEvent } from "../model/events.js";
import type { RunId } from "../model/ids.js";
import type { Ports } from "../model/ports.js";
import type { CodeSnapshot } from "../model/store.js";

/** Refuses an id that is taken, before anything costly is done; two at once are sorted out by the store. */
export async function refuseTaken({ store, workspace }: Ports, runId: RunId): Promise<void> {
  if (await store.exists(runId)) throw runExists(runId, { runDir: workspace.runDir(runId) });
}

/** A new run with these first events. */
export async function beginRun(
  { store }: Ports,
  runId: RunId,
  drafts: readonly [EventDraft & { type: "RUN_CREATED" }, ...EventDraft[]],
  code?: CodeSnapshot,
): Promise<void> {
  const blobs: string[] = [];
  const events: JournalEvent[] = [];
  for (const draft of drafts) {
    const small = await spillValues<EventDraft>(draft, async (text) => {
      blobs.push(text);
      return blobRef(text);
    });
    events.push(sealNext(runId, events.at(-1), small));
  }
  await store.create(runId, events, { blobs, ...(code === undefined ? {} : { code }) });
}

/** An event of a run that is being made, behind the last one. */
export function sealNext(runId: RunId, last: JournalEvent | undefined, draft: EventDraft): JournalEvent {
  return last === undefined ? sealFirst(runId, draft) : (sealBehind(last, [draft])[0] as JournalEvent);
}
