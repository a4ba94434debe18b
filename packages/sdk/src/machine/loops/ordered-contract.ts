/** A contract from what was ordered, with the settings of the project and what its criteria depend on as it is now. */
import { findProtected } from "../../checks/protected-things.js";
import { overruledFlags, type ResolvedConfig } from "../../config/resolve-config.js";
import { commandsOf, makeContract } from "../../loop/rules/make-contract.js";
import type { ContractOrder, OrderedContract } from "../../loop-runs/loop-machine.js";
import { BabysitterError } from "../../model/errors.js";
import { defined } from "../../model/json.js";
import type { LoopContract } from "../../model/loop-contract.js";
import { type Environment, settingsFor } from "../caller.js";
import { contractSettings } from "./adopted-contract.js";
import { refuseUnknownCommands } from "./refuse-unknown-commands.js";

export async function orderedContract(
  { projectRoot, env, nonce }: { projectRoot: string; env: Environment; nonce: string },
  { goal, terms, mode, title, iterations, shape }: ContractOrder,
): Promise<OrderedContract> {
  const { limits, ...rest } = terms;
  const config = settingsFor({ env, flags: flagsOf(limits) }, projectRoot);
  const { values } = config;
  const contract = makeContract({
    goal,
    ...rest,
    ...defined({ mode, title, shape: terms.shape ?? shape }),
    iterations: iterationsOf(config, iterations),
    ...defined({
      usd: values["limits.budgetUsd"] ?? undefined,
      tokens: limits.tokens,
      wallMs: limits.wallMs,
      reviewEvery: limits.reviewEvery,
    }),
    settings: contractSettings(values),
    environment: env,
    nonce,
  });
  if ("problem" in contract) throw new BabysitterError("CRITERION_INVALID", contract.problem, { hint: contract.hint });
  return { contract: await withProtectedThings(projectRoot, contract), warnings: overruledFlags(config) };
}

/** Limits for which the settings of the project may have a stricter value. */
function flagsOf({ iterations, usd }: ContractOrder["terms"]["limits"]): Record<string, string | undefined> {
  return { "max-iterations": iterations?.toString(), "budget-usd": usd?.toString() };
}

/** What must stay as it is, as it is now. */
export async function withProtectedThings(projectRoot: string, contract: LoopContract): Promise<LoopContract> {
  refuseUnknownCommands(projectRoot, contract.criteria);
  const commands = commandsOf(contract.criteria);
  if (commands.length === 0 && contract.protects.length === 0) return { ...contract, protectedThings: [] };
  const protectedThings = await findProtected({ root: projectRoot, globs: contract.protects, commands });
  return { ...contract, protectedThings };
}

/** What nobody has set depends on the kind of loop. */
function iterationsOf({ values, origins }: ResolvedConfig, usual: number): number {
  return origins["limits.maxIterations"].source === "default" ? usual : values["limits.maxIterations"];
}
