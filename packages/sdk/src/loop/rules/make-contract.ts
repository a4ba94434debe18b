/** A contract from what someone asked for, with what was left out filled in. */

import type {
  ClaimCriterion,
  CommandCriterion,
  ContractSettings,
  Criterion,
  LoopContract,
  LoopMode,
  LoopShape,
  StepSpec,
} from "../../model/loop-contract.js";
import { isSecretName } from "../../model/secrets.js";
import { shownLine } from "../../model/shown-text.js";
import { traitsOf } from "./criterion-kinds.js";
import { idGiver, type NamedCommand, type Problem } from "./criterion-text.js";

export interface ContractRequest {
  goal: string;
  /** What people are shown in its place; its first line unless given. */
  title?: string;
  mode?: LoopMode;
  completionPromise?: string;
  criteria: readonly NamedCommand[];
  /** The same, checked after every turn. */
  fastCriteria?: readonly NamedCommand[];
  mustNot: readonly NamedCommand[];
  claims: readonly string[];
  steps: readonly string[];
  protect: readonly string[];
  iterations: number;
  usd?: number;
  tokens?: number;
  wallMs?: number;
  reviewEvery?: number;
  shape?: LoopShape;
  criterionTimeoutMs?: number;
  plan?: true;
  settings: ContractSettings;
  /** Of whoever begins the loop. */
  environment?: Readonly<Record<string, string | undefined>>;
  /** Makes the promise unlike those of other loops. */
  nonce: string;
}

export const DEFAULT_ITERATIONS = 50;
/** Of loops that follow a process, where every turn does a step of it. */
export const RUN_ITERATIONS = 256;
const REJECTIONS = 5;
const CRITERION_TIMEOUT_MS = 10 * 60_000;
const COLLEAGUE_REVIEW = 5;
const TITLE_LENGTH = 120;

/** What the commands of a contract are; whoever makes it looks for what they depend on. */
export function commandsOf(criteria: readonly Criterion[]): string[] {
  return criteria.flatMap((criterion) => traitsOf(criterion).command ?? []);
}

export function makeContract(request: ContractRequest): LoopContract | Problem {
  const criteria = criteriaOf(request);
  if ("problem" in criteria) return criteria;
  const { shape = "tool", steps } = request;
  const promise = promiseOf(request);
  if (promise.text === "") return { problem: "The promise is empty.", hint: "Omit it to have one generated." };
  const reviewEvery = request.reviewEvery ?? (shape === "colleague" ? COLLEAGUE_REVIEW : undefined);
  return {
    mode: request.mode ?? modeOf(request),
    title: shownLine(firstLine(request.title ?? request.goal), TITLE_LENGTH),
    promise,
    criteria: criteria.list,
    steps: stepsOf(steps),
    limits: {
      iterations: request.iterations,
      rejections: REJECTIONS,
      ...(request.usd === undefined ? {} : { usd: request.usd }),
      ...(request.tokens === undefined ? {} : { tokens: request.tokens }),
      ...(request.wallMs === undefined ? {} : { wallMs: request.wallMs }),
      ...(reviewEvery === undefined ? {} : { reviewEvery }),
    },
    shape,
    protects: [...request.protect],
    protectedThings: [],
    settings: request.settings,
    ...(request.plan === undefined ? {} : { plan: request.plan }),
    ...(request.environment === undefined ? {} : { environment: frozenVariables(request.environment) }),
  };
}

/**
 * With one of these an agent could make any command succeed that it has checked itself: they decide which program is
 * run, what it loads, and which settings it finds.
 */
const FROZEN =
  /^(?:PATH|HOME|SHELL|XDG_CONFIG_(?:HOME|DIRS)|LD_LIBRARY_PATH|DYLD_.*|NODE_OPTIONS|NODE_PATH|PYTHON.*|PYTEST_.*|RUBY(?:OPT|LIB)|BUNDLE_GEMFILE|PERL5.*|GOFLAGS|RUSTFLAGS|RUSTC_.*WRAPPER|VITEST_.*|JEST_.*|npm_config_(?:userconfig|globalconfig|prefix|workspaces?))$/iu;

/** Secrets do not belong in a contract, whatever they decide. */
function isFrozen(name: string): boolean {
  return FROZEN.test(name) && !isSecretName(name);
}

function frozenVariables(env: NonNullable<ContractRequest["environment"]>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined && isFrozen(entry[0])),
  );
}

/** The environment of a check: variables of the start in place of those of whoever asks for it. */
export function checkEnvironment(
  { environment }: Pick<LoopContract, "environment">,
  env: Readonly<Record<string, string | undefined>>,
): Record<string, string | undefined> {
  if (environment === undefined) return { ...env };
  const others = Object.entries(env).filter(([name]) => !isFrozen(name));
  return { ...Object.fromEntries(others), ...environment };
}

function modeOf({ steps, criteria, fastCriteria = [], claims }: ContractRequest): LoopMode {
  if (steps.length > 0) return "tasks";
  return criteria.length + fastCriteria.length + claims.length > 0 ? "criteria" : "prompt";
}

/** Without a promise there must still be a way out, and no older text may happen to hold it. */
function promiseOf({ completionPromise, nonce }: ContractRequest): LoopContract["promise"] {
  return completionPromise === undefined
    ? { text: `DONE-${nonce}`, issued: true }
    : { text: completionPromise.trim(), issued: false };
}

function firstLine(goal: string): string {
  return goal.split("\n").find((line) => line.trim() !== "") ?? "";
}

export function stepsOf(titles: readonly string[], taken: Iterable<string> = []): StepSpec[] {
  const idFor = idGiver(taken);
  return titles.map((title) => ({ id: idFor(title), title }));
}

function criteriaOf(request: ContractRequest): { list: Criterion[] } | Problem {
  const { criteria, fastCriteria = [], mustNot, claims, criterionTimeoutMs = CRITERION_TIMEOUT_MS } = request;
  const wanted = [
    ...criteria.map((named) => ({ ...named, tier: "slow" as const, role: "required" as const })),
    ...fastCriteria.map((named) => ({ ...named, tier: "fast" as const, role: "required" as const })),
    ...mustNot.map((named) => ({ ...named, tier: "fast" as const, role: "must-not" as const })),
  ];
  const commands: CommandCriterion[] = [];
  for (const { id, command, tier, role } of wanted) {
    if (commands.some((other) => other.id === id))
      return { problem: `Two criteria are named "${id}".`, hint: "Give each a unique name." };
    commands.push({ kind: "command", id, text: command, command, timeoutMs: criterionTimeoutMs, tier, role });
  }
  const idFor = idGiver(commands.map(({ id }) => id));
  const words = claims.map((text): ClaimCriterion => ({ kind: "claim", id: idFor(text), text }));
  return { list: [...commands, ...words] };
}
