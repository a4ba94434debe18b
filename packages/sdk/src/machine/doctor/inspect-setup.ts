/** Looks at the machine: programs, hosts, folders. Changes nothing that stays. */

import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import type { DoctorKit, ProgramFacts } from "../../hosts/host.js";
import { hostDoctors } from "../../hosts/host-parts.js";
import { defined } from "../../model/json.js";
import { VERSION } from "../../model/version.js";
import { listRuns } from "../../runs/list-runs.js";
import { hookLogFile, hookProblemsSince } from "../../sessions/hook-log.js";
import { readLastSession } from "../../sessions/last-session.js";
import { sessionPlaces } from "../../sessions/session-places.js";
import type { Caller, Environment } from "../caller.js";
import { callerPorts } from "../choose-run.js";
import { inspectChannels } from "../desk/inspect-channels.js";
import { isProgram } from "../file-places.js";
import { describeInbox } from "../inbox/describe-inbox.js";
import { hostAbove } from "./host-above.js";
import { installedFrom } from "./installed-from.js";
import type { SetupFacts } from "./setup-facts.js";

const DAY_MS = 24 * 3_600_000;
/** A program that takes longer than this to report its version does not work. */
const PATIENCE_MS = 20_000;

export async function inspectSetup(caller: Caller): Promise<SetupFacts> {
  const { env, cwd } = caller;
  const { home } = sessionPlaces({ env, cwd });
  const { projectRoot, runsDir } = caller.places();
  const cli = fs.realpathSync(process.argv[1] as string);
  const node = programNamed("node", env);
  const kit: DoctorKit = {
    env,
    projectRoot,
    hostAbove,
    cli: { path: cli, version: VERSION, from: installedFrom(cli) },
    lastSession: readLastSession(home),
    program: (name) => programNamed(name, env),
    ask: (program, args) => call(program, args, env),
  };
  const doctors = await hostDoctors();
  const state = path.join(home, "state");
  return {
    platform: process.platform,
    cli: kit.cli,
    ...(node === undefined ? {} : { node }),
    hosts: doctors.map(({ title }) => title),
    hostFindings: doctors.flatMap((doctor) => doctor.examine(kit)),
    others: others(cli, env),
    links: { dir: runsDir, ...refusalOf(runsDir, tryLink) },
    state: { dir: state, ...refusalOf(state, tryWrite) },
    ...defined({ inbox: await describeInbox(env), channels: await inspectChannels(env) }),
    ...(await lookAtRuns(caller)),
    hookProblems: hookProblemsSince(home, new Date(Date.now() - DAY_MS).toISOString()),
    hookLog: hookLogFile(home),
  };
}

async function lookAtRuns(caller: Caller): Promise<Pick<SetupFacts, "now" | "newest" | "unreadable">> {
  const now = new Date().toISOString();
  try {
    const runs = await listRuns(callerPorts(caller));
    const [newest] = runs;
    return {
      now,
      ...(newest?.lastEventAt === undefined ? {} : { newest: { runId: newest.runId, at: newest.lastEventAt } }),
      unreadable: runs.filter(({ state }) => state === "damaged").map(({ runId, why = "" }) => ({ runId, why })),
    };
  } catch {
    // The folder itself cannot be read: that is a finding of its own.
    return { now, unreadable: [] };
  }
}

function programNamed(name: string, env: Environment): ProgramFacts | undefined {
  const [found] = onPath(name, env);
  if (found === undefined) return undefined;
  const { status, stdout } = call(found, ["--version"], env);
  return { path: found, ...(status === 0 ? { version: stdout.trim().replace(/^v/u, "") } : {}) };
}

function onPath(name: string, env: Environment): string[] {
  const folders = (env["PATH"] ?? "").split(path.delimiter).filter((folder) => folder !== "");
  return [...new Set(folders)].map((folder) => path.join(folder, name)).filter(isProgram);
}

/** Ours are this program itself and the launchers that come with it. */
function others(cli: string, env: Environment): string[] {
  const folder = path.dirname(cli);
  const own = [
    cli,
    path.join(folder, "bin/babysitter"),
    path.resolve(folder, "../bin/babysitter"),
    path.resolve(folder, "../../bin/babysitter.cjs"),
  ];
  return onPath("babysitter", env).filter((file) => !own.includes(fs.realpathSync(file)));
}

function call(
  program: string,
  args: string[],
  env: Environment,
): { status: number | null; stdout: string; stderr: string } {
  const { status, stdout, stderr } = spawnSync(program, args, {
    env: { ...env },
    encoding: "utf8",
    timeout: PATIENCE_MS,
    killSignal: "SIGKILL",
    stdio: ["ignore", "pipe", "pipe"],
  });
  return { status, stdout: stdout ?? "", stderr: stderr ?? "" };
}

/** What does not exist yet would be made in the next folder above that does. */
function refusalOf(dir: string, attempt: (dir: string) => void): { problem?: string } {
  let folder = dir;
  while (!fs.existsSync(folder) && folder !== path.dirname(folder)) folder = path.dirname(folder);
  try {
    attempt(folder);
    return {};
  } catch (error) {
    return { problem: (error as Error).message };
  }
}

function tryWrite(dir: string): void {
  const file = path.join(dir, draftName());
  try {
    fs.writeFileSync(file, "", { flag: "wx", mode: 0o600 });
  } finally {
    fs.rmSync(file, { force: true });
  }
}

/** The way in which events are published: a link that must not exist yet. */
function tryLink(dir: string): void {
  const file = path.join(dir, draftName());
  try {
    fs.writeFileSync(file, "", { flag: "wx", mode: 0o600 });
    fs.linkSync(file, `${file}.link`);
  } finally {
    fs.rmSync(`${file}.link`, { force: true });
    fs.rmSync(file, { force: true });
  }
}

function draftName(): string {
  return `.babysitter-doctor-${randomBytes(6).toString("hex")}`;
}
