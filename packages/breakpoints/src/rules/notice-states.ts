/** How notifications fare, from what the outbox knows: what waits, what was given up, what stands in the way. */
import * as notices from "@a5c-ai/babysitter-sdk/notify";
import type { NotifyTrouble, WorkerState } from "../wire/notify-wire.js";

type State = Readonly<notices.OutboxState>;

/** What came of each notification, as one text each, to find out which have changed. */
export function receiptTexts(state: State): ReadonlyMap<string, string> {
  return new Map([...state.notices].map(([key, notice]) => [key, JSON.stringify(receiptOf(state, notice))]));
}

const QUESTION = "question:";

/** The id of the question that a notification is about. */
export function questionOf(subject: notices.Subject): string | undefined {
  return subject.startsWith(QUESTION) ? subject.slice(QUESTION.length) : undefined;
}

/** The questions of which another thing is known now. */
export function changedQuestions(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): string[] {
  const keys = [...before.keys(), ...after.keys()].filter((key) => before.get(key) !== after.get(key));
  const subjects = keys.map((key) => key.slice(key.indexOf("\0") + 1));
  return [...new Set(subjects.flatMap((subject) => questionOf(subject) ?? []))];
}

interface Facts {
  /** The channels that are enabled. */
  channels: readonly string[];
  worker: WorkerState;
  /** Whether it still matters to anybody that this was not sent. */
  matters: (given: notices.GivenUp) => boolean;
}

/** What keeps notifications from arriving; null when nothing does. */
export function troubleOf(state: State, { channels, worker, matters }: Facts): NotifyTrouble | null {
  const broken = channels.flatMap((name) => {
    const problem = state.problems.get(name);
    return problem === undefined ? [] : [{ name, ...problem }];
  });
  const givenUp = channels.flatMap((name) => notices.givenUpOf(state, name)).filter(matters).length;
  const isNobody = worker === "none" && channels.length > 0;
  if (broken.length === 0 && givenUp === 0 && !isNobody) return null;
  const stuck = isNobody ? channels : broken.map(({ name }) => name);
  const waiting = stuck.reduce((sum, name) => sum + notices.waitingOf(state, name), 0);
  return { worker, broken, waiting, givenUp };
}

function receiptOf(state: State, notice: notices.Notice): notices.Receipt {
  return notices.receiptOf(notice, notice.message === undefined ? undefined : state.messages.get(notice.message));
}
