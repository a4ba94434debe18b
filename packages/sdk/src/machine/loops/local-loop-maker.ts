/** The machine for commands that begin a loop or change its contract. */
import type { ContractOrder, LoopMaker } from "../../loop-runs/loop-machine.js";
import { type SessionPlaces, sessionPlaces } from "../../sessions/session-places.js";
import { SessionRegistry } from "../../sessions/session-registry.js";
import type { Caller } from "../caller.js";
import { rememberPlaces } from "../remember-project.js";
import { localLoopMachine } from "./local-loop-machine.js";
import { orderedContract, withProtectedThings } from "./ordered-contract.js";

export interface LoopMakerOptions extends Pick<Caller, "cwd" | "env" | "places" | "pluginRoot"> {
  /** Named by the caller, in place of the usual folder of session files. */
  stateDir?: string | undefined;
}

/** Where the session files of a caller are. */
function sessionPlacesOf({ cwd, env, places, pluginRoot, stateDir }: LoopMakerOptions): SessionPlaces {
  return sessionPlaces({
    env,
    cwd,
    projectRoot: places().projectRoot,
    ...(stateDir === undefined ? {} : { stateDir }),
    ...(pluginRoot === undefined ? {} : { pluginRoot }),
  });
}

export function localLoopMaker(
  options: LoopMakerOptions,
  sessions = new SessionRegistry(sessionPlacesOf(options), () => new Date()),
): LoopMaker & { sessions: SessionRegistry } {
  const { env } = options;
  const machine = localLoopMachine(options, sessions);
  // Added to the machine itself, whose getters look things up only when asked.
  return Object.assign(machine, {
    contract: (order: ContractOrder) =>
      orderedContract({ projectRoot: machine.projectRoot, env, nonce: machine.ports.randomHex(3) }, order),
    withProtectedThings,
    rememberProject: () => rememberPlaces(options, options.places()),
  });
}
