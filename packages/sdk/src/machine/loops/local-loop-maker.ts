/** The machine for commands that begin a loop or change its contract. */
import type { ContractOrder, LoopMaker } from "../../loop-runs/loop-machine.js";
import type { SessionRegistry } from "../../sessions/session-registry.js";
import type { Caller } from "../caller.js";
import { rememberPlaces } from "../remember-project.js";
import { localLoopMachine } from "./local-loop-machine.js";
import { orderedContract, withProtectedThings } from "./ordered-contract.js";

export interface Vouching {
  /** Whoever asks has just seen the session, or is about to begin it. */
  vouched?: boolean;
}

export function localLoopMaker(
  options: Pick<Caller, "cwd" | "env" | "places">,
  sessions: SessionRegistry,
  { vouched = false }: Vouching = {},
): LoopMaker & { sessions: SessionRegistry } {
  const { env } = options;
  const machine = localLoopMachine(options, sessions);
  // Added to the machine itself, whose getters look things up only when asked.
  return Object.assign(machine, {
    contract: (order: ContractOrder) =>
      orderedContract({ projectRoot: machine.projectRoot, env, nonce: machine.ports.randomHex(3) }, order),
    withProtectedThings,
    rememberProject: () => rememberPlaces(options, options.places()),
    ...(vouched ? { wasSeen: () => true } : {}),
  });
}
