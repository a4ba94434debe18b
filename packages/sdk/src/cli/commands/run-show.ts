/** `babysitter run:show`: everything about a run on one screen. */

import { endingOf } from "../../drive/ending.js";
import type { Progress } from "../../drive/progress.js";
import { openToLook } from "../../machine/choose-run.js";
import { showPast } from "../../machine/driving/show-past.js";
import { isOver } from "../../machine/driving/watch-run.js";
import { runName } from "../../machine/run-name.js";
import { whoDrives } from "../../machine/who-drives.js";
import { documentOf, seeRun } from "../answers/run-status.js";
import { ownRun } from "../arguments/own-run.js";
import type { Command } from "../grammar/invocation.js";
import { oneLine } from "../output/display-width.js";
import { screenHere } from "../output/for-screen.js";
import { isTerminal } from "../output/is-terminal.js";
import { newProgressModel, takeProgress } from "../progress/progress-model.js";
import { renderEnding } from "../progress/render-ending.js";
import { renderTree } from "../progress/render-tree.js";
import { symbolsFor } from "../progress/symbols.js";

/** Of long runs the steps that matter most are shown; pipes get all of them. */
const SCREEN_STEPS = 20;
const EVERYTHING = 100_000;

export const command: Command = async (invocation) => {
  const { env, paint } = invocation;
  const journal = await openToLook(invocation, invocation.positionals[0] || ownRun(invocation));
  const name = runName(invocation, journal);
  const seen = await seeRun(journal, { env, paint, runName: name });
  const ending = {
    ...(await endingOf(journal, "waiting", name, await whoDrives(journal))),
    failures: seen.failures,
  };
  const { createdAt, lastEventAt, entry } = seen.run.metadata;
  const endMs = isOver(journal) ? Date.parse(lastEventAt) : journal.ports.clock.now().getTime();
  const model = newProgressModel();
  const take = (progress: Progress): void =>
    takeProgress(model, progress, progress.type === "opened" ? Date.parse(createdAt) : endMs);
  await showPast(journal, { take }, { name, resumed: true });
  const screen = isTerminal(1)
    ? { columns: screenHere().columns - 1, rows: SCREEN_STEPS }
    : { columns: EVERYTHING, rows: EVERYTHING };
  const look = { ...screen, nowMs: endMs, paint, frame: 0, symbols: symbolsFor(env) };
  const [, ...steps] = renderTree(model, look);
  take({ type: "ended", ending });
  const [headline = "", ...facts] = renderEnding(model, paint, isTerminal(1) ? screen.columns : undefined);
  const loop = seen.loop === undefined ? [] : ["", seen.loop.block];
  return {
    document: { ...documentOf(seen), failures: seen.failures, waitingFor: ending.waitingFor },
    text: [`${headline}  ${paint("dim", oneLine(entry))}`.trimEnd(), ...steps, ...facts, ...loop].join("\n"),
  };
};
