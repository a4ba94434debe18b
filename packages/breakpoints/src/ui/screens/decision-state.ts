/** How far somebody is with deciding the question on the screen. Buttons and keys lead here alike. */
import { signal } from "@preact/signals";
import type { QuestionDetail } from "../../wire/inbox-wire.js";
import { draftText, forgetSent } from "../api/draft-box.js";
import { decide, readRun } from "../api/inbox-api.js";
import { countAgain, inbox, reading, takeDetail } from "../api/inbox-state.js";
import { passkeyProblem } from "../api/passkey-problem.js";
import { problemOf, type RequestProblem } from "../api/request.js";
import {
  ARRIVAL_GUARD_MS,
  type Intent,
  isRejection,
  needsSecondStep,
  whatIsMissing,
  wordsOf,
} from "../model/decision-guard.js";
import { splitQuestion } from "../model/decision-words.js";
import { nextToDecide } from "../model/question-list.js";
import { readsLikeNo } from "../model/reads-like-no.js";
import { addressOf } from "../model/routes.js";
import { go } from "../parts/address.js";
import { type Notice, notify } from "../parts/notices.js";
import { commandsIfLeft } from "../run/next-commands.js";
import { askFocus } from "./moves.js";

export type Mode =
  | { kind: "idle" }
  | { kind: "options" }
  | { kind: "reject" }
  | { kind: "words"; asksNo: boolean }
  | { kind: "confirm"; intent: Intent };

export interface DecisionProblem {
  message: string;
  hint?: string | undefined;
  tone: "bad" | "needs";
}

export const mode = signal<Mode>({ kind: "idle" });
export const sending = signal(false);
/** For a moment after buttons have changed under the pointer, the second half of a double click hits nothing. */
export const guarded = signal(false);
export const problem = signal<DecisionProblem | undefined>(undefined);
/** What is missing in the field that is open. */
export const missing = signal<string | undefined>(undefined);

/** For buttons that rest only because of that. */
export function rests(): "" | undefined {
  return guarded.value && !sending.value && decidable() !== undefined ? "" : undefined;
}

let guard: ReturnType<typeof setTimeout> | undefined;

function holdButtons(): void {
  guarded.value = true;
  clearTimeout(guard);
  guard = setTimeout(() => {
    guarded.value = false;
  }, ARRIVAL_GUARD_MS);
}

export function setMode(next: Mode): void {
  if (next.kind !== mode.peek().kind) holdButtons();
  mode.value = next;
  missing.value = undefined;
  problem.value = undefined;
}

export function openWords(): void {
  setMode({ kind: "words", asksNo: false });
}

/** Another question is on the screen. */
export function startOver(): void {
  mode.value = { kind: "idle" };
  missing.value = undefined;
  problem.value = undefined;
}

/** The question as it can be decided now, if it can. */
export function decidable(): QuestionDetail | undefined {
  const { shown, newer } = reading.value ?? {};
  if (shown === undefined || shown.state !== "open" || shown.readOnly !== undefined) return undefined;
  return newer?.change === "decided" || newer?.change === "changed" ? undefined : shown;
}

/** Takes the next step towards a decision: asks for what is missing, for a second look, or sends it. */
export function propose(intent: Intent, { meant = false, confirmed = false } = {}): void {
  const question = decidable();
  if (question === undefined || sending.peek()) return;
  const lacks = whatIsMissing(intent);
  if (lacks !== undefined) {
    setMode(intent.kind === "reject" ? { kind: "reject" } : { kind: "words", asksNo: false });
    missing.value = lacks;
  } else if (intent.kind === "words" && !meant && readsLikeNo(intent.text)) setMode({ kind: "words", asksNo: true });
  else if (needsSecondStep(question, intent) && !confirmed) setMode({ kind: "confirm", intent });
  else void send(question, intent);
}

/** From the fields, where drafts are kept. */
export function proposeText(kind: "reject" | "words", options: { meant?: boolean } = {}): void {
  const id = reading.peek()?.id;
  if (id === undefined) return;
  propose({ kind, text: draftText(id, kind === "reject" ? "reason" : "answer") }, options);
}

async function send(question: QuestionDetail, intent: Intent): Promise<void> {
  sending.value = true;
  problem.value = undefined;
  const words = wordsOf(intent);
  try {
    const signed = question.needs === "passkey" ? await passkeyFor(question.id, words) : {};
    await decide(question.id, { ...words, shown: question.shown, ...signed });
    afterDecision(question, intent);
  } catch (error) {
    explain(error, question.id);
  } finally {
    sending.value = false;
  }
}

async function passkeyFor(id: string, words: ReturnType<typeof wordsOf>) {
  const { signDecision } = await import("../api/passkeys.js");
  return { assertion: await signDecision(id, words) };
}

function afterDecision(question: QuestionDetail, intent: Intent): void {
  const { id } = question;
  // Only what was sent from here: other tabs may be about to say something else, and have their words kept.
  if (intent.kind === "reject") forgetSent(id, "reason", intent.text);
  if (intent.kind === "words") forgetSent(id, "answer", intent.text);
  const rejected = isRejection(intent);
  const { head } = splitQuestion(question);
  void notifyDecided(question.run.id, {
    text: rejected ? "Rejected:" : "Approved:",
    about: intent.option === undefined ? head : `${intent.option.label} · ${head}`,
    tone: rejected ? "bad" : "good",
    link: { to: addressOf("history", { id }), word: "View" },
  });
  const next = nextToDecide(inbox.list.peek(), id);
  inbox.drop(id);
  void countAgain();
  startOver();
  holdButtons();
  askFocus();
  go(addressOf("inbox", { ...(next === undefined ? {} : { id: next.id }), search: inbox.search }), { replace: true });
  if (next !== undefined) return;
  reading.value = undefined;
  document.getElementById("main")?.focus({ preventScroll: true });
}

/** An answer alone moves no run that nobody drives; the page of the question says how it continues. */
async function notifyDecided(runId: string, notice: Notice & Required<Pick<Notice, "link">>): Promise<void> {
  const run = await readRun(runId).catch(() => undefined);
  const isLeft = run !== undefined && commandsIfLeft(run).length > 0;
  const left = { more: "Nobody drives its run.", link: { ...notice.link, word: "How to continue" } };
  notify(isLeft ? { ...notice, ...left } : notice);
}

function explain(error: unknown, id: string): void {
  const ofKey = passkeyProblem(error);
  if (ofKey !== undefined) {
    problem.value = { message: ofKey, hint: "Nothing was decided. Try again.", tone: "needs" };
    return;
  }
  const said = problemOf(error);
  if (said.question !== undefined) moveOn(said, said.question);
  else problem.value = { ...wordsFor(said), tone: said.code === "OFFLINE" ? "needs" : "bad" };
  if (reading.peek()?.id !== id) problem.value = undefined;
}

/** Somebody was first, or something else is asked now. Drafts stay where they are. */
function moveOn({ code }: RequestProblem, question: QuestionDetail): void {
  if (code !== "BREAKPOINT_CHANGED") {
    startOver();
    takeDetail(question, false);
    return;
  }
  takeDetail(question, true);
  startOver();
  const message = "The question changed while you were reading it. Nothing was decided.";
  problem.value = { message, hint: "This is the current version. What you typed is kept.", tone: "needs" };
}

function wordsFor({ code, message, hint }: RequestProblem): { message: string; hint?: string | undefined } {
  if (code !== "OFFLINE") return { message, hint };
  return { message: "The server did not respond.", hint: "Send it again: it counts only once." };
}
