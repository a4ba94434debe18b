/** Removes what a person has named, and nothing else. */
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { refusedBySystem } from "../../model/errno.js";
import { BabysitterError } from "../../model/errors.js";
import { shellQuoted } from "../../model/shell-quoted.js";
import { RunJournal } from "../../runs/run-journal.js";
import { sessionPlaces } from "../../sessions/session-places.js";
import type { Environment } from "../caller.js";
import { isRunDir } from "../choose-run.js";
import { requirePerson } from "../inbox/person-only.js";
import { localPorts } from "../local-ports.js";
import { sdkAccess } from "../sdk-access.js";
import { whoDrives } from "../who-drives.js";
import { type Inventory, type Item, PART_NAMES, type Part } from "./parts.js";

export interface Removed {
  item: Item;
  /** Why it is still there. */
  problem?: string;
}

/** Of every item of the named parts. Refuses as a whole what would break something that runs. */
export async function removeParts(env: Environment, { items }: Inventory, parts: readonly Part[]): Promise<Removed[]> {
  requirePerson(env, "remove what Babysitter has on this machine");
  refuseUnderServer(items, parts);
  const named = items.filter(({ part }) => parts.includes(part));
  await refuseDriven(env, named);
  const ordered = named.toSorted((a, b) => PART_NAMES.indexOf(a.part) - PART_NAMES.indexOf(b.part));
  const removed: Removed[] = [];
  for (const item of ordered) {
    const problem = await removeItem(env, item);
    removed.push({ item, ...(problem === undefined ? {} : { problem }) });
  }
  removeIfEmpty(sessionPlaces({ env, cwd: "/" }).home);
  return removed;
}

/** A server writes its files again. */
function refuseUnderServer(items: readonly Item[], parts: readonly Part[]): void {
  const running = items.find(({ part }) => part === "servers");
  if (running === undefined || parts.includes("servers")) return;
  const ofServer = parts.filter((part) => part === "inbox" || part === "state");
  if (ofServer.length === 0) return;
  throw new BabysitterError(
    "USAGE",
    `The inbox is running (process ${running.pid}) and writes what ${ofServer.join(" and ")} would remove.`,
    {
      hint: `Remove it too: babysitter uninstall --remove ${["servers", ...parts].join(",")}`,
    },
  );
}

/** A run under which its files are taken away fails in ways that nobody understands. */
async function refuseDriven(env: Environment, items: readonly Item[]): Promise<void> {
  for (const runDir of items.filter(({ part }) => part === "runs").flatMap(({ paths }) => paths.filter(isRunDir))) {
    const ports = localPorts({ runsDir: path.dirname(runDir), sdk: sdkAccess(), env });
    const runId = path.basename(runDir);
    const driving = await RunJournal.open(ports, runId as RunJournal["runId"]).then(whoDrives, () => ({
      by: "nobody" as const,
    }));
    if (driving.by === "nobody") continue;
    throw new BabysitterError("RUN_BUSY", `Run ${runId} is being driven by ${driving.who}.`, {
      hint: "Stop it first, then try again. Nothing was removed.",
      details: { runId, runDir },
    });
  }
}

async function removeItem(env: Environment, { pid, commands = [], paths }: Item): Promise<string | undefined> {
  if (pid !== undefined) return endProcess(pid);
  for (const [program = "", ...args] of commands) {
    const { error, status, stderr } = spawnSync(program, args, { env: { ...env }, encoding: "utf8", cwd: "/" });
    if (error === undefined && status === 0) continue;
    const why = error?.message ?? stderr.trim().split("\n").at(-1) ?? "";
    return `\`${[program, ...args].map(shellQuoted).join(" ")}\` failed: ${why}`;
  }
  try {
    for (const file of paths) fs.rmSync(file, { recursive: true, force: true });
    for (const folder of new Set(paths.map((file) => path.dirname(file)))) removeIfEmpty(folder);
    return undefined;
  } catch (error) {
    return (refusedBySystem(error) ?? (error as Error)).message;
  }
}

const PATIENCE_MS = 10_000;
const LOOK_MS = 20;

async function endProcess(pid: number): Promise<string | undefined> {
  try {
    process.kill(pid, "SIGTERM");
    for (const end = Date.now() + PATIENCE_MS; Date.now() < end; await delay(LOOK_MS)) process.kill(pid, 0);
    return `Process ${pid} was told to end, but is still running. End it by hand: kill -9 ${pid}`;
  } catch (error) {
    // There is no such process any more.
    return (error as NodeJS.ErrnoException).code === "ESRCH" ? undefined : (error as Error).message;
  }
}

function removeIfEmpty(folder: string): void {
  try {
    fs.rmdirSync(folder);
  } catch {
    // It is gone, or something of somebody else's is in it.
  }
}
