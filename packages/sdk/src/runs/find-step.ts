/** Which effect of a run somebody means by a name. */
import { BabysitterError } from "../model/errors.js";
import type { RecordedRequest, ReplayIndex } from "../model/replay-index.js";
import { shellQuoted } from "../model/shell-quoted.js";
import { isShortFor } from "../model/short-names.js";
import type { RunJournal } from "./run-journal.js";

/** Longer lists are cut; the rest is in task:list. */
const SHOWN = 10;

export interface StepQuery {
  step: string;
  /** The command to repeat with one of the candidates. */
  command: string;
  /** Those that are meant if the name fits others too. */
  preferred?: readonly RecordedRequest[];
}

/** The effect with this id or invocation key, or all with this task id, title, label or short id. */
export function stepsNamed(requests: readonly RecordedRequest[], step: string): RecordedRequest[] {
  const exact = requests.find(({ effectId, invocationKey }) => effectId === step || invocationKey === step);
  if (exact !== undefined) return [exact];
  const called = requests.filter(({ taskId, title, label }) => [taskId, title, label].includes(step));
  return called.length > 0 ? called : requests.filter(({ effectId }) => isShortFor(effectId, step));
}

/** The only effect that a name means. */
export function findStep(
  journal: RunJournal,
  index: ReplayIndex,
  { step, command, preferred }: StepQuery,
): RecordedRequest {
  const all = Object.values(index.requests).filter(({ dropped }) => dropped !== true);
  const named = stepsNamed(all, step);
  const wanted = named.filter((request) => preferred?.includes(request));
  const found = wanted.length > 0 ? wanted : named;
  const [only] = found;
  if (only === undefined) throw notFound(journal, all, step);
  if (found.length === 1) return only;
  throw new BabysitterError(
    "EFFECT_AMBIGUOUS",
    `${JSON.stringify(step)} is the name of ${found.length} steps of ${journal.runId}.`,
    {
      hint: ["Name one of them:", ...found.slice(0, SHOWN).map((request) => candidate(request, command))].join("\n  "),
      details: { runId: journal.runId, meant: found.map(({ effectId }) => effectId) },
    },
  );
}

function candidate({ effectId, invocationKey, resolution }: RecordedRequest, command: string): string {
  const state = resolution === undefined ? "pending" : resolution.status === "ok" ? "done" : "failed";
  return `${command} ${effectId}    (${invocationKey}, ${state})`;
}

function notFound({ runId }: RunJournal, all: readonly RecordedRequest[], step: string): BabysitterError {
  const names = [...new Set(all.map(({ taskId }) => shellQuoted(taskId)))];
  const list = names.slice(0, SHOWN).join(", ") + (names.length > SHOWN ? " …" : "");
  return new BabysitterError("EFFECT_NOT_FOUND", `Run ${runId} has no step ${JSON.stringify(step)}.`, {
    hint: `${list === "" ? "" : `Its tasks: ${list}. `}\`babysitter task:list\` lists the steps with their IDs and titles.`,
    details: { runId, step },
  });
}
