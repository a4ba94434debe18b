/** What the agents of a run have said and done, from the transcripts of their host, as far as those are on this machine. */
import fs from "node:fs";
import path from "node:path";
import { readRegularFrom } from "../../files/read-regular-file.js";
import type { HostTranscripts } from "../../hosts/host.js";
import { knownFormat, partsOf } from "../../hosts/host-parts.js";
import { parseSessionId } from "../../loop/formats/session-id.js";
import type { TranscriptEntry } from "../../loop/transcript/transcript-entry.js";
import { BabysitterError } from "../../model/errors.js";
import { defined } from "../../model/json.js";
import type { RunJournal } from "../../runs/run-journal.js";
import type { Desk } from "./desk.js";

export interface RunTranscript {
  /** By which it is read. */
  id: string;
  session: string;
  /** The name of a subagent's own transcript. */
  subagent?: string;
  bytes: number;
}

/** Entries in their order; `next` is where to read on, null when there was nothing more. */
export interface TranscriptPart {
  entries: TranscriptEntry[];
  from: number;
  next: number | null;
  size: number;
}

const NEWLINE = 10;
/** A line may hold the whole of a file; one that is longer than the last of these is passed over. */
const PARTS = [1, 4, 16].map((mebibytes) => mebibytes * 1024 * 1024);

/** Of all sessions that have worked on the run, each followed by its subagents. */
export function listTranscripts({ env }: Pick<Desk, "env">, { summary }: RunJournal): RunTranscript[] {
  return placesOf(env, summary).map(({ file: _file, ...transcript }) => transcript);
}

export function readTranscript(
  { env }: Pick<Desk, "env">,
  { summary, runId }: RunJournal,
  { id, from = 0 }: { id: string; from?: number },
): TranscriptPart {
  const place = placesOf(env, summary).find((transcript) => transcript.id === id);
  if (place === undefined)
    throw new BabysitterError("FILE_NOT_SHOWN", `Run ${runId} has no transcript ${JSON.stringify(id)}.`, {
      details: { runId, path: id, why: "missing" },
    });
  for (const most of PARTS) {
    const found = readRegularFrom(place.file, Math.max(0, from), most);
    if (found.kind !== "file") break;
    const { bytes, size } = found;
    const end = bytes.lastIndexOf(NEWLINE) + 1;
    const isWhole = end > 0 || most === PARTS.at(-1);
    if (!isWhole && bytes.length === most) continue;
    const length = end > 0 || bytes.length < most ? end : bytes.length;
    const at = Math.max(0, from) + length;
    const entries = formatOf(summary).entriesIn(bytes.toString("utf8", 0, length));
    return { entries, from: Math.max(0, from), next: length === 0 ? null : at, size };
  }
  return { entries: [], from: Math.max(0, from), next: null, size: 0 };
}

type Summary = RunJournal["summary"];

function formatOf({ loop }: Summary): HostTranscripts {
  return (
    (loop?.session === undefined ? undefined : partsOf({ name: loop.session.harness }).transcripts) ?? knownFormat()
  );
}

function placesOf(env: Desk["env"], summary: Summary): (RunTranscript & { file: string })[] {
  const format = formatOf(summary);
  const { created, loop } = summary;
  // They become names of files, and whoever wrote the journal may have written anything.
  const sessions = [created.session, ...(loop?.sessions ?? [])].flatMap((session) => parseSessionId(session) ?? []);
  return [...new Set(sessions)].flatMap((session) => {
    const file = format.ofSession(session, env);
    if (file === undefined) return [];
    const subagents = format.ofSubagents(file).map((agentFile) => {
      const subagent = path.basename(agentFile, path.extname(agentFile));
      return { id: `${session}/${subagent}`, session, subagent, file: agentFile };
    });
    return [{ id: session, session, file }, ...subagents].flatMap((place) => {
      const stat = fs.lstatSync(place.file, { throwIfNoEntry: false });
      return stat?.isFile() === true ? [{ ...place, ...defined({ bytes: stat.size }) }] : [];
    });
  });
}
