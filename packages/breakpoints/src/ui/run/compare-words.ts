/** In what two runs differ, in words. Pure. */
import type { TimelineSpan } from "@a5c-ai/babysitter-sdk/view";
import { joined, quoted, type WordPart } from "../model/word-parts.js";
import type { ComparedStep, StepSide } from "./compare-runs.js";
import { cutString } from "./json-shape.js";

/** What the runs are called. */
export interface RunNames {
  left: string;
  right: string;
}

const ENDS: Readonly<Record<TimelineSpan["state"], string>> = {
  open: "is unfinished",
  ok: "succeeded",
  approved: "was approved",
  rejected: "was rejected",
  error: "failed",
  dropped: "was dropped",
};
const VALUES = { request: "input", result: "result" };
/** Enough to know the step by; all of it stands in its row. */
const LONGEST_TITLE = 80;

/** What a step is called, and what in the other run, where that is not the same. */
export function titlesOf({ key, left, right }: ComparedStep): { title: string; other: string | undefined } {
  const [ours, theirs] = [left?.span.title, right?.span.title];
  return {
    title: ours ?? theirs ?? key,
    other: ours === undefined || theirs === undefined || ours === theirs ? undefined : theirs,
  };
}

/** "step 3, Check the types. Its input changed; it succeeded in release-1 and failed in release-2." */
export function differenceSentence(step: ComparedStep, number: number, names: RunNames): WordPart[] {
  const { title, other } = titlesOf(step);
  const also: WordPart[] = other === undefined ? [] : [" (in ", { said: names.right }, ": ", short(other), ")"];
  // What is cut ends with its own dots.
  const stop = other === undefined && cutString(title, LONGEST_TITLE).left > 0 ? " " : ". ";
  return [`step ${number}, `, short(title), ...also, stop, ...whatDiffers(step, names), "."];
}

function short(title: string): WordPart {
  const { shown, left } = cutString(title, LONGEST_TITLE);
  return left === 0 ? quoted(shown) : { said: `${shown.trimEnd()}…` };
}

function whatDiffers(step: ComparedStep, { left, right }: RunNames): WordPart[] {
  if (step.left === undefined) return ["It is only in ", { said: right }];
  if (step.right === undefined) return ["It is only in ", { said: left }];
  const changed = valuesIn(step.differs).map((value) => `its ${value}`);
  const ends: WordPart[] = step.differs.includes("state")
    ? [`it ${endOf(step.left)} in `, { said: left }, ` and ${endOf(step.right)} in `, { said: right }]
    : [];
  return capital(joined([changed.length === 0 ? [] : [`${changed.join(" and ")} changed`], ends], "; "));
}

function endOf({ span }: StepSide): string {
  return ENDS[span.state];
}

/** For the row of a step; nothing where it is the same. */
export function differenceNote(step: ComparedStep, { left, right }: RunNames): WordPart[] {
  if (step.left === undefined) return ["Only in ", { said: right }];
  if (step.right === undefined) return ["Only in ", { said: left }];
  const [changed, unknown] = [valuesIn(step.differs), valuesIn(step.unknown)];
  const notes = [
    ...(changed.length === 0 ? [] : [`${changed.join(" and ")} changed`]),
    ...(step.differs.includes("state") ? ["different outcome"] : []),
    ...(unknown.length === 0 ? [] : [`${unknown.join(" and ")} not compared: too large`]),
  ];
  return notes.length === 0 ? [] : capital([notes.join(", ")]);
}

function valuesIn(names: readonly string[]): string[] {
  return (["request", "result"] as const).filter((name) => names.includes(name)).map((name) => VALUES[name]);
}

function capital([first = "", ...rest]: readonly WordPart[]): WordPart[] {
  return typeof first === "string" ? [`${first.charAt(0).toUpperCase()}${first.slice(1)}`, ...rest] : [first, ...rest];
}

/** Steps of which nobody knows whether they are the same, among those before the first that differs. */
export function uncomparedWords(steps: readonly ComparedStep[], partsAt: number | undefined): string | undefined {
  const count = steps.slice(0, partsAt).filter(({ unknown }) => unknown.length > 0).length;
  if (count === 0) return undefined;
  const where = partsAt === undefined ? "" : " before it";
  return `${count.toLocaleString("en")} ${count === 1 ? "step" : "steps"}${where} could not be compared: too large.`;
}
