/** Lifecycle hooks of the run, called for a result that a hook of the host has recorded. */

import { readConfig } from "../../config/read-config.js";
import { hookLimits } from "../../config/settings.js";
import { localContextFiles } from "../../machine/context-files.js";
import { hookContextOfRun } from "../../machine/lifecycle/hook-context.js";
import { lifecycleHooks } from "../../machine/lifecycle/lifecycle-hooks.js";
import type { JournalEvent } from "../../model/events.js";
import { HookMoments } from "../../runs/hook-moments.js";
import type { RunJournal } from "../../runs/run-journal.js";
import type { HostHookCall } from "./host-call.js";

/** To be made before the result is recorded, and called with the event that records it. */
export function resultTeller(
  env: HostHookCall["env"],
  journal: RunJournal,
): (event: JournalEvent | undefined) => Promise<void> {
  const moments = new HookMoments(journal);
  return async (event) => {
    if (event === undefined) return;
    const { projectRoot } = journal.place;
    const { values } = readConfig({ projectRoot, env, flags: {} });
    if (!values["hooks.enabled"]) return;
    const context = { ...hookContextOfRun(env, journal), ...hookLimits(values) };
    const hooks = lifecycleHooks({ journal, context, contextFiles: localContextFiles });
    for (const call of moments.callsFor(event)) await hooks.call(call);
  };
}
