/**
 * Whether a specification is clear enough to leave an agent alone with it. Words are counted, nothing is understood:
 * the judgement is the same every time, and whoever disagrees can say the shape with a flag.
 */
import type { LoopShape } from "../../model/loop-contract.js";
import { shownLine } from "../../model/shown-text.js";
import {
  ACTION,
  COMMAND,
  COMPONENT,
  END_STATE,
  HARD_BOUND,
  IDENTIFIER,
  IMPLIED_END,
  MEASURE,
  PLACE,
  SOFT_BOUND,
  SOFT_SUCCESS,
  VAGUE,
  WEAK_ACTION,
} from "./spec-words.js";

type SpecPart = "outcome" | "scope" | "constraints" | "success" | "done";

interface PartScore {
  points: 0 | 1 | 2;
  /** What was found, in words. */
  reasons: string[];
}

export interface SpecScore {
  /** 0 to 10. */
  score: number;
  parts: Record<SpecPart, PartScore>;
  /** `refused`: nobody should be left alone with it; without a person at hand it is not started. */
  shape: LoopShape | "refused";
  /** One for each part that is not clear, the least clear first. */
  questions: string[];
}

/** What was agreed besides the text. */
export interface SpecFlags {
  /** Commands that must succeed. */
  commands?: readonly string[];
  claims?: readonly string[];
  mustNots?: readonly string[];
  protects?: readonly string[];
}

const TOOL_FROM = 8;
const COLLEAGUE_FROM = 5;
/** What is said later than this is material, not specification; and a judgement must not take long. */
const LONGEST = 50_000;
const SHOWN_REASONS = 3;

const QUESTIONS: Readonly<Record<SpecPart, string>> = {
  outcome: "What exactly should exist or be different at the end? (a verb and an object: “add pagination to …”)",
  scope: "Where? Which files, folders or modules are involved?",
  constraints: "What must not change, and what must not happen?",
  success: "How can it be checked: which command must succeed, or which number must be reached?",
  done: "When is it done? (“done when …”)",
};

/** Judges a specification. English words; commands, paths and numbers count in any language. */
export function scoreSpec(text: string, flags: SpecFlags = {}): SpecScore {
  const spec = text.slice(0, LONGEST);
  const parts: Record<SpecPart, PartScore> = {
    outcome: outcomeOf(spec),
    scope: graded(
      [...found(spec, PLACE, "names"), ...found(spec, IDENTIFIER, "names")],
      found(spec, COMPONENT, "mentions"),
    ),
    constraints: graded(
      [
        ...given(flags.mustNots, "must not:"),
        ...given(flags.protects, "protects"),
        ...found(spec, HARD_BOUND, "bound:"),
      ],
      found(spec, SOFT_BOUND, "wish:"),
    ),
    success: graded(
      [
        ...given(flags.commands, "checked by"),
        ...found(spec, COMMAND, "command:"),
        ...found(spec, MEASURE, "measurable:"),
      ],
      [...given(flags.claims, "claim:"), ...found(spec, SOFT_SUCCESS, "says")],
    ),
    done: graded(
      [...given(flags.commands, "done when this succeeds:"), ...found(spec, END_STATE, "end state:")],
      [...given(flags.claims, "claim:"), ...found(spec, IMPLIED_END, "implied:")],
    ),
  };
  const score = Object.values(parts).reduce((sum, { points }) => sum + points, 0);
  return { score, parts, shape: shapeOf(score), questions: questionsFor(parts) };
}

function shapeOf(score: number): SpecScore["shape"] {
  if (score >= TOOL_FROM) return "tool";
  return score >= COLLEAGUE_FROM ? "colleague" : "refused";
}

function questionsFor(parts: Record<SpecPart, PartScore>): string[] {
  return (Object.keys(QUESTIONS) as SpecPart[])
    .filter((part) => parts[part].points < 2)
    .toSorted((a, b) => parts[a].points - parts[b].points)
    .map((part) => QUESTIONS[part]);
}

function outcomeOf(spec: string): PartScore {
  const actions = [...spec.matchAll(ACTION)].map(([, verb = "", object = ""]) => ({ verb, object }));
  const clear = actions.filter(({ object }) => !VAGUE.test(object));
  const weak = [...spec.matchAll(WEAK_ACTION)].map(([, verb = "", object = ""]) => `${verb} ${object}`);
  return graded(
    worded(
      clear.map(({ verb, object }) => `${verb} … ${object}`),
      "action:",
    ),
    worded([...actions.map(({ verb, object }) => `${verb} ${object}`), ...weak], "vague action:"),
  );
}

/** Two points for anything clear, one for anything at all. */
function graded(clear: string[], weak: string[]): PartScore {
  if (clear.length > 0) return { points: 2, reasons: clear.slice(0, SHOWN_REASONS) };
  return weak.length > 0 ? { points: 1, reasons: weak.slice(0, SHOWN_REASONS) } : { points: 0, reasons: [] };
}

function found(spec: string, pattern: RegExp, word: string): string[] {
  return worded(
    [...spec.matchAll(pattern)].map(([text]) => text),
    word,
  );
}

function given(texts: readonly string[] | undefined, word: string): string[] {
  return worded(texts ?? [], word);
}

function worded(texts: readonly string[], word: string): string[] {
  return [...new Set(texts.map((text) => `${word} ${shownLine(text, 60).replace(/(?<![.,:;])[.,:;]+$/, "")}`))];
}
