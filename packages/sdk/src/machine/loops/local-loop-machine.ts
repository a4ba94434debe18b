/** The machine for use cases of loops, filled with this machine's files and programs. */
import path from "node:path";
import type { LoopMachine } from "../../loop-runs/loop-machine.js";
import { BabysitterError } from "../../model/errors.js";
import { parseRunId } from "../../model/ids.js";
import type { Ports } from "../../model/ports.js";
import { RunJournal } from "../../runs/run-journal.js";
import { rememberProject } from "../../sessions/project-registry.js";
import { type SessionPlaces, sessionPlaces } from "../../sessions/session-places.js";
import { SessionRegistry } from "../../sessions/session-registry.js";
import type { Caller } from "../caller.js";
import { startVerifier } from "../children/start-verifier.js";
import { localPorts, recordedPath } from "../local-ports.js";
import { sdkAccess } from "../sdk-access.js";
import { adoptedContract } from "./adopted-contract.js";
import { writeLoopViews } from "./loop-views.js";
import { orderedContract, withProtectedThings } from "./ordered-contract.js";

export interface LoopMachineOptions extends Pick<Caller, "cwd" | "env" | "places" | "pluginRoot"> {
  /** Named by the caller, in place of the usual folder of session files. */
  stateDir?: string | undefined;
}

/** Where the session files of a caller are. */
function sessionPlacesOf({ cwd, env, places, pluginRoot, stateDir }: LoopMachineOptions): SessionPlaces {
  return sessionPlaces({
    env,
    cwd,
    projectRoot: places().projectRoot,
    ...(stateDir === undefined ? {} : { stateDir }),
    ...(pluginRoot === undefined ? {} : { pluginRoot }),
  });
}

/** What is looked up on the disk is looked up when it is asked for: most hooks need little of it. */
export function localLoopMachine(
  options: LoopMachineOptions,
  sessions: SessionRegistry = new SessionRegistry(sessionPlacesOf(options), () => new Date()),
): LoopMachine & { sessions: SessionRegistry } {
  const { env, places } = options;
  const portsAt = (runsDir: string): Ports => localPorts({ runsDir, sdk: sdkAccess(), env });
  return {
    sessions,
    get projectRoot() {
      return places().projectRoot;
    },
    get ports() {
      return portsAt(places().runsDir);
    },
    openRun: ({ runId = "", runDir }) =>
      RunJournal.open(portsAt(runDir === undefined ? places().runsDir : path.dirname(runDir)), parseRunId(runId)),
    recordedRoot: (runDir) => recordedPath(runDir, places().projectRoot),
    contract(order) {
      return orderedContract({ projectRoot: this.projectRoot, env, nonce: this.ports.randomHex(3) }, order);
    },
    adoptedContract(session, mode) {
      const { projectRoot, ports } = this;
      return adoptedContract({ projectRoot, env }, session, { mode, nonce: ports.randomHex(4) });
    },
    withProtectedThings,
    writeViews: writeLoopViews,
    rememberProject: () => remember(options),
    startVerification: startVerifier,
  };
}

/** The run is there already; a list that cannot be written is no reason to say that it is not. */
function remember(options: LoopMachineOptions): void {
  const { projectRoot, runsDir } = options.places();
  try {
    rememberProject(sessionPlacesOf(options).home, { projectRoot, runsDir, at: new Date().toISOString() });
  } catch (error) {
    if (!BabysitterError.is(error)) throw error;
  }
}
