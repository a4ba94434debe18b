/** Drives a run to its end: the headless driver with this machine's files, programs and settings. */
import path from "node:path";
import { Driver } from "../../drive/driver.js";
import { ProcessWorker } from "../../drive/process-worker.js";
import type { Ending, ProgressView } from "../../drive/progress.js";
import type { RunJournal } from "../../runs/run-journal.js";
import { markedEnvironment } from "../../spawn/spawn-marker.js";
import type { Caller } from "../caller.js";
import { PROCESS_WORKER } from "../children/program-names.js";
import { localContextFiles } from "../context-files.js";
import { answersOf, decisionSource, userName } from "../decision-source.js";
import { driveSettings } from "../drive-settings.js";
import { executorsFor } from "../executors.js";
import { hookContext } from "../lifecycle/hook-context.js";
import { lifecycleHooks, tellOfCreation } from "../lifecycle/lifecycle-hooks.js";
import { withWait } from "../lifecycle/native-hooks.js";
import { OpenCalls } from "../lifecycle/open-calls.js";
import { runName } from "../run-name.js";
import { endWhenSpinning, turnLimitOf } from "../watchdog.js";
import { showPast } from "./show-past.js";
import { listenToSignals } from "./signals.js";

export interface DrivenRun {
  caller: Caller;
  journal: RunJournal;
  /** The worker that created the run, still warm. */
  worker: ProcessWorker | undefined;
  /** In the environment of everything that this driver starts. */
  session: string;
  view: ProgressView;
  /** Wait for input from outside. */
  wait: boolean;
  /** The process sees the failures of a failed run although its code has changed. */
  keepFailures: boolean;
  /** What the user should know before anything is done. */
  notices: readonly string[];
}

export async function driveRun({ caller, journal, worker, session, view, ...how }: DrivenRun): Promise<Ending> {
  endWhenSpinning(caller.env);
  const { runId, place, ports } = journal;
  const settings = driveSettings(caller, place.projectRoot);
  const stop = new AbortController();
  // Tasks are executed here: a plugin's orchestrator must not wait for them and hold up the hooks behind it.
  const context = { ...withWait(hookContext(caller, journal), 0), ...settings.hookLimits };
  const shared = { journal, contextFiles: localContextFiles, enabled: settings.hooksEnabled };
  const name = runName(caller, journal);
  await showPast(journal, view, { name, resumed: worker === undefined });
  for (const text of [...how.notices, ...settings.notices]) view.take({ type: "notice", text });
  if (worker !== undefined) await tellOfCreation(journal, lifecycleHooks({ ...shared, context }));
  const openCalls = settings.hooksEnabled ? new OpenCalls(journal, ["process", "tasks"]) : undefined;
  const driver = new Driver({
    journal,
    leases: ports.leases.driver,
    session,
    startWorker: () =>
      startWorker(caller, { session, view, runsDir: path.dirname(journal.runDir), cwd: place.projectRoot }),
    firstWorker: worker,
    executors: executorsFor({ ...settings, env: caller.env, session }),
    projectRoot: place.projectRoot,
    processDir: path.dirname(place.file),
    concurrency: settings.concurrency,
    report: (progress) => view.take(progress),
    watch: (onChange) => ports.store.watch(runId, onChange),
    asker: view.asker,
    policy: settings.policy,
    user: userName(),
    source: decisionSource(caller, "terminal"),
    answers: answersOf(caller, journal),
    hooks: lifecycleHooks({ ...shared, openCalls, context: { ...context, signal: stop.signal } }),
    wait: how.wait,
    keepFailures: how.keepFailures,
    name,
  });
  const onUncaught = (error: unknown): void => driver.abandon(error);
  process.on("uncaughtException", onUncaught);
  const stopListening = listenToSignals(() => {
    stop.abort();
    driver.interrupt();
  });
  try {
    const ending = await driver.run();
    if (ending.state !== "error") openCalls?.end();
    return ending;
  } finally {
    stopListening();
    process.off("uncaughtException", onUncaught);
  }
}

/** Starts the program in which the process of a run lives. */
export function startWorker(
  { env, places }: Caller,
  { session, view, runsDir, cwd }: { session: string; view: ProgressView; runsDir: string; cwd: string },
): ProcessWorker {
  const base = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined));
  return new ProcessWorker({
    program: process.argv[1] as string,
    args: [PROCESS_WORKER, runsDir, places().projectRoot],
    env: markedEnvironment(base as Record<string, string>, session),
    cwd,
    turnLimitMs: turnLimitOf(env),
    onLine: (line) => view.take({ type: "printed", line }),
  });
}
