/** The machine for answers to a host, filled with this machine's files and programs. */
import path from "node:path";
import type { HostMachine, SlashRunner } from "../../hosts/answer/host-machine.js";
import type { NamedHost } from "../../hosts/host.js";
import type { SessionRegistry } from "../../sessions/session-registry.js";
import type { Environment } from "../caller.js";
import { answersOf, userName } from "../decision-source.js";
import { findPlaces, type Places, realPath } from "../file-places.js";
import { resultTeller } from "../lifecycle/lifecycle-hooks.js";
import { localLoopMachine } from "../loops/local-loop-machine.js";
import { localLoopPorts } from "../loops/local-loop-ports.js";
import { openLoops } from "../loops/open-loops.js";
import { runName } from "../run-name.js";
import { calledBy, callingHost, isCalledByTool } from "./called-by.js";
import { areHooksOlder } from "./hooks-age.js";
import { ownProgram } from "./own-program.js";
import { readableFile } from "./readable-file.js";
import { claimOnce } from "./watch-claim.js";

export interface HostMachineOptions {
  /** Where the host works. */
  cwd: string;
  env: Environment;
  host: NamedHost;
  sessions: SessionRegistry;
  runSlashCommand: SlashRunner;
}

export function localHostMachine({ cwd, env, host, sessions, runSlashCommand }: HostMachineOptions): HostMachine {
  let found: Places | undefined;
  const places = (): Places => (found ??= findPlaces({ cwd, env }));
  const caller = { cwd, env, flags: {}, places };
  const loops = localLoopMachine(caller, sessions);
  const leadsTo = (given: string, target: string): boolean => realPath(path.resolve(cwd, given)) === realPath(target);
  return {
    loops,
    loopPorts: localLoopPorts(env, host),
    openLoops: (onUnreadable) => openLoops(loops.ports, onUnreadable),
    runName: (run) => runName({ cwd, env }, run),
    answersIn: (journal) => answersOf({ env }, journal),
    calledBy: () => calledBy(env),
    isCalledByTool: () => isCalledByTool(env),
    userName,
    resultTeller: (journal) => resultTeller(caller, journal),
    claimOnce: ({ runDir }, name) => claimOnce(runDir, name),
    areHooksOlder: (journal) => areHooksOlder(env, journal),
    leadsToRun: (given, { runDir }) => leadsTo(given, runDir),
    leadsToRuns: (given, { runDir }) => leadsTo(given, path.dirname(runDir)),
    readableFile,
    // The plugin's shell has become this program, so that our parent is the host.
    hostArguments: () => callingHost()?.argv ?? [],
    ownProgram,
    runSlashCommand,
  };
}
