/** What is recorded and sent next. The same situation always leads to the same plan. */
import * as notices from "@a5c-ai/babysitter-sdk/notify";
import { type Job, nextJob } from "./notify-jobs.js";
import { inDoubt } from "./notify-outcome.js";
import { kindOf, type PlannedChannel, Sight, type Situation } from "./notify-situation.js";
import { dueReport, later } from "./notify-times.js";

export interface Plan {
  /** To be recorded before anything else; then a new plan is made. */
  entries: notices.NewEntry[];
  /** At most one for each channel. */
  jobs: Job[];
}

/** Whatever has needed a person for longer was told before, or is known. */
const TROUBLE_AGE_MS = 7 * 24 * 60 * 60_000;

export function planNotifications(situation: Situation): Plan {
  const sight = new Sight(situation);
  const { channels, busy, batchSize } = situation;
  const entries = [
    ...doubtful(situation),
    ...channels.flatMap((channel) => [...dropped(sight, channel), ...queued(sight, channel)]),
  ];
  const free = channels.filter(({ name, isReady }) => isReady && !busy.has(name));
  const jobs = free.flatMap((channel) => nextJob(sight, channel) ?? []);
  return { entries, jobs: jobs.slice(0, Math.max(0, batchSize - busy.size)) };
}

/** Whoever was sending these is gone. */
function doubtful({ outbox, underWay, now }: Situation): notices.NewEntry[] {
  return [...outbox.messages.values()]
    .filter(({ state, message }) => state === "sending" && !underWay.has(message))
    .map((message) => inDoubt(message, "The worker stopped while it was being sent.", now.toISOString()));
}

/** What is not worth telling any more, with one entry for each reason. */
function dropped(sight: Sight, channel: PlannedChannel): notices.NewEntry[] {
  const reasons = new Map<string, string[]>();
  for (const notice of sight.noticesOf(channel)) {
    const why = notice.dropped === undefined ? sight.whyNot(channel, notice) : undefined;
    if (why !== undefined) reasons.set(why, [...(reasons.get(why) ?? []), notice.subject]);
  }
  return [...reasons].map(([why, subjects]) => ({ type: "DROPPED", channel: channel.name, subjects, why }));
}

function queued(sight: Sight, channel: PlannedChannel): notices.NewEntry[] {
  const { outbox, now } = sight.at;
  const { name, topics } = channel;
  const wanted = (topic: notices.Topic): boolean => topics.includes(topic);
  const known = (subject: string): notices.Notice | undefined => outbox.notices.get(notices.noticeKey(name, subject));
  const news = [
    ...(wanted("questions") ? newQuestions(sight, channel, known) : []),
    ...(wanted("trouble") ? newTroubles(sight, channel, known) : []),
    ...(wanted("report") ? newReport(sight, channel, known) : []),
  ];
  return news.map(({ subject, due = now.toISOString() }) => ({ type: "QUEUED", channel: name, subject, due }));
}

interface New {
  subject: notices.Subject;
  due?: string;
}

type Known = (subject: notices.Subject) => notices.Notice | undefined;

/** Those that are asked within the same minute wait for the first of them. One that was decided may be asked again. */
function newQuestions(sight: Sight, channel: PlannedChannel, known: Known): New[] {
  const news = sight.at.open
    .map(({ id, askedAt }) => ({ subject: `question:${id}`, askedAt }))
    .filter(({ subject }) => {
      const notice = known(subject);
      return notice === undefined || notice.dropped !== undefined;
    });
  const first = earliest([
    ...firstDues(sight, channel, "question"),
    ...news.map(({ askedAt }) => dueAfter(sight, askedAt)),
  ]);
  return news.map(({ subject }) => ({ subject, due: new Date(first).toISOString() }));
}

function newTroubles(sight: Sight, channel: PlannedChannel, known: Known): New[] {
  const { now } = sight.at;
  const news = sight.at.troubles.filter(
    ({ subject, at }) =>
      known(subject) === undefined &&
      !(Date.parse(at) < Date.parse(channel.since)) &&
      !(Date.parse(at) < now.getTime() - TROUBLE_AGE_MS),
  );
  const first = earliest([...firstDues(sight, channel, "run"), ...news.map(({ at }) => dueAfter(sight, at))]);
  return news.map(({ subject }) => ({ subject, due: new Date(first).toISOString() }));
}

function newReport({ at: { settings, now, timeZone } }: Sight, { since }: PlannedChannel, known: Known): New[] {
  const report = dueReport(settings.reportAt, now, timeZone);
  if (report === undefined || report.since < Date.parse(since)) return [];
  const subject = `report:${report.day}`;
  return known(subject) === undefined ? [{ subject }] : [];
}

/** However many there are. */
function earliest(times: readonly number[]): number {
  return times.reduce((first, time) => Math.min(first, time), Number.POSITIVE_INFINITY);
}

/** When those are due that are queued and were never sent. */
function firstDues(sight: Sight, channel: PlannedChannel, kind: string): number[] {
  return sight
    .noticesOf(channel)
    .filter(({ subject, message, dropped: gone }) => kindOf(subject) === kind && message === undefined && !gone)
    .map(({ due }) => Date.parse(due))
    .filter((due) => !Number.isNaN(due));
}

/** Not before now, and not later than if it had just come up, whatever its own clock says. */
function dueAfter({ at: { settings, now } }: Sight, since: string): number {
  const wait = settings.afterSeconds * 1_000;
  const due = Date.parse(since) + wait;
  return Number.isNaN(due) ? now.getTime() : Math.min(Math.max(due, now.getTime()), Date.parse(later(now, wait)));
}
