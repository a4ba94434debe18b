/** The contract of a loop that was begun by a session file. */

import { readConfig } from "../../config/read-config.js";
import type { ConfigValues } from "../../config/settings.js";
import type { SessionFile } from "../../loop/formats/session-file.js";
import { makeContract } from "../../loop/rules/make-contract.js";
import { parsePrices } from "../../loop/transcript/spend-prices.js";
import { BabysitterError } from "../../model/errors.js";
import type { LoopContract, LoopMode } from "../../model/loop-contract.js";
import type { Environment } from "../caller.js";

/** What a contract keeps of the settings. */
export function contractSettings(values: ConfigValues): LoopContract["settings"] {
  return {
    answers: values["breakpoints.answers"],
    policy: values["breakpoints.policy"],
    prices: parsePrices(values.prices).prices,
    ...(values["loops.stateFile"] ? {} : { stateFile: false }),
    gates: values["breakpoints.gates"],
  };
}

export function adoptedContract(
  { projectRoot, env }: { projectRoot: string; env: Environment },
  session: SessionFile,
  { mode, nonce }: { mode: LoopMode; nonce: string },
): LoopContract {
  const { values, origins } = readConfig({ projectRoot, env, flags: {} });
  const configured = origins["limits.maxIterations"].source === "default" ? 0 : values["limits.maxIterations"];
  const { completionPromise, prompt } = session;
  const contract = makeContract({
    goal: prompt,
    mode,
    ...(completionPromise === undefined || completionPromise === null || completionPromise.trim() === ""
      ? {}
      : { completionPromise }),
    criteria: [],
    mustNot: [],
    claims: [],
    steps: [],
    protect: [],
    iterations: stricter(session.maxIterations, configured),
    settings: contractSettings(values),
    environment: env,
    nonce,
  });
  if ("problem" in contract) throw new BabysitterError("USAGE", contract.problem, { hint: contract.hint });
  return contract;
}

/** The lower of two limits; 0: no limit. */
function stricter(a: number, b: number): number {
  return a === 0 || b === 0 ? Math.max(a, b) : Math.min(a, b);
}
