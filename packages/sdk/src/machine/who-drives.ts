import os from "node:os";
import { holderOf } from "../drive/lease.js";
import type { RunJournal } from "../runs/run-journal.js";
import type { Driving } from "../runs/standing.js";

/** Who works on a run just now, as far as this machine can tell. */
export async function whoDrives(journal: Pick<RunJournal, "ports" | "runId" | "runDir">): Promise<Driving> {
  const { driver, agent } = journal.ports.leases;
  const holder = (await holderOf(driver, journal)) ?? (await holderOf(agent, journal));
  if (holder === undefined) return { by: "nobody" };
  const where = holder.host === os.hostname() ? "" : ` on ${holder.host}`;
  return { by: holder.role ?? "driver", who: `process ${holder.pid}${where}` };
}
