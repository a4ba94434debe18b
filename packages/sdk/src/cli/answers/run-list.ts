import { archiveDirOf } from "../../journal/archive.js";
import { BabysitterError } from "../../model/errors.js";
import type { Ports, RunListing } from "../../model/ports.js";
import type { RunStatus } from "../../model/run-state.js";
import { describeRun } from "../../runs/describe-run.js";
import { RunJournal } from "../../runs/run-journal.js";
import type { RunCaller } from "../arguments/choose-run.js";
import { callerPorts } from "../arguments/choose-run.js";
import type { CommandResult } from "../grammar/invocation.js";
import { age, alignColumns } from "../output/output.js";
import type { Paint } from "../output/paint.js";
import { paintState } from "../output/paint.js";

interface Row {
  runId: string;
  runDir: string;
  state: RunStatus | "damaged" | "foreign";
  processId?: string;
  createdAt?: string;
  lastEventAt?: string;
  why?: string;
  foreign: boolean;
}

const FINISHED = new Set<Row["state"]>(["completed", "cancelled", "foreign"]);

/** The runs of a project, the newest first. */
export async function listAnswer(
  caller: RunCaller,
  { open, archived, paint }: { open: boolean; archived: boolean; paint: Paint },
): Promise<CommandResult & { document: { runs: Row[] } }> {
  const ports = callerPorts(caller);
  const shelf = archived ? { ...ports, store: ports.store.archived() } : ports;
  const rows = await Promise.all((await shelf.store.list()).map((listing) => describe(shelf, listing)));
  const shown = open ? rows.filter(({ state }) => !FINISHED.has(state)) : rows;
  shown.sort((a, b) => (b.lastEventAt ?? "").localeCompare(a.lastEventAt ?? ""));
  const { runsDir: usual } = caller.places();
  const runsDir = archived ? archiveDirOf(usual) : usual;
  const now = ports.clock.now();
  const table = shown.map((row) => [
    row.runId,
    paintState(paint, row.state),
    row.createdAt === undefined ? "" : age(row.createdAt, now),
    row.processId ?? "",
    row.why ?? "",
  ]);
  const text =
    shown.length === 0 ? `No runs in ${runsDir}.` : alignColumns([["RUN", "STATE", "AGE", "PROCESS", ""], ...table]);
  return { document: { runsDir, runs: shown } as { runs: Row[] }, text };
}

async function describe(ports: Ports, { runId, runDir, foreign }: RunListing): Promise<Row> {
  if (foreign) return { runId, runDir, foreign, state: "foreign", why: "Made by another tool; read-only." };
  try {
    const { state, why, metadata } = describeRun(await RunJournal.open(ports, runId));
    return {
      runId,
      runDir,
      foreign,
      state,
      why,
      processId: metadata.processId,
      createdAt: metadata.createdAt,
      lastEventAt: metadata.lastEventAt,
    };
  } catch (error) {
    if (!BabysitterError.is(error)) throw error;
    return { runId, runDir, foreign, state: "damaged", why: `${error.message} See: babysitter run:check ${runId}` };
  }
}
