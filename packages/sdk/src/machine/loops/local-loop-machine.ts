/** The machine for use cases of loops, filled with this machine's files and programs. */
import path from "node:path";
import type { LoopMachine, SessionFiles } from "../../loop-runs/loop-machine.js";
import { parseRunId } from "../../model/ids.js";
import type { Ports } from "../../model/ports.js";
import { RunJournal } from "../../runs/run-journal.js";
import { sessionPlaces } from "../../sessions/session-places.js";
import type { Caller } from "../caller.js";
import { startVerifier } from "../children/start-verifier.js";
import { gatesPolicy } from "../gates-policy.js";
import { localPorts, recordedPath } from "../local-ports.js";
import { sdkAccess } from "../sdk-access.js";
import { adoptedContract } from "./adopted-contract.js";
import { writeLoopViews } from "./loop-views.js";
import { withSessionClaim } from "./session-claims.js";
import { wasSeen } from "./was-seen.js";

/** What is looked up on the disk is looked up when it is asked for: most hooks need little of it. */
export function localLoopMachine<S extends SessionFiles>(
  { cwd, env, places }: Pick<Caller, "cwd" | "env" | "places">,
  sessions: S,
): LoopMachine & { sessions: S } {
  const portsAt = (runsDir: string): Ports => localPorts({ runsDir, sdk: sdkAccess(), env });
  return {
    sessions,
    get projectRoot() {
      return places().projectRoot;
    },
    get ports() {
      return { ...portsAt(places().runsDir), gatesPolicy: gatesPolicy(env) };
    },
    openRun: ({ runId = "", runDir }) =>
      RunJournal.open(portsAt(runDir === undefined ? places().runsDir : path.dirname(runDir)), parseRunId(runId)),
    recordedRoot: (runDir) => recordedPath(runDir, places().projectRoot),
    adoptedContract(session, mode) {
      const { projectRoot, ports } = this;
      return adoptedContract({ projectRoot, env }, session, { mode, nonce: ports.randomHex(4) });
    },
    writeViews: writeLoopViews,
    claimSession: (sessionId, act) => withSessionClaim(sessionPlaces({ env, cwd }).home, sessionId, act),
    wasSeen: (session) => wasSeen({ cwd, env }, session),
    startVerification: startVerifier,
  };
}
