/** Transcripts of Claude Code: where they are, and what they contain. */
import fs from "node:fs";
import path from "node:path";
import { defined } from "../../model/json.js";
import type { Environment, HostTranscripts } from "../host.js";
import { configFolder } from "./config-folder.js";
import { meteredRow } from "./spend-rows.js";
import { entriesOf } from "./transcript-entries.js";
import { parseRow, parseRows } from "./transcript-rows.js";
import { turnBreakOf } from "./turn-break.js";
import { readTurn } from "./turn-rows.js";

export const transcripts: HostTranscripts = {
  lagMs: 500,
  turnIn: (lines, last) => {
    const { rows, skipped, broken } = parseRows(lines);
    return { ...readTurn(rows, last), skipped, ...(last.lastMessage === undefined ? defined({ broken }) : {}) };
  },
  breakIn: (lines) => turnBreakOf(parseRows(lines).rows),
  // Inside a text, quotes are escaped, so that text about usage does not look like it.
  usageMark: '"usage"',
  usageIn: (line) => {
    const row = parseRow(line);
    return row === undefined ? undefined : meteredRow(row);
  },
  ofSession,
  ofSessions,
  ofSubagents,
  entriesIn: (lines) => parseRows(lines).rows.flatMap(entriesOf),
};

const ENDING = ".jsonl";

/** The folder's name follows from where the host works, in its own way. */
function ofSession(sessionId: string, env: Environment): string | undefined {
  const projects = path.join(configFolder(env), "projects");
  try {
    return fs
      .readdirSync(projects)
      .map((name) => path.join(projects, name, `${sessionId}${ENDING}`))
      .find((file) => fs.existsSync(file));
  } catch {
    return undefined;
  }
}

/** The transcripts of a project's sessions are in one folder, each under its session's id. */
function ofSessions(newest: string, sessions: readonly string[]): string[] {
  const own = path.basename(newest, ENDING);
  const others = sessions.filter((id) => id !== own).map((id) => path.join(path.dirname(newest), `${id}${ENDING}`));
  return [...others.filter((file) => fs.existsSync(file)), newest];
}

/** Workflows have folders of their own below that of the subagents. */
const DEEPEST = 6;
const AGENT_FILE = /^agent-.*\.jsonl$/u;

function ofSubagents(transcript: string): string[] {
  const folder = path.join(transcript.replace(/\.jsonl$/u, ""), "subagents");
  return filesBelow(folder, DEEPEST).toSorted();
}

function filesBelow(folder: string, depth: number): string[] {
  let entries: fs.Dirent[];
  try {
    entries = fs.readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
  return entries.flatMap((entry) => {
    const full = path.join(folder, entry.name);
    if (entry.isDirectory()) return depth > 0 ? filesBelow(full, depth - 1) : [];
    return entry.isFile() && AGENT_FILE.test(entry.name) ? [full] : [];
  });
}
