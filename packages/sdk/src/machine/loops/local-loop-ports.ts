/** The ports of loops, filled with this machine's files and processes. */
import path from "node:path";
import { changedThings } from "../../checks/protected-things.js";
import { treeHash } from "../../checks/tree-hash.js";
import type { Environment, HostTranscripts, NamedHost } from "../../hosts/host.js";
import { partsOf } from "../../hosts/host-parts.js";
import type { BegunVerification, LoopPorts, TurnReading, TurnRequest } from "../../loop-runs/loop-ports.js";
import { defined } from "../../model/json.js";
import type { VerificationStarted } from "../../model/loop-events.js";
import { readSpend } from "../../sessions/read-spend.js";
import { readTurnFromFile } from "../../sessions/read-transcript.js";
import { isOfThisRun, mayEnd } from "../../spawn/directory-ref.js";
import { endProcessGroup } from "../../spawn/end-process-group.js";
import { lifeHere } from "../../spawn/life-here.js";
import { startVerifier } from "../children/start-verifier.js";
import { discoverNames } from "./discover-names.js";

/** A host waits for what needs the hash of the tree; without it the loop continues, knowing less. */
const TREE_MS = 20_000;

/** @param host whose transcripts are read, and whose skills are told of; not needed where no turn has ended */
export function localLoopPorts(env: Environment, host?: NamedHost): LoopPorts {
  const { transcripts } = host === undefined ? {} : partsOf(host);
  return {
    tree: ({ projectRoot, runDir }) => hashOf(projectRoot, treeCacheOf(runDir)),
    changed: async (projectRoot, things) => (things.length === 0 ? [] : changedThings(projectRoot, things)),
    turn: (request) => readTurn(request, transcripts),
    spend: async ({ transcriptPath, sessions, since, runDir, prices }) =>
      transcriptPath === undefined || transcripts === undefined
        ? undefined
        : readSpend({
            source: transcripts,
            transcripts: transcripts.ofSessions(transcriptPath, sessions),
            since,
            cacheFile: path.join(runDir, "state", "spend.json"),
            overrides: prices,
          }),
    startVerification: startVerifier,
    isAlive: isVerificationAlive,
    discovered: (projectRoot) => discoverNames(host === undefined ? [] : [host], projectRoot, env),
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

async function readTurn(
  { path: file, lastMessage, after }: TurnRequest,
  format: HostTranscripts | undefined,
): Promise<TurnReading> {
  if (file === undefined || format === undefined) return { blocks: [], denied: [], missing: true };
  const turn = await readTurnFromFile({ path: file, format, lastMessage, deadlineMs: format.lagMs, after });
  if (turn.missing) return { blocks: [], denied: [], missing: true };
  const { blocks, lastWords, tools, denied, key, complete, commandWaiting, current, hasLastMessage, broken } = turn;
  return {
    blocks,
    denied,
    missing: false,
    ...(hasLastMessage ? { lastWords } : {}),
    ...defined({ broken }),
    ...(commandWaiting ? { commandWaiting } : {}),
    // A turn of which only the end was read may have called tools before; one with a call has.
    ...(complete || tools > 0 ? { tools } : {}),
    ...(key === undefined || !current ? {} : { key }),
  };
}

/** One that cannot be seen from here counts as gone after this time. */
const HIDDEN_MS = 10 * 60_000;

/**
 * True while the program that checks is there. A command that it has left behind is nobody: what it finds out is
 * never recorded, and it may run forever.
 */
export function isVerificationAlive({ host, group, dir, at }: BegunVerification, runDir: string): boolean {
  if (!isOfThisRun({ ...group, dir }, runDir)) return false;
  const life = lifeHere({ ...group, host });
  return life === "alive" || (life === "unknown" && Math.abs(Date.now() - Date.parse(at)) < HIDDEN_MS);
}

/** Ends a verification with everything that it has started, unless that is the original's of this copy. */
export async function endVerification(
  { group, host, dir }: VerificationStarted,
  runDir: string,
  graceMs: number,
): Promise<void> {
  if (mayEnd({ ...group, host, dir }, runDir)) await endProcessGroup(group, graceMs);
}
