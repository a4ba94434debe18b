/** What an event says, in one line: our words around those of others. Pure. */
import { type JournalEvent, pauseReason, shownDuration } from "@a5c-ai/babysitter-sdk/view";
import type { Tone } from "../model/decision-words.js";
import {
  ATTEMPT_ENDS,
  answerOf,
  BOUND,
  behind,
  CHECKS,
  line,
  listed,
  OUTCOMES,
  PROMPTS,
  piecesOf,
  REOPENED,
  times,
} from "./event-word-parts.js";

type Type = JournalEvent["type"];
type EventOf<T extends Type> = Extract<JournalEvent, { type: T }>;
/** What the step of an event is called. */
export type TitleOf = (effectId: string) => string | undefined;

interface Rule<T extends Type> {
  says: (event: EventOf<T>, step: string) => string;
  /** Bad and good ones stand out; `needs` is for people, and for what has changed under the run. */
  tone?: (event: EventOf<T>) => Tone;
  /** Left out of the compact list: bookkeeping that nobody misses. */
  isMinor?: true;
}

/** Once it was found by the type of an event. */
interface AnyRule {
  says: (event: never, step: string) => string;
  tone?: (event: never) => Tone;
  isMinor?: true;
}

const bad = (): Tone => "bad";
const good = (): Tone => "good";
const needs = (): Tone => "needs";

const RULES: { readonly [T in Type]: Rule<T> } = {
  RUN_CREATED: {
    says: ({ payload: { processId, forkedFrom } }) =>
      forkedFrom === undefined
        ? `Run created: ${line(processId)}`
        : `Run created as a copy of ${line(forkedFrom.runId)} after event ${forkedFrom.at}`,
  },
  EFFECT_REQUESTED: {
    says: ({ payload: { kind, attempt, until } }, step) =>
      kind === "breakpoint"
        ? `Asked a person: ${step}`
        : kind === "sleep"
          ? `Sleeps${until === undefined ? "" : ` until ${line(until)}`}: ${step}`
          : `Asked for ${step} (${line(kind)}${attempt === undefined ? "" : `, attempt ${attempt}`})`,
    tone: ({ payload }) => (payload.kind === "breakpoint" ? "needs" : "quiet"),
  },
  EFFECT_STARTED: {
    says: ({ payload: { executor, attempt } }, step) =>
      `Started ${step} (${line(executor)}${attempt > 1 ? `, attempt ${attempt}` : ""})`,
  },
  EFFECT_ATTEMPT_FAILED: {
    says: ({ payload: { attempt, reason, error } }, step) =>
      `Attempt ${attempt} of ${step} ${ATTEMPT_ENDS[reason] ?? "had no result"}: ${line(error.message)}`,
    tone: bad,
  },
  EFFECT_RESOLVED: {
    says: ({ payload }, step) =>
      payload.status === "error"
        ? `${step} failed${behind(payload.error?.message)}`
        : `${step} ${answerOf(payload.result) ?? "is done"}`,
    tone: ({ payload }) => (payload.status === "error" || answerOf(payload.result) === "was rejected" ? "bad" : "good"),
  },
  EFFECT_REOPENED: { says: (_event, step) => `The result of ${step} no longer counts: it is open again` },
  EFFECT_RETRIED: {
    says: ({ payload: { attempt, source } }, step) =>
      `${step} will be retried (attempt ${attempt})${source === undefined ? "" : `, by ${line(source.by)}`}`,
    tone: needs,
  },
  EFFECT_DROPPED: { says: (_event, step) => `${step} is no longer asked for` },
  PROCESS_LOGGED: {
    says: ({ payload: { entries } }) =>
      entries.length === 1
        ? `Process says: ${line(entries[0]?.message)}`
        : `Process says, in ${entries.length} messages: ${line(entries[0]?.message)}`,
  },
  PATCH_MARKED: { says: ({ payload: { id } }) => `Patch ${line(id)} takes effect from here`, isMinor: true },
  RUN_COMPLETED: {
    says: ({ payload: { abandoned } }) =>
      `Run completed${abandoned.length > 0 ? `; ${times(abandoned.length, "step")} not waited for` : ""}`,
    tone: good,
  },
  RUN_FAILED: { says: ({ payload: { error } }) => `Run failed: ${line(error.message)}`, tone: bad },
  RUN_REOPENED: { says: ({ payload: { reason } }) => `Run reopened: ${REOPENED[reason] ?? "again"}`, tone: needs },
  RUN_BLOCKED: {
    says: ({ payload: { code } }) =>
      code === "GATES_CHANGED"
        ? "Run blocked: its code has lost breakpoints that people agreed to"
        : "Run blocked: its code no longer matches its journal",
    tone: bad,
  },
  CODE_CHANGED: {
    says: ({ payload: { files, lost } }) =>
      `Code changed: ${listed(files.map(({ path }) => path))}${
        lost.length > 0 ? `; ${times(lost.length, "breakpoint")} lost` : ""
      }`,
    tone: needs,
  },
  CODE_ACCEPTED: { says: ({ payload: { by } }) => `Changed code accepted by ${line(by)}`, tone: needs },
  RUN_CANCELLED: {
    says: ({ payload: { by, reason } }) => `Run cancelled${by === undefined ? "" : ` by ${line(by)}`}${behind(reason)}`,
    tone: bad,
  },
  HOOK_DISPATCHED: {
    says: ({ payload: { hookType, hooks } }) => `Hook ${line(hookType)} called, ${times(hooks.length, "program")}`,
    isMinor: true,
  },
  CLOCK_SET_BACK: {
    says: ({ payload: { byMs } }) => `The clock was set back${byMs === undefined ? "" : ` by ${shownDuration(byMs)}`}`,
    tone: needs,
  },
  BREAKPOINT_OPENED: {
    says: ({ payload: { files } }, step) =>
      `Question shown to people: ${step}${files.length === 0 ? "" : `, with ${times(files.length, "file")}`}`,
    isMinor: true,
  },
  BREAKPOINT_COMMENTED: {
    says: ({ payload: { author, text } }, step) => `${line(author ?? "Somebody")} commented on ${step}: ${line(text)}`,
  },
  LOOP_STARTED: {
    says: ({ payload: { contract } }) =>
      `Loop started: ${line(contract.title)} (${times(contract.criteria.length, "criterion", "criteria")}, at most ${times(contract.limits.iterations, "iteration")})`,
  },
  PROCESS_ATTACHED: { says: ({ payload: { processId } }) => `Process attached: ${line(processId)}` },
  SESSION_BOUND: {
    says: ({ payload: { harness, by } }) => `A session of ${line(harness)} ${BOUND[by] ?? "works on it"}`,
  },
  SESSION_RELEASED: {
    says: ({ payload: { reason, source } }) =>
      source === undefined ? `The session released it: ${line(reason)}` : line(reason),
  },
  STOP_HOOK_INVOKED: {
    says: ({ payload }) =>
      payload.ended !== undefined
        ? `Turn of iteration ${payload.iteration} ended: the loop reached its goal (${line(payload.ended)})`
        : payload.paused !== undefined
          ? `Turn of iteration ${payload.iteration} ended: paused${behind(pauseReason({ message: payload.paused }), ", ")}`
          : `Turn of iteration ${payload.iteration} ended: ${
              payload.decision === "block" ? "the agent continues" : "the agent may stop"
            } (${line(payload.reason)})`,
    tone: ({ payload }) => (payload.ended !== undefined ? "good" : payload.paused !== undefined ? "needs" : "quiet"),
  },
  VERIFICATION_STARTED: {
    says: ({ payload: { criteria } }) =>
      `Checking ${times(criteria.length, "criterion", "criteria")}: ${listed(criteria)}`,
    isMinor: true,
  },
  VERIFICATION_FINISHED: {
    says: ({ payload: { outcome } }) => `Checks ${CHECKS[outcome] ?? "ended"}`,
    isMinor: true,
  },
  CRITERION_CHECKED: {
    says: ({ payload: { criterion, outcome, exitCode, flaky } }) =>
      `Criterion ${line(criterion)}: ${OUTCOMES[outcome] ?? line(outcome)}${
        exitCode === null ? "" : ` (exit ${exitCode})`
      }${flaky ? ", flaky" : ""}`,
    tone: ({ payload: { ok } }) => (ok ? "good" : "bad"),
  },
  STEP_CHANGED: {
    says: ({ payload: { title, status, note, by } }) =>
      `Step ${line(title)} is ${line(status)}, says ${by === "person" ? "a person" : "the agent"}${behind(note)}`,
    tone: ({ payload: { status } }) => (status === "failed" ? "bad" : status === "done" ? "good" : "quiet"),
  },
  LOOP_PAUSED: { says: ({ payload: { message } }) => `Loop paused${behind(pauseReason({ message }))}`, tone: needs },
  LOOP_RESUMED: {
    says: ({ payload: { by, limits } }) =>
      `Loop resumed by ${by === "person" ? "a person" : "the agent"}${limits === undefined ? "" : ", with new limits"}`,
  },
  LOOP_AMENDED: { says: ({ payload: { what } }) => `Contract changed: ${line(what)}`, tone: needs },
  PROMPT_SUBMITTED: { says: ({ payload: { kind } }) => PROMPTS[kind] ?? "A prompt was submitted" },
  TURN_FAILED: {
    says: ({ payload: { error, message } }) => `The agent's turn failed (${line(error)}): ${line(message)}`,
    tone: bad,
  },
  ENGINE_ERROR: {
    says: ({ payload: { code, message } }) => `The engine hit an error (${line(code)}): ${line(message)}`,
    tone: bad,
  },
};

export interface EventWords {
  text: string;
  /** The same: our own words first, then those of others, and so on in turns. */
  pieces: string[];
  tone: Tone;
}

/** Whatever stands in a journal has words: an event of a newer version, or one that lacks something, is told by its type. */
export function eventWords(event: JournalEvent, titleOf: TitleOf): EventWords {
  const rule = ruleOf(event.type);
  if (rule === undefined) return wordsOf(`${line(event.type)}, which this version does not know`);
  try {
    const id = event.effectId;
    const step = id === undefined ? "" : line(titleOf(id) ?? event.taskId ?? id);
    return wordsOf(rule.says(event as never, step), rule.tone?.(event as never));
  } catch {
    return wordsOf(line(event.type));
  }
}

function wordsOf(sentence: string, tone: Tone = "quiet"): EventWords {
  const pieces = piecesOf(sentence);
  return { text: pieces.join(""), pieces, tone };
}

export function isMinor({ type }: JournalEvent): boolean {
  return ruleOf(type)?.isMinor === true;
}

function ruleOf(type: string): AnyRule | undefined {
  return Object.hasOwn(RULES, type) ? RULES[type as Type] : undefined;
}
