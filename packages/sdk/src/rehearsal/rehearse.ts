/** Plays a process several times and tells what was found: as everybody hopes, once more, and with each no. */

import type { FloatingCall } from "../load/floating-calls.js";
import { BabysitterError, recordError } from "../model/errors.js";
import { defined, type Json } from "../model/json.js";
import { divergenceFinding } from "./divergence-finding.js";
import { endFindings, type ProcessFiles, refusedCall } from "./end-findings.js";
import { type Finding, finding } from "./finding.js";
import type { OutsideWork } from "./outside-work.js";
import { type Play, type PlayedRequest, type PlayRecord, play, replayPlay, type Stage, shownRequest } from "./play.js";
import { inProject } from "./process-place.js";
import { wordFindings } from "./word-findings.js";

export interface ShownPlay {
  /** The question that was answered with no; all others were answered with yes. */
  rejected?: string;
  requests: PlayedRequest[];
  end: { is: string; output?: Json; error?: { name: string; message: string } };
}

export interface Rehearsal {
  plays: ShownPlay[];
  /** Of the first play, for a replay in another program. */
  record: PlayRecord;
  findings: Finding[];
}

/** So many questions are also answered with no. */
const MAX_REJECTIONS = 10;

export async function rehearse(
  stage: Stage,
  files: ProcessFiles,
  { outside, floating }: { outside: { seen: readonly OutsideWork[] }; floating: (FloatingCall & { file: string })[] },
): Promise<Rehearsal> {
  const first = await play(stage);
  const standing = await replayPlay(stage, first.record);
  const plays: ShownPlay[] = [shownPlay(first)];
  const rejections: Play[] = [];
  for (const { invocationKey } of questionsOf(first)) {
    const rejection = await play(stage, invocationKey);
    rejections.push(rejection);
    plays.push({ rejected: invocationKey, ...shownPlay(rejection) });
  }
  const isRefused = outside.seen.some(({ refused }) => refused);
  const seen = [first, ...rejections].flatMap((one) => [
    ...endFindings(one, files, isRefused),
    ...one.refused.map((error) => refusedCall(error, files.entry)),
    ...one.warnings
      .filter(isNews)
      .map((text) =>
        finding(
          "RUN_WARNING",
          files.entry,
          text,
          "A run with results like the invented ones would give this warning too.",
        ),
      ),
  ]);
  const requests = [first, ...rejections].flatMap((one) => one.requests);
  const findings = [
    ...seen,
    ...wordFindings(requests, stage.taskKinds),
    ...optional(divergenceFinding("MODULE_STATE", standing, first.requests)),
    ...outside.seen.map((work) => outsideFinding(work, files.projectRoot)),
    ...floating.map((call) => floatingFinding(call, first)),
  ];
  return { plays, record: first.record, findings: withoutDoubles(findings) };
}

/** Unknown words are found here with their lines. */
function isNews(warning: string): boolean {
  return !warning.startsWith("Unknown: ");
}

/** A question that is asked in a loop is rejected once. */
function questionsOf({ requests }: Play): Play["requests"] {
  const questions = requests.filter(({ kind }) => kind === "breakpoint");
  const first = new Map(questions.toReversed().map((request) => [request.location ?? request.invocationKey, request]));
  return questions.filter((request) => [...first.values()].includes(request)).slice(0, MAX_REJECTIONS);
}

function shownPlay({ requests, end }: Play): ShownPlay {
  const output = end.is === "completed" ? end.output : undefined;
  const thrown = end.is === "failed" ? end.error : end.is === "refused" ? end.error : undefined;
  return {
    requests: requests.map(shownRequest),
    end: {
      is: end.is,
      ...defined({ output, error: thrown === undefined ? undefined : shownError(thrown) }),
    },
  };
}

function shownError(thrown: unknown): { name: string; message: string } {
  const { name, message } = recordError(thrown);
  return { name: BabysitterError.is(thrown) ? thrown.code : name, message };
}

function optional<T>(value: T | undefined): T[] {
  return value === undefined ? [] : [value];
}

const OUTSIDE_TEXTS = {
  FILE_OUTSIDE_TASK: [
    "uses files outside a task",
    "Every replay does this again, and the files may have changed by then. Do it in a node or shell task, or pass the content as an input.",
  ],
  NETWORK_OUTSIDE_TASK: [
    "uses the network outside a task",
    "Every replay would do this again, with different answers. Do it in a node or shell task.",
  ],
  PROGRAM_OUTSIDE_TASK: [
    "starts a program outside a task",
    'Every replay would start it again. Use a task of kind "shell" or "node".',
  ],
} as const satisfies Record<OutsideWork["code"], readonly [string, string]>;

function outsideFinding({ code, call, location }: OutsideWork, projectRoot: string): Finding {
  const [what, hint] = OUTSIDE_TEXTS[code];
  return finding(code, inProject(location, projectRoot), `The process ${what}: ${call}.`, hint);
}

const FLOATING_TEXTS = {
  ASYNC_FOR_EACH: [
    "forEach does not wait for async functions",
    "Use `for (const item of items)` with await, or `await ctx.parallel.map(items, …)`.",
  ],
  FLOATING_CALL: [
    "This call is not awaited",
    "Write `await` before the call. If the run should wait for it without using its result, pass it to ctx.detach(…).",
  ],
} as const satisfies Record<FloatingCall["code"], readonly [string, string]>;

/** A suspicion; that requests were left behind confirms it. */
function floatingFinding(
  { code, call, file, line, body }: FloatingCall & { file: string },
  { open, end }: Play,
): Finding {
  const [what, hint] = FLOATING_TEXTS[code];
  const lost = hasReturned(end) ? open.filter(({ location }) => isWithin(location, file, body)) : [];
  const level = lost.length > 0 ? ({ level: "error" } as const) : {};
  const loss = lost.length > 0 ? ` The process ended before "${lost[0]?.taskId}" had a result.` : "";
  return { ...finding(code, `${file}:${line}`, `${what}: ${call}.${loss}`, hint), ...level };
}

function hasReturned(end: Play["end"]): boolean {
  if (end.is === "failed") return BabysitterError.is(end.error) && end.error.code === "EFFECT_NOT_AWAITED";
  return end.is === "completed";
}

function isWithin(location: string | undefined, file: string, [from, to]: readonly [number, number]): boolean {
  const [, where, line] = /^(.+?):(\d+):\d+$/u.exec(location ?? "") ?? [];
  return where === file && Number(line) >= from && Number(line) <= to;
}

const SEVERITY = ["error", "warning", "note"];

/** Worst first, each once; that nobody waits for a call is not worth telling beside another error of the same line. */
function withoutDoubles(findings: readonly Finding[]): Finding[] {
  const wrong = new Set(findings.filter((one) => one.level === "error" && !isFloating(one)).map(lineOf));
  const kept = findings.filter((one) => !isFloating(one) || !wrong.has(lineOf(one)));
  return [...new Map(kept.map((one) => [JSON.stringify([one.code, lineOf(one), one.message]), one])).values()].toSorted(
    (a, b) => SEVERITY.indexOf(a.level) - SEVERITY.indexOf(b.level),
  );
}

function isFloating({ code }: Finding): boolean {
  return code === "FLOATING_CALL";
}

function lineOf({ file, line }: Finding): string {
  return `${file}:${line}`;
}
