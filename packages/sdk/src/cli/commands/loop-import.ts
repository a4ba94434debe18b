/** `loop:import`: takes over a loop that another tool has begun. */

import { type ImportedLoop, importLoopStateFile, importTaskRecord } from "../../loop/formats/import-loop.js";
import { parseSessionFile } from "../../loop/formats/session-file.js";
import { isClaimOnly } from "../../loop/rules/criterion-kinds.js";
import type { Problem } from "../../loop/rules/criterion-text.js";
import { DEFAULT_ITERATIONS } from "../../loop/rules/make-contract.js";
import { changeStep } from "../../loop-runs/change-loop.js";
import { newLoop } from "../../loop-runs/new-loop.js";
import { runName } from "../../machine/run-name.js";
import { BabysitterError } from "../../model/errors.js";
import { defined } from "../../model/json.js";
import type { LoopContract } from "../../model/loop-contract.js";
import { readInput } from "../arguments/input-files.js";
import { loopMakerOf } from "../arguments/loop-maker-of.js";
import { loopTerms } from "../arguments/loop-terms.js";
import { refuseUnhooked } from "../arguments/refuse-unhooked.js";
import { hostSessionOf } from "../arguments/session-of.js";
import type { Command, Invocation } from "../grammar/invocation.js";
import { usageError } from "../grammar/parse-arguments.js";

const USUAL_FILE = ".loop/state.json";

type Format = NonNullable<LoopContract["origin"]>["format"];

export const command: Command = async (invocation) => {
  await refuseUnhooked(invocation);
  const { cwd, env } = invocation;
  const [named] = invocation.positionals;
  const file = named ?? USUAL_FILE;
  const hint = named === undefined ? "Name the file to import: babysitter loop:import <file>" : undefined;
  const bytes = await readInput(file, { cwd, env, ...defined({ hint }) });
  const { format, loop, promise } = readLoop(invocation, file, bytes.toString("utf8"));
  const machine = loopMakerOf(invocation);
  const { contract: given, warnings } = await machine.contract({
    goal: loop.goal,
    terms: loopTerms(invocation),
    mode: modeOf(format),
    iterations: loop.iterations ?? DEFAULT_ITERATIONS,
    shape: loop.shape,
  });
  const contract = merged(
    promise === undefined || !given.promise.issued ? given : { ...given, promise: { text: promise, issued: false } },
    loop,
    { format, path: file },
  );
  const { journal, notices } = await newLoop(machine, {
    contract,
    goal: loop.goal,
    iteration: loop.iteration,
    runId: invocation.options.text("run-id"),
    session: hostSessionOf(invocation),
  });
  for (const step of loop.doneSteps) await changeStep(journal, { step, status: "done", by: "agent" });
  await machine.writeViews(journal);
  const name = runName(invocation, journal);
  const words = contract.criteria.filter(isClaimOnly).length;
  return {
    document: {
      runId: journal.runId,
      runDir: journal.runDir,
      from: file,
      format,
      contract,
      warnings: [...warnings, ...notices],
    },
    text: [
      ...notices.map((notice) => `warning: ${notice}`),
      `Imported ${file} as ${journal.runId}, iteration ${loop.iteration}.`,
      ...(words === 0
        ? []
        : [
            `${words} of its criteria are plain text that cannot be checked. To add commands: babysitter loop:amend ${name} --criteria 'name: command'`,
          ]),
      `next: babysitter loop:status ${name}`,
    ].join("\n"),
  };
};

interface ReadLoop {
  format: Format;
  loop: ImportedLoop;
  /** Of a session file: what the agent says when it is done. */
  promise?: string;
}

function readLoop(invocation: Invocation, file: string, text: string): ReadLoop {
  const read = text.startsWith("---") ? fromSessionFile(file, text) : fromJson(file, text);
  if (read.loop.goal.trim() === "") throw usageError(invocation, `${file} does not describe a task.`);
  return read;
}

function fromJson(file: string, text: string): ReadLoop {
  const isRecord = /"metadata"\s*:/u.test(text) && !/"criteriaStatus"\s*:/u.test(text);
  const loop = isRecord ? importTaskRecord(text) : importLoopStateFile(text);
  if ("problem" in loop) throw unusable(file, loop);
  return { format: isRecord ? "task-record" : "loop-state", loop };
}

function fromSessionFile(file: string, text: string): ReadLoop {
  const parsed = parseSessionFile(text);
  if (!parsed.ok) throw unusable(file, { problem: parsed.problem, hint: "Fix the file; it was not changed." });
  const { prompt, iteration, maxIterations, completionPromise, startedAt } = parsed.session;
  const promise = completionPromise?.trim() ?? "";
  const loop: ImportedLoop = {
    goal: prompt,
    criteria: [],
    claimedMet: [],
    claimedDone: false,
    steps: [],
    doneSteps: [],
    iteration: Math.max(1, iteration),
    iterations: maxIterations,
    ...defined({ startedAt: startedAt ?? undefined }),
  };
  return { format: "session-file", loop, ...(promise === "" ? {} : { promise }) };
}

function unusable(file: string, { problem, hint }: Problem): BabysitterError {
  return new BabysitterError("INPUT_NOT_JSON", `${file} cannot be imported: ${problem}`, { hint });
}

function modeOf(format: Format): LoopContract["mode"] {
  if (format === "session-file") return "prompt";
  return format === "task-record" ? "tasks" : "criteria";
}

/** What the file brings, with what was said on the command line. */
function merged(given: LoopContract, loop: ImportedLoop, from: { format: Format; path: string }): LoopContract {
  const words = loop.criteria.filter(({ id }) => !given.criteria.some((criterion) => criterion.id === id));
  return {
    ...given,
    criteria: [...given.criteria, ...words],
    steps: [...loop.steps, ...given.steps],
    limits: { ...given.limits, ...(loop.usd === undefined || given.limits.usd !== undefined ? {} : { usd: loop.usd }) },
    origin: { ...from, ...defined({ id: loop.id, startedAt: loop.startedAt, usd: loop.spentUsd }) },
  };
}
