/** Changes the contract of a loop: criteria, steps, limits, promise, and what is protected. */
import { type LoopTerms, noTerms } from "../loop/formats/loop-terms.js";
import { makeContract, stepsOf } from "../loop/rules/make-contract.js";
import { BabysitterError } from "../model/errors.js";
import type { LoopContract } from "../model/loop-contract.js";
import type { ChangeSource } from "../model/who-may-decide.js";
import type { RunJournal } from "../runs/run-journal.js";
import { amendLoop, openLoop } from "./change-loop.js";
import type { LoopMaker } from "./loop-machine.js";
import type { LoopPorts } from "./loop-ports.js";
import { writeSessionView } from "./session-view.js";

export interface ContractChange {
  terms: LoopTerms;
  /** Criteria that no longer count. */
  drop: readonly string[];
  /** Protected files are right as they are now. */
  acceptChanges: boolean;
  source: ChangeSource;
}

/** Answers what has changed, in words; nothing at all is an error. */
export async function changeContract(
  { machine, ports }: { machine: LoopMaker; ports: Pick<LoopPorts, "changed"> },
  journal: RunJournal,
  change: ContractChange,
): Promise<{ changes: string[]; contract: LoopContract }> {
  const { projectRoot } = journal.place;
  // Applied to the current contract; retried if someone else was faster, which cannot happen forever.
  for (;;) {
    const { contract: from } = openLoop(journal);
    const { contract: wanted, changes } = withTerms(from, change);
    const fresh = await machine.withProtectedThings(projectRoot, wanted);
    if (change.acceptChanges) changes.push(await acceptedText(ports, projectRoot, from));
    if (changes.length === 0) throw new BabysitterError("USAGE", "Specify what to change.", { hint: HINT });
    const contract = change.acceptChanges ? fresh : withKept(from, wanted, fresh);
    if (await amendLoop(journal, { what: changes.join("; "), from, contract, source: change.source }))
      return { changes, contract };
  }
}

/** Changes what the agent says when it is done, and the readable copies of it. */
export async function changePromise(
  world: { machine: LoopMaker; ports: Pick<LoopPorts, "changed"> },
  journal: RunJournal,
  { promise, source }: { promise: string; source: ChangeSource },
): Promise<void> {
  const terms = { ...noTerms(), completionPromise: promise };
  await changeContract(world, journal, { terms, drop: [], acceptChanges: false, source });
  await writeSessionView(world.machine.sessions, journal);
  await world.machine.writeViews(journal);
}

const HINT = "See: babysitter loop:amend --help";

async function acceptedText(
  ports: Pick<LoopPorts, "changed">,
  projectRoot: string,
  { protectedThings }: LoopContract,
): Promise<string> {
  const changed = await ports.changed(projectRoot, protectedThings);
  return `accepted: ${changed.map(({ name }) => name).join(", ") || "nothing had changed"}`;
}

/** What was protected before stays protected as it was; what comes with new criteria is protected as it is. */
function withKept(from: LoopContract, wanted: LoopContract, fresh: LoopContract): LoopContract {
  const kept = from.protectedThings;
  const added = fresh.protectedThings.filter(({ name }) => !kept.some((thing) => thing.name === name));
  return { ...wanted, protectedThings: [...kept, ...added] };
}

function withTerms(
  contract: LoopContract,
  { terms, drop }: ContractChange,
): { contract: LoopContract; changes: string[] } {
  const { criteria, fastCriteria, mustNot, claims, limits, completionPromise: promise } = terms;
  const added = makeContract({
    goal: contract.title,
    criteria,
    fastCriteria,
    mustNot,
    claims,
    steps: [],
    protect: [],
    iterations: 0,
    settings: contract.settings,
    nonce: "",
  });
  if ("problem" in added) throw new BabysitterError("CRITERION_INVALID", added.problem, { hint: added.hint });
  const unknown = drop.find((id) => !contract.criteria.some((criterion) => criterion.id === id));
  if (unknown !== undefined)
    throw new BabysitterError("USAGE", `Unknown criterion ${JSON.stringify(unknown)}.`, { hint: HINT });
  const replaced = new Set([...drop, ...added.criteria.map(({ id }) => id)]);
  const steps = stepsOf(
    terms.steps,
    contract.steps.map(({ id }) => id),
  );
  return {
    contract: {
      ...contract,
      criteria: [...contract.criteria.filter(({ id }) => !replaced.has(id)), ...added.criteria],
      steps: [...contract.steps, ...steps],
      protects: [...contract.protects, ...terms.protect],
      limits: { ...contract.limits, ...limits },
      ...(promise === undefined ? {} : { promise: { text: promise.trim(), issued: false } }),
    },
    changes: [
      ...added.criteria.map(({ id }) => `criterion ${id}`),
      ...drop.map((id) => `removed criterion ${id}`),
      ...steps.map(({ id }) => `step ${id}`),
      ...terms.protect.map((glob) => `protects ${glob}`),
      ...Object.entries(limits).map(([limit, value]) => `${limit} ${value}`),
      ...(promise === undefined ? [] : [`promise "${promise}"`]),
    ],
  };
}
