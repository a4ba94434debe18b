/** Checks every file of a journal, and moves aside what breaks it. */
import path from "node:path";
import { BabysitterError } from "../../model/errors.js";
import { EVENT_RULES, isKnownType } from "../../model/event-rules.js";
import type { EventType, JournalEvent } from "../../model/events.js";
import { parseJson } from "../../model/json.js";
import type { Place } from "../../model/store.js";
import type { JournalFinding, JournalReport, RepairReport } from "../../model/upkeep.js";
import { blobsOf } from "../rules/blobs.js";
import { brokenEvent, eventFile, eventFileName, nextPlace, openEvent, parseEventFileName } from "../rules/chain.js";
import { getBlob } from "./blobs.js";
import { withDiskErrors } from "./disk-errors.js";
import { isCrashRemainder } from "./event-log.js";
import type { DurableFiles } from "./journal-fs.js";
import type { RunLayout } from "./layout.js";

interface Survey {
  /** The chain from the first event to the last good one. */
  chain: JournalEvent[];
  findings: JournalFinding[];
}

export function checkJournal(files: DurableFiles, layout: RunLayout): JournalReport {
  const { chain, findings } = survey(files, layout);
  return { events: chain.length, head: chain.at(-1), findings };
}

/** Moves every file that breaks the chain to `quarantine/`, after copying the whole journal there. */
export function repairJournal(
  files: DurableFiles,
  layout: RunLayout,
  options: { dryRun: boolean; stamp: string },
): RepairReport {
  const { chain, findings } = survey(files, layout);
  const moved = findings.filter(({ file }) => file.startsWith("journal/"));
  const serious = moved.some(({ harmless }) => !harmless);
  if (moved.length === 0 || options.dryRun) return { moved, backup: undefined, events: chain.length };
  if (chain.length === 0 && serious) {
    throw new BabysitterError("JOURNAL_BROKEN", "The first event is damaged; no part of the journal can be kept.", {
      hint: "Restore journal/ from version control or a backup.",
      details: { findings: findings.map(({ file, problem }) => ({ file, problem })) },
    });
  }
  const backup = path.join("quarantine", options.stamp);
  withDiskErrors(layout.root, () => {
    const aside = path.join(layout.root, backup, "journal");
    files.makeDirBelow(layout.root, aside);
    const names = files.fs.readdirSync(layout.journal);
    const folders = names.filter((name) => !copyAside(files, path.join(layout.journal, name), path.join(aside, name)));
    files.syncDir(aside);
    files.syncUp(aside);
    for (const { file } of moved) {
      const name = path.basename(file);
      const from = path.join(layout.journal, name);
      if (folders.includes(name)) files.fs.renameSync(from, path.join(aside, name));
      else files.fs.unlinkSync(from);
    }
    files.syncDir(layout.journal);
    for (const cache of [layout.summary, layout.index]) files.discard(cache);
  });
  return { moved, backup, events: chain.length };
}

/** A second name for a file; false for folders, which cannot have one. */
function copyAside(files: DurableFiles, from: string, to: string): boolean {
  if (files.fs.sizeOf(from) === undefined) return false;
  files.fs.linkSync(from, to);
  return true;
}

function survey(files: DurableFiles, layout: RunLayout): Survey {
  if (!files.fs.existsSync(layout.journal)) throw brokenEvent("journal/", "it is missing");
  const names = files.fs.readdirSync(layout.journal).toSorted();
  const { chain, broken } = findChain(files, layout, names);
  const chained = new Set(chain.map(eventFileName));
  const findings = broken === undefined ? [] : [broken];
  const beyond: { file: string; event: JournalEvent | undefined }[] = [];
  for (const name of names) {
    const file = `journal/${name}`;
    if (chained.has(name) || broken?.file === file) continue;
    const place = parseEventFileName(name);
    const event = place === undefined ? undefined : tryOpen(files, layout, place);
    if (place === undefined) findings.push({ file, problem: "it is not an event file", harmless: true });
    else if (place.seq > chain.length) beyond.push({ file, event });
    else findings.push(rival(file, chain[place.seq - 1] as JournalEvent, textIn(files, layout, name)));
  }
  const events = beyond.map(({ event }) => event);
  const harmless = broken === undefined && isCrashRemainder(events, chain.length);
  const problem = `event ${chain.length + 1}, which it builds on, is missing or damaged`;
  findings.push(...beyond.map(({ file }) => ({ file, problem, harmless })));
  for (const event of chain) findings.push(...blobFindings(files, layout, event));
  return { chain, findings };
}

/**
 * A file at a place that the chain has given to another event. What replay issues again, and copies of what
 * the chain has, may lie about; a result that the chain does not have may not.
 */
function rival(file: string, chained: JournalEvent, text: string | undefined): JournalFinding {
  const other = parseLoosely(text);
  const isCopy = other?.checksum === chained.checksum;
  const isReissued = isKnownType(other?.type ?? "") && EVENT_RULES[other?.type as EventType].side === "process";
  const problem = isCopy ? `it is a copy of event ${chained.seq}` : `the chain has another event ${chained.seq}`;
  return { file, problem, harmless: chained.seq > 1 && (isCopy || isReissued) };
}

function parseLoosely(text: string | undefined): Partial<JournalEvent> | undefined {
  try {
    return parseJson(text ?? "null") as Partial<JournalEvent> | undefined;
  } catch {
    return undefined;
  }
}

function textIn(files: DurableFiles, layout: RunLayout, name: string): string | undefined {
  try {
    return files.textOf(path.join(layout.journal, name));
  } catch {
    return undefined;
  }
}

/** The longest chain that a first event leads to, and the damage that ends it. */
function findChain(
  files: DurableFiles,
  layout: RunLayout,
  names: string[],
): { chain: JournalEvent[]; broken?: JournalFinding } {
  const present = new Set(names);
  const firsts = names.map(parseEventFileName).filter((place) => place?.seq === 1);
  const chains = firsts.map((place) => walkChain(files, layout, present, place as Place));
  const [longest] = chains.toSorted((a, b) => b.chain.length - a.chain.length);
  return longest ?? { chain: [], broken: { file: "journal", problem: "its first event is missing", harmless: false } };
}

function walkChain(
  files: DurableFiles,
  layout: RunLayout,
  present: Set<string>,
  first: Place,
): { chain: JournalEvent[]; broken?: JournalFinding } {
  const chain: JournalEvent[] = [];
  let prev: string | null = null;
  for (let place = first; present.has(eventFileName(place)); place = nextPlace(chain.at(-1) as JournalEvent)) {
    try {
      const event = openEvent(readEvent(files, layout, place), place, prev);
      chain.push(event);
      prev = event.checksum;
    } catch (error) {
      const problem = BabysitterError.is(error) ? problemOf(error) : "it cannot be read";
      return { chain, broken: { file: eventFile(place), problem, harmless: false } };
    }
  }
  return { chain };
}

function readEvent(files: DurableFiles, layout: RunLayout, place: Place): string {
  const file = path.join(layout.journal, eventFileName(place));
  return files.soundTextOf(file, (problem) => brokenEvent(eventFile(place), problem)) ?? "";
}

function tryOpen(files: DurableFiles, layout: RunLayout, place: Place): JournalEvent | undefined {
  try {
    return openEvent(readEvent(files, layout, place), place, undefined);
  } catch {
    return undefined;
  }
}

function blobFindings(files: DurableFiles, layout: RunLayout, event: JournalEvent): JournalFinding[] {
  const findings: JournalFinding[] = [];
  for (const blob of blobsOf(event)) {
    try {
      getBlob(files, layout, blob);
    } catch (error) {
      if (!BabysitterError.is(error)) throw error;
      findings.push({
        file: fileOf(error),
        problem: `event ${event.seq} needs it: ${problemOf(error)}`,
        harmless: false,
      });
    }
  }
  return findings;
}

function problemOf({ details, message }: BabysitterError): string {
  const { problem, why } = details;
  return typeof problem === "string" ? problem : typeof why === "string" ? why : message;
}

function fileOf({ details }: BabysitterError): string {
  return typeof details["file"] === "string" ? details["file"] : "blobs/";
}
