/** `babysitter run`: creates or resumes a run and drives it to its end. */
import crypto from "node:crypto";
import path from "node:path";
import { isatty } from "node:tty";
import { Driver } from "../../drive/driver.js";
import { ProcessWorker } from "../../drive/process-worker.js";
import type { Ending } from "../../drive/progress.js";
import { agentOf } from "../../hosts/turns/agent-option.js";
import { PROCESS_WORKER } from "../../machine/children/program-names.js";
import { localContextFiles } from "../../machine/context-files.js";
import { answersOf, decisionSource, userName } from "../../machine/decision-source.js";
import { executorsFor } from "../../machine/executors.js";
import { hookContext } from "../../machine/lifecycle/hook-context.js";
import { lifecycleHooks, tellOfCreation } from "../../machine/lifecycle/lifecycle-hooks.js";
import { turnLimitOf } from "../../machine/programs/user-code-guard.js";
import { EXIT_CODES } from "../../model/error-codes.js";
import { parseRunId } from "../../model/ids.js";
import { defined } from "../../model/json.js";
import type { Ports } from "../../model/ports.js";
import { hasProcess } from "../../model/run-state.js";
import { noProcess } from "../../runs/no-process.js";
import { retryRun } from "../../runs/retry-run.js";
import { RunJournal } from "../../runs/run-journal.js";
import { markedEnvironment } from "../../spawn/spawn-marker.js";
import { chooseRun, invocationPorts, runName } from "../arguments/choose-run.js";
import { driveSettings } from "../arguments/drive-settings.js";
import { readJsonInput } from "../arguments/input-files.js";
import { chooseTarget, type Target } from "../arguments/run-target.js";
import type { Command, Invocation } from "../grammar/invocation.js";
import { openProgressView, type ProgressView } from "../progress/open-progress-view.js";

export const command: Command = async (invocation) => {
  const target = chooseTarget(invocation);
  // A wrong setting is told before anything is begun.
  driveSettings(invocation, invocation.places().projectRoot);
  const agent = agentOf(invocation);
  const session = crypto.randomBytes(12).toString("hex");
  const view = openProgressView(invocation);
  try {
    const opened = await openRun(invocation, target, { session, view });
    const ending = await (agent === undefined
      ? drive(invocation, { ...opened, session, view })
      : driveAgent(invocation, { ...opened, session, view, agent }));
    const { runId, runDir } = opened.journal;
    return {
      document: { runId, runDir, ...ending },
      text: "",
      exitCode: EXIT_CODES[ending.exit].exit,
    };
  } finally {
    view.close();
  }
};

interface Opened {
  journal: RunJournal;
  /** The host that created the run, still warm. */
  host: ProcessWorker | undefined;
  ports: Ports;
}

async function openRun(
  invocation: Invocation,
  target: Target,
  { session, view }: { session: string; view: ProgressView },
): Promise<Opened> {
  const { options, cwd, env } = invocation;
  if ("run" in target) {
    const { ports, runId } = await chooseRun(invocation, target.run);
    const journal = await RunJournal.open(ports, runId);
    if (!hasProcess(journal.summary.created) && options.text("agent") === undefined) throw noProcess(runId);
    if (options.flag("retry")) await retryRun(journal, undefined);
    return { ports, journal, host: undefined };
  }
  const ports = invocationPorts(invocation);
  const inputs = options.text("inputs");
  const given = inputs === undefined ? undefined : await readJsonInput(inputs, { flag: "inputs", cwd, env });
  const host = startWorker(invocation, { session, view, ports, cwd });
  try {
    const { runId } = await host.call({
      call: "create",
      run: {
        processId: options.text("process-id") ?? target.name,
        file: target.file,
        ...defined({ exportName: target.export, inputs: given, runId: options.text("run-id") }),
      },
    });
    return { ports, journal: await RunJournal.open(ports, parseRunId(runId)), host };
  } catch (error) {
    host.kill();
    throw error;
  }
}

/** The process lives in programs of its own then, one for each iteration. */
async function driveAgent(
  invocation: Invocation,
  { journal, host, session, view, agent }: Opened & { session: string; view: ProgressView; agent: string },
): Promise<Ending> {
  await host?.close();
  const isNew = host !== undefined;
  const { agentDrive } = await import("../command-loaders.js");
  const { runWithAgent, tellOfNewRun } = await agentDrive();
  if (isNew) await tellOfNewRun(invocation, journal);
  return runWithAgent(invocation, { journal, isNew, agent, session, view });
}

function startWorker(
  invocation: Invocation,
  { session, view, ports, cwd }: { session: string; view: ProgressView; ports: Ports; cwd: string },
): ProcessWorker {
  const { env } = invocation;
  const base = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined));
  const runsDir = path.dirname(ports.workspace.runDir(parseRunId("run")));
  return new ProcessWorker({
    program: process.argv[1] as string,
    args: [PROCESS_WORKER, runsDir, invocation.places().projectRoot],
    env: markedEnvironment(base as Record<string, string>, session),
    cwd,
    turnLimitMs: turnLimitOf(env),
    onLine: (line) => view.take({ type: "printed", line }),
  });
}

async function drive(invocation: Invocation, run: Opened & { session: string; view: ProgressView }): Promise<Ending> {
  const { journal, host, ports, session, view } = run;
  const { runId, runDir, place } = journal;
  const settings = driveSettings(invocation, place.projectRoot);
  const stop = new AbortController();
  const context = { ...hookContext(invocation, journal), ...settings.hookLimits };
  const shared = { journal, contextFiles: localContextFiles, enabled: settings.hooksEnabled };
  await tellThePast(journal, view, host === undefined);
  for (const text of settings.notices) view.take({ type: "notice", text });
  if (host !== undefined) await tellOfCreation(journal, lifecycleHooks({ ...shared, context }));
  const driver = new Driver({
    journal,
    leases: ports.leases.driver,
    session,
    startWorker: () => startWorker(invocation, { session, view, ports, cwd: place.projectRoot }),
    firstWorker: host,
    executors: executorsFor({ ...settings, env: invocation.env, session }),
    projectRoot: place.projectRoot,
    processDir: path.dirname(place.file),
    concurrency: settings.concurrency,
    report: (progress) => view.take(progress),
    watch: (onChange) => ports.store.watch(runId, onChange),
    asker: view.asker,
    policy: settings.policy,
    user: userName(),
    source: decisionSource(invocation, "terminal"),
    answers: answersOf(invocation, journal),
    hooks: lifecycleHooks({ ...shared, context: { ...context, signal: stop.signal } }),
    wait: invocation.options.flag("wait"),
    name: runName(invocation, { runDir, runId }),
  });
  const stopListening = listenToSignals(driver, () => stop.abort());
  try {
    return await driver.run();
  } finally {
    stopListening();
  }
}

async function tellThePast(journal: RunJournal, view: ProgressView, resumed: boolean): Promise<void> {
  const { runId, runDir, summary, ports } = journal;
  const { processId, entry, at } = summary.created;
  view.take({
    type: "opened",
    run: { runId, runDir, processId, entry: `${entry.path}#${entry.export}`, resumed, createdAt: at },
  });
  for (const event of (await ports.store.read(runId, undefined)) ?? []) view.take({ type: "event", event, past: true });
}

/** Ctrl-C and its relatives; the third time nothing is waited for. */
function listenToSignals(driver: Driver, stopHooks: () => void): () => void {
  // Asked now: a terminal that has gone is none. `nohup` leaves none, and Node forgets that it ignores SIGHUP.
  const hasTerminal = [0, 1, 2].some((fd) => isatty(fd));
  let count = 0;
  const listener = (signal: NodeJS.Signals): void => {
    if (signal === "SIGHUP" && !hasTerminal) return;
    count += 1;
    if (count > 2) process.exit(EXIT_CODES.interrupted.exit);
    stopHooks();
    driver.interrupt();
  };
  const onUncaught = (error: unknown): void => driver.abandon(error);
  process.on("uncaughtException", onUncaught);
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  for (const signal of signals) process.on(signal, listener);
  return () => {
    process.off("uncaughtException", onUncaught);
    for (const signal of signals) process.off(signal, listener);
  };
}
