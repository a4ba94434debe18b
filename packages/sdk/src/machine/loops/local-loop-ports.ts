/** The ports of loops, filled with this machine's files and processes. */
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { changedThings } from "../../checks/protected-things.js";
import { treeHash } from "../../checks/tree-hash.js";
import type { LoopPorts, TurnReading, TurnRequest } from "../../loop-runs/loop-ports.js";
import type { VerificationStarted } from "../../model/loop-events.js";
import { readSpend } from "../../sessions/read-spend.js";
import { readTurnFromFile } from "../../sessions/read-transcript.js";
import { readProcEntry } from "../../spawn/proc-table.js";
import { refOf } from "../../spawn/process-group-ref.js";
import { startVerifier } from "../children/start-verifier.js";
import { discoverNames } from "./discover-names.js";

/** How long the transcript may lag behind the hook. */
const FLUSH_MS = 500;

/** A host waits for what needs the hash of the tree; without it the loop goes on, knowing less. */
const TREE_MS = 20_000;

export function localLoopPorts(env: Readonly<Record<string, string | undefined>>): LoopPorts {
  return {
    tree: ({ projectRoot, runDir }) => hashOf(projectRoot, treeCacheOf(runDir)),
    changed: async (projectRoot, things) => (things.length === 0 ? [] : changedThings(projectRoot, things)),
    turn: readTurn,
    spend: async ({ transcriptPath, sessions, since, runDir, prices }) =>
      transcriptPath === undefined
        ? undefined
        : readSpend({
            transcripts: transcriptsOf(transcriptPath, sessions),
            since,
            cacheFile: path.join(runDir, "state", "spend.json"),
            overrides: prices,
          }),
    startVerification: startVerifier,
    isAlive: isVerificationAlive,
    discovered: (projectRoot) => discoverNames(projectRoot, env),
  };
}

/** Where the hash of the tree keeps what it knows of unchanged files. */
export function treeCacheOf(runDir: string): string {
  return path.join(runDir, "state", "tree");
}

/** Undefined when the tree is too large to be hashed in time, or cannot be read. */
async function hashOf(projectRoot: string, cacheDir: string): Promise<string | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), TREE_MS);
  });
  try {
    return await Promise.race([treeHash(projectRoot, cacheDir).then(({ hash }) => hash), late]);
  } catch {
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}

async function readTurn({ path: file, lastMessage, after }: TurnRequest): Promise<TurnReading> {
  if (file === undefined) return { blocks: [], denied: 0, missing: true };
  const turn = await readTurnFromFile({ path: file, lastMessage, deadlineMs: FLUSH_MS, after });
  if (turn.missing) return { blocks: [], denied: 0, missing: true };
  const { blocks, tools, denied, key, complete, commandWaiting, current } = turn;
  return {
    blocks,
    denied,
    missing: false,
    ...(commandWaiting ? { commandWaiting } : {}),
    // A turn of which only the end was read may have called tools before; one with a call has.
    ...(complete || tools > 0 ? { tools } : {}),
    ...(key === undefined || !current ? {} : { key }),
  };
}

/** A host keeps the transcripts of a project's sessions in one folder, each under its session's id. */
function transcriptsOf(newest: string, sessions: readonly string[]): string[] {
  const own = path.basename(newest, ".jsonl");
  const others = sessions.filter((id) => id !== own).map((id) => path.join(path.dirname(newest), `${id}.jsonl`));
  return [...others.filter((file) => fs.existsSync(file)), newest];
}

/**
 * True while the program that checks is there. A command that it has left behind is nobody: what it finds out is
 * never recorded, and it may go on for ever.
 */
export function isVerificationAlive({ host, group }: VerificationStarted): boolean {
  if (host !== os.hostname() || group.startTime === "") return false;
  return refOf(group.pid, group.marker).startTime === group.startTime && readProcEntry(group.pid)?.zombie !== true;
}
