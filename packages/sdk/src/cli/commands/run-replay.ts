import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { hasRun, isRunDir } from "../../machine/choose-run.js";
import { shownMessage } from "../../model/shown-text.js";
import { line } from "../../model/terminal-text.js";
import { lastWordsOf } from "../output/error-document.js";
import "../../index.js";
import { HERE } from "../../machine/children/answer-apart.js";
import { replayApart } from "../../machine/children/replay-apart.js";
import { type ChosenRun, callerPorts, chooseRun } from "../../machine/choose-run.js";
import { quietLimitOf } from "../../machine/local-ports.js";
import { guardUserCode } from "../../machine/programs/user-code-guard.js";
import { EXIT_CODES } from "../../model/error-codes.js";
import { BabysitterError } from "../../model/errors.js";
import type { Ports } from "../../model/ports.js";
import { type ReplayAnswer, replayRun } from "../../runs/replay-run.js";
import { splitEntry } from "../arguments/entry-text.js";
import type { Command, Invocation } from "../grammar/invocation.js";
import type { Paint } from "../output/paint.js";

export const command: Command = async (invocation) => {
  const { positionals, paint } = invocation;
  const chosen =
    positionals.length === 0
      ? await runsIn(callerPorts(invocation), { foreign: false })
      : (await Promise.all(positionals.map((named) => chooseRuns(invocation, named)))).flat();
  const runs = invocation.options.flag(HERE)
    ? await replayHere(invocation, chosen)
    : await replayAll(invocation, chosen);
  const counts = { same: 0, differs: 0, cannot: 0 };
  for (const { verdict } of runs) counts[verdict] += 1;
  const ok = counts.same === runs.length;
  const total =
    runs.length === 0
      ? "No runs to replay."
      : `${counts.same} same, ${counts.differs} different, ${counts.cannot} not replayable.`;
  return {
    document: { ok, counts, runs },
    text: [...runs.map((run) => render(run, paint)), total].join("\n"),
    exitCode: ok ? EXIT_CODES.ok.exit : EXIT_CODES.blocked.exit,
  };
};

/** As many at a time as the machine has processors, answered in the order they were named. */
async function replayAll({ options }: Invocation, chosen: ChosenRun[]): Promise<ReplayAnswer[]> {
  const entry = options.text("entry");
  const more = entry === undefined ? [] : [`--entry=${entry}`];
  const answers: ReplayAnswer[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    for (let index = next++; index < chosen.length; index = next++)
      answers[index] = await replayApart(chosen[index] as ChosenRun, more);
  };
  await Promise.all(Array.from({ length: os.availableParallelism() }, work));
  return answers;
}

async function replayHere(invocation: Invocation, chosen: ChosenRun[]): Promise<ReplayAnswer[]> {
  const answers: ReplayAnswer[] = [];
  for (const { ports, runId } of chosen)
    answers.push(await replayRun(prepared(invocation, ports), runId, { quietLimitMs: quietLimitOf(invocation.env) }));
  return answers;
}

/** What one argument means: a run, or every run in a folder. */
async function chooseRuns(invocation: Invocation, named: string): Promise<ChosenRun[]> {
  const dir = path.resolve(invocation.cwd, named);
  if (!named.includes("\0") && isDirectory(dir) && !isRunDir(dir)) {
    const isRunHere = hasRun(invocation, named);
    if (named.includes("/") || !isRunHere) return runsIn(callerPorts(invocation, dir), { foreign: true });
  }
  const chosen = await chooseRun(invocation, named);
  if (await chosen.ports.store.exists(chosen.runId)) return [chosen];
  throw new BabysitterError("RUN_NOT_FOUND", `Run not found: ${named}.`, {
    hint: "`babysitter run:list` lists the existing runs; --runs-dir or RUNS_DIR selects another directory.",
    details: { run: named },
  });
}

async function runsIn(ports: Ports, options: { foreign: boolean }): Promise<ChosenRun[]> {
  const listed = await ports.store.list();
  return listed.filter(({ foreign }) => options.foreign || !foreign).map(({ runId }) => ({ ports, runId }));
}

function isDirectory(dir: string): boolean {
  return fs.statSync(dir, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/** The ports with guards around the process, and with the file that was asked for. */
function prepared(invocation: Invocation, ports: Ports): Ports {
  const { env } = invocation;
  const entry = invocation.options.text("entry");
  const named = entry === undefined ? undefined : splitEntry(entry, invocation.cwd);
  // Without an export in it, the recorded one is looked for.
  const other = named === undefined ? {} : { ...named, file: path.resolve(invocation.cwd, named.file) };
  return {
    ...ports,
    locate: (runDir, created) => ({ ...ports.locate(runDir, created), ...other }),
    loader: {
      inspect: (...args) => {
        const code = ports.loader.inspect(...args);
        return {
          hash: code.hash,
          snapshot: () => code.snapshot(),
          load: () => {
            guardUserCode({ what: "The process", env, ...lastWordsOf(invocation) });
            return code.load();
          },
        };
      },
    },
  };
}

const STYLES = { same: "green", differs: "red", cannot: "yellow" } as const;

function render(run: ReplayAnswer, paint: Paint): string {
  const { runId, verdict, state, wouldAskFor = [], warnings = [] } = run;
  return [
    `${runId} ${paint(STYLES[verdict], verdict)}${state === undefined ? "" : ` (${state})`}`,
    ...wouldAskFor.map(({ kind, invocationKey }) => line`  would ask for ${kind} ${invocationKey}`),
    ...renderEnds(run),
    ...renderError(run.error),
    ...warnings.map((warning) => `  warning: ${shownMessage(warning)}`),
  ].join("\n");
}

function renderEnds({ verdict, recorded, replayed }: ReplayAnswer): string[] {
  if (recorded === undefined || replayed === undefined) return [];
  if (verdict === "differs") return [`  journal: ${brief(recorded)}`, `  code:    ${brief(replayed)}`];
  return recorded.state === replayed.state ? [] : [`  would end: ${brief(replayed)}`];
}

function renderError(error: ReplayAnswer["error"]): string[] {
  if (error === undefined) return [];
  const { code, message, hint } = error as { code: string; message: string; hint?: string };
  return [`${code}: ${message}`, ...(hint === undefined ? [] : [hint])].map((text) => `  ${shownMessage(text)}`);
}

/** --json has all of it. */
function brief(end: object): string {
  const text = JSON.stringify(end);
  return text.length > 300 ? `${text.slice(0, 299)}…` : text;
}
