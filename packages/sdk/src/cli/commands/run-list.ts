import { archiveDirOf } from "../../journal/files/archive.js";
import { BabysitterError } from "../../model/errors.js";
import type { Ports } from "../../model/ports.js";
import type { RunStatus } from "../../model/run-state.js";
import type { RunListing } from "../../model/store.js";
import { describeRun } from "../../runs/describe-run.js";
import { RunJournal } from "../../runs/run-journal.js";
import { archivedPorts } from "../../runs/upkeep-of.js";
import { invocationPorts } from "../arguments/choose-run.js";
import type { Command } from "../grammar/invocation.js";
import { age, alignColumns } from "../output/output.js";
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

export const command: Command = async (invocation) => {
  const { options } = invocation;
  const ports = invocationPorts(invocation);
  const shelf = options.flag("archived") ? archivedPorts(ports) : ports;
  const rows = await Promise.all((await shelf.store.list()).map((listing) => describe(shelf, listing)));
  const shown = options.flag("open") ? rows.filter(({ state }) => !FINISHED.has(state)) : rows;
  shown.sort((a, b) => (b.lastEventAt ?? "").localeCompare(a.lastEventAt ?? ""));
  const { runsDir: usual } = invocation.places();
  const runsDir = options.flag("archived") ? archiveDirOf(usual) : usual;
  const now = ports.clock.now();
  const table = shown.map((row) => [
    row.runId,
    paintState(invocation.paint, row.state),
    row.createdAt === undefined ? "" : age(row.createdAt, now),
    row.processId ?? "",
    row.why ?? "",
  ]);
  const text =
    shown.length === 0 ? `No runs in ${runsDir}.` : alignColumns([["RUN", "STATE", "AGE", "PROCESS", ""], ...table]);
  return { document: { runsDir, runs: shown }, text };
};

async function describe(ports: Ports, { runId, foreign }: RunListing): Promise<Row> {
  const runDir = ports.workspace.runDir(runId);
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
