/** A contract from the options of a command. */
import { findProtected } from "../../checks/protected-things.js";
import { overruledFlags, type ResolvedConfig } from "../../config/resolve-config.js";
import { criterionFrom, type NamedCommand } from "../../loop/rules/criterion-text.js";
import { commandsOf, makeContract } from "../../loop/rules/make-contract.js";
import { canBePromised, NOT_PROMISABLE, PROMISE_HINT } from "../../loop/rules/promise-grammar.js";
import { settingsFor } from "../../machine/caller.js";
import { contractSettings } from "../../machine/loops/adopted-contract.js";
import { BabysitterError } from "../../model/errors.js";
import type { LoopContract, LoopMode, LoopShape } from "../../model/loop-contract.js";
import { durationOf } from "../grammar/durations.js";
import type { Invocation } from "../grammar/invocation.js";
import { numberOption, usageError } from "../grammar/parse-arguments.js";
import { callerOf } from "./caller.js";

export interface GivenContract {
  contract: LoopContract;
  /** Options that have no effect, in words. */
  warnings: string[];
}

/** A promise that nobody can give would leave the loop without an end. */
export function requirePromisable({ name }: Invocation, promise: string): void {
  if (canBePromised(promise)) return;
  throw new BabysitterError("USAGE", `${name}: --completion-promise: ${NOT_PROMISABLE}`, { hint: PROMISE_HINT });
}

export async function contractFrom(
  invocation: Invocation,
  goal: string,
  defaults: { mode?: LoopMode; title?: string; iterations: number; nonce: string; shape?: LoopShape },
): Promise<GivenContract> {
  const { options, name } = invocation;
  const { projectRoot } = invocation.places();
  const config = settingsFor(callerOf(invocation), projectRoot);
  const { values } = config;
  const [tokens, reviewEvery] = [
    numberOption(name, options, "budget-tokens"),
    numberOption(name, options, "review-every"),
  ];
  const promise = options.text("completion-promise");
  if (promise === undefined && options.isEmpty("completion-promise"))
    throw usageError(invocation, "--completion-promise is empty.");
  if (promise !== undefined) requirePromisable(invocation, promise);
  const contract = makeContract({
    goal,
    ...(defaults.title === undefined ? {} : { title: defaults.title }),
    ...(defaults.mode === undefined ? {} : { mode: defaults.mode }),
    ...(promise === undefined ? {} : { completionPromise: promise }),
    criteria: named(options.texts("criteria")),
    fastCriteria: named(options.texts("fast-criteria")),
    mustNot: named(options.texts("must-not")),
    claims: options.texts("claim"),
    steps: options.texts("step"),
    protect: options.texts("protect"),
    iterations: iterationsOf(config, defaults.iterations),
    ...(values["limits.budgetUsd"] === null ? {} : { usd: values["limits.budgetUsd"] }),
    ...(tokens === undefined ? {} : { tokens }),
    ...(reviewEvery === undefined ? {} : { reviewEvery }),
    ...timeLimits(invocation),
    ...(defaults.shape === undefined ? {} : { shape: defaults.shape }),
    ...shapeOf(invocation),
    settings: contractSettings(values),
    environment: invocation.env,
    nonce: defaults.nonce,
  });
  if ("problem" in contract) throw new BabysitterError("CRITERION_INVALID", contract.problem, { hint: contract.hint });
  return { contract: await withProtectedThings(projectRoot, contract), warnings: overruledFlags(config) };
}

/** What must stay as it is, as it is now. */
export async function withProtectedThings(projectRoot: string, contract: LoopContract): Promise<LoopContract> {
  const commands = commandsOf(contract.criteria);
  if (commands.length === 0 && contract.protects.length === 0) return { ...contract, protectedThings: [] };
  const protectedThings = await findProtected({ root: projectRoot, globs: contract.protects, commands });
  return { ...contract, protectedThings };
}

/** What nobody has set depends on the kind of loop. */
function iterationsOf({ values, origins }: ResolvedConfig, usual: number): number {
  return origins["limits.maxIterations"].source === "default" ? usual : values["limits.maxIterations"];
}

export function named(texts: readonly string[]): NamedCommand[] {
  return texts.map((text) => {
    const criterion = criterionFrom(text);
    if ("problem" in criterion)
      throw new BabysitterError("CRITERION_INVALID", criterion.problem, { hint: criterion.hint });
    return criterion;
  });
}

function timeLimits(invocation: Invocation): { wallMs?: number; criterionTimeoutMs?: number } {
  const { options, name } = invocation;
  const [wall, criterion] = [options.text("max-time"), options.text("criteria-timeout")];
  return {
    ...(wall === undefined ? {} : { wallMs: durationOf(name, "max-time", wall) }),
    ...(criterion === undefined ? {} : { criterionTimeoutMs: durationOf(name, "criteria-timeout", criterion) }),
  };
}

const SHAPES: readonly LoopShape[] = ["tool", "colleague"];

function shapeOf(invocation: Invocation): { shape?: LoopShape } {
  const given = invocation.options.text("shape");
  if (given === undefined) return {};
  const shape = SHAPES.find((word) => word === given);
  if (shape === undefined) throw usageError(invocation, "--shape must be tool or colleague.");
  return { shape };
}
