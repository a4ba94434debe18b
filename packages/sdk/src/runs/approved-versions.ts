/** The files of a question as people have approved them last: in the same project, for the same process. */
import { toBreakpointResult } from "../model/breakpoint-result.js";
import type { BreakpointOpened, JournalEvent, ShownFile } from "../model/events.js";
import { parseEffectId } from "../model/ids.js";
import { defined } from "../model/json.js";
import { requestOf } from "../model/replay-index.js";
import { historyOf, recordedText } from "./describe-breakpoint.js";
import { placesOf, type RunPlace } from "./list-runs.js";
import { NotedRuns } from "./noted-runs.js";
import { recordedOutcome } from "./post-result.js";
import { RunJournal } from "./run-journal.js";
import { ifReadable } from "./unreadable-runs.js";

/** So many runs are opened for it; what was approved before those is too old to be looked for. */
const MAX_RUNS = 50;

/** A file that was shown with the question that was approved last. */
export interface ApprovedVersion {
  path: string;
  approvedAt: string;
  runId: string;
  breakpointId: string;
  by?: string;
  sha256?: string;
  bytes?: number;
  /** Only so many bytes of it were kept. */
  cutAt?: number;
  /** The text as it was shown, or why there is none: a copy that is damaged is not taken for it. */
  read(): Promise<{ text?: string; refused?: string }>;
}

/** One for each path that was ever approved, as far as the newest runs tell. */
export async function approvedVersions(journal: RunJournal, breakpointId: string): Promise<ApprovedVersion[]> {
  const effectId = parseEffectId(breakpointId);
  const { opened } = await historyOf(journal, effectId);
  const wanted = new Set((opened?.files ?? []).map(({ path }) => path));
  if (wanted.size === 0) return [];
  // Of a question that is decided: what people could compare it with then.
  const until = requestOf(await journal.index(), effectId)?.resolution?.at;
  const isBefore = ({ breakpointId: id, runId, approvedAt }: ApprovedVersion): boolean =>
    (runId !== journal.runId || id !== effectId) && (until === undefined || approvedAt < until);
  const found = new Map<string, ApprovedVersion>();
  for await (const run of runsLikeIt(journal, (at) => isFoundSince(found, wanted, at)))
    for (const version of (await approvedIn(run)).filter(isBefore)) {
      const { path, approvedAt } = version;
      if (wanted.has(path) && approvedAt > (found.get(path)?.approvedAt ?? "")) found.set(path, version);
    }
  return [...found.values()];
}

/** True when a run in which nothing has happened after this time has nothing newer. */
function isFoundSince(found: ReadonlyMap<string, ApprovedVersion>, wanted: ReadonlySet<string>, at: string): boolean {
  return [...wanted].every((path) => (found.get(path)?.approvedAt ?? "") > at);
}

/** Runs of the same process in the same project, those with the newest event first. */
async function* runsLikeIt(journal: RunJournal, isEnough: (at: string) => boolean): AsyncGenerator<RunJournal> {
  const { ports, summary, here } = journal;
  const { processId } = summary.created;
  const noted = await NotedRuns.list(ports);
  let opened = 0;
  for (const place of await placesOf(ports, noted)) {
    const { runId } = place.listing;
    if (!mayHaveApproved(place, processId)) continue;
    opened += 1;
    if (opened > MAX_RUNS || isEnough(place.listing.at ?? place.run?.lastEventAt ?? "")) break;
    const open = (): Promise<RunJournal> => RunJournal.open(ports, runId);
    const run = await ifReadable({ ports, runId }, () => undefined, open);
    if (run !== undefined && run.here.projectRoot === here.projectRoot) yield run;
  }
  await noted.save();
}

/** A run of this process that has asked someone, as far as one can tell without opening it. */
function mayHaveApproved({ listing, run }: RunPlace, processId: string): boolean {
  const { foreign, note } = listing;
  return !foreign && note?.smooth !== true && (note ?? run)?.processId === processId;
}

async function approvedIn(journal: RunJournal): Promise<ApprovedVersion[]> {
  const { store } = journal.ports;
  const opened = new Map<string, BreakpointOpened>();
  const approved = new Map<string, ApprovedVersion[]>();
  for (const event of (await store.read(journal.runId, undefined)) ?? []) {
    const { effectId = "" } = event;
    if (event.type === "BREAKPOINT_OPENED") opened.set(effectId, event.payload);
    const files = opened.get(effectId)?.files;
    if (event.type === "EFFECT_RESOLVED" && files !== undefined)
      approved.set(effectId, await versionsOf(journal, event, files));
    // It was asked again: the answer does not count any more.
    if (event.type === "EFFECT_REOPENED" || event.type === "EFFECT_RETRIED") {
      opened.delete(effectId);
      approved.delete(effectId);
    }
  }
  return [...approved.values()].flat();
}

async function versionsOf(
  journal: RunJournal,
  event: JournalEvent,
  files: readonly ShownFile[],
): Promise<ApprovedVersion[]> {
  const { status, value } = await recordedOutcome(journal, event);
  if (status !== "ok") return [];
  const { approved, respondedBy } = toBreakpointResult(value ?? null, event.timestamp);
  if (!approved) return [];
  return files.map(({ path, sha256, bytes, cutAt, refused, blob }) => ({
    path,
    approvedAt: event.timestamp,
    runId: journal.runId,
    breakpointId: event.effectId as string,
    ...defined({ by: respondedBy, sha256, bytes, cutAt }),
    read: async () => (refused === undefined ? recordedText(journal, defined({ blob })) : { refused }),
  }));
}
