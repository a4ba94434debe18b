import { BabysitterError } from "../model/errors.js";
import { type EffectId, parseEffectId } from "../model/ids.js";
import { pendingOf } from "../model/run-state.js";
import { stepsNamed } from "./find-step.js";
import type { RunJournal } from "./run-journal.js";

/** The effect of a run that an id, a unique part of one or the name of a task means; what means nothing stays as it is. */
export async function effectNamed(journal: RunJournal, text: string): Promise<EffectId> {
  const pending = pendingOf(journal.summary, text);
  if (pending !== undefined) return pending.effectId;
  const meant = stepsNamed(Object.values((await journal.index()).requests), text);
  const [only, ...others] = meant;
  if (others.length === 0) return only?.effectId ?? parseEffectId(text);
  const shown = meant.slice(0, 10).map(({ effectId, invocationKey }) => `${effectId} ${invocationKey}`);
  throw new BabysitterError("EFFECT_AMBIGUOUS", `${JSON.stringify(text)} matches ${meant.length} effects; name one.`, {
    hint: ["Candidates:", ...shown].join("\n"),
    details: { runId: journal.runId, meant: meant.map(({ effectId }) => effectId) },
  });
}
