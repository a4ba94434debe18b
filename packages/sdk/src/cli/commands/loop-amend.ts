import { changedThings } from "../../checks/protected-things.js";
import { makeContract, stepsOf } from "../../loop/rules/make-contract.js";
import { amendLoop, openLoop } from "../../loop-runs/change-loop.js";
import { writeLoopViews } from "../../machine/loops/loop-views.js";
import { refuseUnknownCommands } from "../../machine/loops/refuse-unknown-commands.js";
import { writeSessionView } from "../../machine/loops/session-view.js";
import { BabysitterError } from "../../model/errors.js";
import type { LoopContract } from "../../model/loop-contract.js";
import type { RunJournal } from "../../runs/run-journal.js";
import { chooseLoop, requirePerson } from "../arguments/choose-loop.js";
import { runName } from "../arguments/choose-run.js";
import { named, requirePromisable, withProtectedThings } from "../arguments/contract-options.js";
import { limitsFrom } from "../arguments/limit-options.js";
import { registryOf } from "../arguments/session-of.js";
import type { Command, Invocation } from "../grammar/invocation.js";
import { usageError } from "../grammar/parse-arguments.js";

export const command: Command = async (invocation) => {
  const chosen = await chooseLoop(invocation);
  requirePerson(invocation, chosen, "Changing the contract of a loop");
  const { journal } = chosen;
  const { changes, amended } = await amend(invocation, journal);
  await writeSessionView(registryOf(invocation), journal);
  await writeLoopViews(journal);
  const paused = journal.summary.loop?.paused;
  return {
    document: { runId: journal.runId, runDir: journal.runDir, changes, contract: amended },
    text: [
      `Amended ${journal.runId}: ${changes.join("; ")}.`,
      ...(paused === undefined
        ? []
        : [`It is paused (${paused.code}). To resume: babysitter loop:resume ${runName(invocation, journal)}`]),
    ].join("\n"),
  };
};

/** Made to what the contract is now; again when somebody else was faster, who cannot be so for ever. */
async function amend(
  invocation: Invocation,
  journal: RunJournal,
): Promise<{ changes: string[]; amended: LoopContract }> {
  for (;;) {
    const { contract } = openLoop(journal);
    const changes: string[] = [];
    const amended = await withChanges(invocation, journal, contract, changes);
    if (changes.length === 0) throw usageError(invocation, "Specify what to change.");
    if (await amendLoop(journal, { what: changes.join("; "), from: contract, contract: amended }))
      return { changes, amended };
  }
}

async function withChanges(
  invocation: Invocation,
  journal: RunJournal,
  contract: LoopContract,
  changes: string[],
): Promise<LoopContract> {
  const { options } = invocation;
  const { projectRoot } = journal.ports.locate(journal.runDir, journal.summary.created);
  let next = withLists(invocation, contract, changes);
  const limits = limitsFrom(invocation);
  for (const [limit, value] of Object.entries(limits)) changes.push(`${limit} ${value}`);
  next = { ...next, limits: { ...next.limits, ...limits } };
  const promise = options.text("completion-promise");
  // A promise that nobody can give would leave the loop without an end.
  if (promise?.trim() === "" || options.isEmpty("completion-promise"))
    throw usageError(invocation, "--completion-promise is empty.");
  if (promise !== undefined) {
    requirePromisable(invocation, promise);
    changes.push(`promise "${promise}"`);
    next = { ...next, promise: { text: promise.trim(), issued: false } };
  }
  refuseUnknownCommands(projectRoot, next.criteria);
  const fresh = await withProtectedThings(projectRoot, next);
  if (options.flag("accept-changes")) {
    const changed = await changedThings(projectRoot, contract.protectedThings);
    changes.push(`accepted: ${changed.map(({ name }) => name).join(", ") || "nothing had changed"}`);
    return fresh;
  }
  // What was protected before stays protected as it was; what comes with new criteria is protected as it is.
  const kept = contract.protectedThings;
  const added = fresh.protectedThings.filter(({ name }) => !kept.some((thing) => thing.name === name));
  return { ...next, protectedThings: [...kept, ...added] };
}

function withLists(invocation: Invocation, contract: LoopContract, changes: string[]): LoopContract {
  const { options } = invocation;
  const added = makeContract({
    goal: contract.title,
    criteria: named(options.texts("criteria")),
    fastCriteria: named(options.texts("fast-criteria")),
    mustNot: named(options.texts("must-not")),
    claims: options.texts("claim"),
    steps: [],
    protect: [],
    iterations: 0,
    settings: contract.settings,
    nonce: "",
  });
  if ("problem" in added) throw new BabysitterError("CRITERION_INVALID", added.problem, { hint: added.hint });
  const dropped = options.texts("drop-criterion");
  const unknown = dropped.find((id) => !contract.criteria.some((criterion) => criterion.id === id));
  if (unknown !== undefined) throw usageError(invocation, `Unknown criterion ${JSON.stringify(unknown)}.`);
  const replaced = new Set([...dropped, ...added.criteria.map(({ id }) => id)]);
  const steps = stepsOf(
    options.texts("step"),
    contract.steps.map(({ id }) => id),
  );
  for (const { id } of added.criteria) changes.push(`criterion ${id}`);
  for (const id of dropped) changes.push(`removed criterion ${id}`);
  for (const { id } of steps) changes.push(`step ${id}`);
  for (const glob of options.texts("protect")) changes.push(`protects ${glob}`);
  return {
    ...contract,
    criteria: [...contract.criteria.filter(({ id }) => !replaced.has(id)), ...added.criteria],
    steps: [...contract.steps, ...steps],
    protects: [...contract.protects, ...options.texts("protect")],
  };
}
