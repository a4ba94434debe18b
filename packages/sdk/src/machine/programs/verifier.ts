/** The program that checks the criteria of a loop, while whoever asked for it may be gone. */
import crypto from "node:crypto";
import os from "node:os";
import path from "node:path";
import { treeHash } from "../../checks/tree-hash.js";
import { verifyCriteria } from "../../checks/verify-criteria.js";
import { tellOfProgress, withinLimit } from "../../checks/work-limit.js";
import { withoutAgents } from "../../hosts/environments.js";
import { requiredCriteria } from "../../loop/rules/criteria-standing.js";
import { checkEnvironment } from "../../loop/rules/make-contract.js";
import { VerificationRecord } from "../../loop-runs/verification-record.js";
import { BabysitterError } from "../../model/errors.js";
import { parseRunId } from "../../model/ids.js";
import { defined } from "../../model/json.js";
import type { Criterion } from "../../model/loop-contract.js";
import type { LoopState } from "../../model/loop-state.js";
import { RunJournal } from "../../runs/run-journal.js";
import { directoryRef } from "../../spawn/directory-ref.js";
import { refOf } from "../../spawn/process-group-ref.js";
import { abortOnSignals } from "../end-in-time.js";
import { localPorts } from "../local-ports.js";
import { endVerification, isVerificationAlive, treeCacheOf } from "../loops/local-loop-ports.js";
import { writeLoopViews } from "../loops/loop-views.js";
import { sdkAccess } from "../sdk-access.js";
import { endWhenSpinning } from "../watchdog.js";

/** How long what was left running may take to clean up. */
const GRACE_MS = 2_000;
/** How long the first look at the files may take. */
const TREE_MS = 10 * 60_000;

export async function runVerification([runDir = "", name = "", ...wanted]: string[]): Promise<void> {
  const stop = new AbortController();
  abortOnSignals(stop);
  tellOfProgress(endWhenSpinning(process.env));
  const ports = localPorts({ runsDir: path.dirname(runDir), sdk: sdkAccess(), env: process.env });
  const journal = await RunJournal.open(ports, parseRunId(path.basename(runDir)));
  const { loop } = journal.summary;
  if (loop === undefined) return;
  const env = checkEnvironment(loop.contract, process.env);
  // Git too is asked as it was at the start: another one, or other settings, could tell of another tree.
  process.env = env;
  const { projectRoot } = journal.place;
  const cacheDir = treeCacheOf(runDir);
  const criteria = chosenCriteria(loop, wanted);
  const id = name === "" ? crypto.randomBytes(6).toString("hex") : name;
  // Others must not be taken for ours: the name of the first verification is the same in every run.
  const marker = `verification-${id}-${crypto.randomBytes(6).toString("hex")}`;
  await endLeftovers(loop, runDir);
  const tree = await treeNow(projectRoot, cacheDir);
  const record = await VerificationRecord.begin(
    journal,
    {
      verification: id,
      criteria: criteria.map((criterion) => criterion.id),
      tree,
      host: os.hostname(),
      group: refOf(process.pid, marker),
      ...defined({ dir: directoryRef(runDir) }),
    },
    (other) => isVerificationAlive(other, runDir),
  );
  const texts = new Map(criteria.map((criterion) => [criterion.id, criterion.text]));
  // Someone else is already checking.
  if (record === undefined) return;
  try {
    await verifyCriteria({
      criteria,
      projectRoot,
      cacheDir,
      evidenceDir: path.join(runDir, "evidence"),
      runDir,
      // Tools behave otherwise when they think that an agent calls them; here it is the engine.
      env: withoutAgents(env),
      secretNames: journal.secretNames,
      session: marker,
      earlier: loop.results,
      report: (result) => record.checked({ ...result, text: texts.get(result.criterion) ?? "" }),
      cancel: stop.signal,
    });
  } finally {
    await refreshViews(journal);
    await record.end(stop.signal.aborted ? "stopped" : "done");
  }
}

/** Empty when it cannot be told in time: what is wrong is found out, and recorded, with each criterion. */
async function treeNow(projectRoot: string, cacheDir: string): Promise<string> {
  try {
    return await withinLimit(TREE_MS, async (deadline) => (await treeHash(projectRoot, cacheDir, deadline)).hash);
  } catch {
    return "";
  }
}

/** Before the end is recorded: whoever waits for it reads them, or writes newer ones. */
async function refreshViews(journal: RunJournal): Promise<void> {
  try {
    await journal.catchUp();
    await writeLoopViews(journal);
  } catch (error) {
    if (!BabysitterError.is(error)) throw error;
  }
}

/** What a verification has left running whose program was killed. */
async function endLeftovers({ verification }: LoopState, runDir: string): Promise<void> {
  if (verification === undefined || isVerificationAlive(verification, runDir)) return;
  await endVerification(verification, runDir, GRACE_MS);
}

/** Without names: everything that must be met. */
function chosenCriteria(loop: LoopState, wanted: readonly string[]): Criterion[] {
  const { criteria } = loop.contract;
  return wanted.length === 0 ? requiredCriteria(criteria) : criteria.filter(({ id }) => wanted.includes(id));
}
