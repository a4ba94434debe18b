/** `babysitter run … --agent`: a run or a loop, driven by starting an agent's host for one turn after the other. */
import path from "node:path";
import { isatty } from "node:tty";
import { runName } from "../../cli/arguments/choose-run.js";
import { type DriveSettings, driveSettings } from "../../cli/arguments/drive-settings.js";
import { registryOf } from "../../cli/arguments/session-of.js";
import type { Invocation } from "../../cli/grammar/invocation.js";
import type { ProgressView } from "../../cli/progress/open-progress-view.js";
import type { StopReason } from "../../drive/ending.js";
import { holdLease, leaseLost } from "../../drive/lease.js";
import { MomentQueue } from "../../drive/moment-queue.js";
import type { Ending } from "../../drive/progress.js";
import { Questions } from "../../drive/questions.js";
import { endTurn } from "../../loop-runs/end-turn.js";
import { localContextFiles } from "../../machine/context-files.js";
import { answersOf, decisionSource, userName } from "../../machine/decision-source.js";
import { hookContext } from "../../machine/lifecycle/hook-context.js";
import { lifecycleHooks, tellOfCreation } from "../../machine/lifecycle/lifecycle-hooks.js";
import { localLoopPorts } from "../../machine/loops/local-loop-ports.js";
import { writeLoopViews } from "../../machine/loops/loop-views.js";
import { writeSessionView } from "../../machine/loops/session-view.js";
import { EXIT_CODES } from "../../model/error-codes.js";
import { BabysitterError } from "../../model/errors.js";
import type { JournalEvent } from "../../model/events.js";
import { defined } from "../../model/json.js";
import type { LeaseRecord } from "../../model/ports.js";
import { hasProcess, isFinished } from "../../model/run-state.js";
import type { RunJournal } from "../../runs/run-journal.js";
import { endProcessGroup } from "../../spawn/end-process-group.js";
import { refOf } from "../../spawn/process-group-ref.js";
import type { HostLauncher } from "../host.js";
import { launcherOf, partsOf } from "../host-parts.js";
import { AgentDriver } from "./agent-driver.js";
import { agentEnding } from "./agent-ending.js";
import { retriesOf, silenceOf, waitsForPeople } from "./agent-option.js";
import { type AgentSession, agentFolder, bindAgent } from "./agent-session.js";
import { type HostProgram, startTurn } from "./host-program.js";
import { iterateApart } from "./iterate-apart.js";

/** No host waits here, so that the longest check can be waited for without asking a model. */
const PATIENCE_MS = 60 * 60_000;
const GRACE_MS = 2_000;

export interface AgentRun {
  journal: RunJournal;
  /** This command has created it. */
  isNew: boolean;
  agent: string;
  session: string;
  view: ProgressView;
}

export async function runWithAgent(invocation: Invocation, run: AgentRun): Promise<Ending> {
  const { journal, agent, session, view } = run;
  const { runId, ports } = journal;
  const name = runName(invocation, journal);
  const stop = new AbortController();
  let onLost: (problem: unknown) => void = () => stop.abort();
  const report = async (reason: StopReason): Promise<Ending> => {
    const ending = await agentEnding(journal, reason, { name, agent });
    view.take({ type: "ended", ending });
    return ending;
  };
  await tellThePast(run);
  let lease: Awaited<ReturnType<typeof holdLease>> | undefined;
  try {
    lease = await holdLease(ports.leases.agent, runId, { session, onLost: () => onLost(leaseLost(runId)) });
    await endLeftovers(lease.previous);
    await journal.catchUp();
    if (isOver(journal)) return await report("finished");
    const bound = await bindAgent(invocation, agent, journal);
    const driver = makeDriver(invocation, { ...run, bound, signal: stop.signal });
    onLost = (problem) => driver.fail(problem);
    const stopListening = listenToSignals(driver, () => stop.abort());
    try {
      return await report(await driver.run());
    } finally {
      stopListening();
    }
  } catch (error) {
    if (stop.signal.aborted && error === stop.signal.reason) return await report("interrupted");
    if (!BabysitterError.is(error)) throw error;
    return await report({ error });
  } finally {
    // Only what was cut short is ended; tasks of a run that waits for somebody go on.
    if (stop.signal.aborted) await endProcessGroup(refOf(process.pid, session), GRACE_MS);
    await writeViews(invocation, journal);
    await lease?.release();
  }
}

function isOver({ summary }: RunJournal): boolean {
  const { loop } = summary;
  return loop === undefined ? isFinished(summary) : loop.ended !== undefined || summary.cancelled !== undefined;
}

async function tellThePast({ journal, isNew, view }: AgentRun): Promise<void> {
  const { runId, runDir, summary, ports } = journal;
  const { processId, entry, at } = summary.created;
  const what = hasProcess(summary.created) ? `${entry.path}#${entry.export}` : (summary.loop?.contract.title ?? "");
  view.take({ type: "opened", run: { runId, runDir, processId, entry: what, resumed: !isNew, createdAt: at } });
  for (const event of (await ports.store.read(runId, undefined)) ?? []) view.take({ type: "event", event, past: true });
}

/** The host of a driver that was killed is still at work: two on one tree would undo each other's work. */
async function endLeftovers(previous: LeaseRecord | undefined): Promise<void> {
  const gone = previous === undefined || previous.released ? [] : [...(previous.unsettled ?? []), previous];
  await Promise.all(
    gone
      .filter(({ nonce }) => nonce !== "")
      .map(({ pid, startTime, nonce }) => endProcessGroup({ pid, startTime, marker: nonce }, GRACE_MS)),
  );
}

function makeDriver(invocation: Invocation, run: AgentRun & { bound: AgentSession; signal: AbortSignal }): AgentDriver {
  const { journal, bound, session, view, signal } = run;
  const { runDir, ports } = journal;
  const { env } = invocation;
  const { projectRoot } = journal.place;
  const settings = driveSettings(invocation, projectRoot);
  const context = hookContext(invocation, journal);
  const launcher = launcherOf(run.agent);
  if (launcher === undefined) throw new BabysitterError("INTERNAL", `${run.agent} cannot be started.`);
  const host: HostProgram = {
    launcher,
    program: programOf(invocation, launcher),
    cwd: projectRoot,
    env,
    binFolder: context.pathPrefix,
    permissionMode: invocation.options.text("permission-mode"),
    silenceMs: silenceOf(invocation),
    session,
    logDir: agentFolder(runDir),
  };
  const name = runName({ cwd: projectRoot, env }, journal);
  const agreed = codeHashOf(journal);
  journal.observe((event) => {
    view.take({ type: "event", event, past: false });
    const text = noticeOf(event);
    if (text !== undefined) view.take({ type: "notice", text });
  });
  return new AgentDriver({
    journal,
    session: bound,
    startTurn: (turn) => startTurn(host, turn),
    notFoundHint: launcher.notFoundHint,
    endTurn: async (message) => {
      await judge(invocation, journal, { agent: run.agent, host, sessionId: bound.sessionId, message, name, signal });
      await writeViews(invocation, journal);
    },
    iterate: () =>
      iterateApart({
        runDir,
        cwd: projectRoot,
        env,
        session,
        signal,
        callHooks: settings.hooksEnabled,
        logDir: agentFolder(runDir),
      }),
    isCodeAgreed: () => agreed === codeHashOf(journal),
    questions: (onSettled) => questionsOf(invocation, { ...run, settings, onSettled }),
    watch: (onChange) => ports.store.watch(journal.runId, onChange),
    report: (progress) => view.take(progress),
    wait: waitsForPeople(invocation),
    retries: retriesOf(invocation),
    signal,
    name,
  });
}

/** As the Stop hook would have done, for a host without our plugin; nobody else waits, so the engine may take its time. */
async function judge(
  { env }: Invocation,
  journal: RunJournal,
  turn: {
    agent: string;
    host: HostProgram;
    sessionId: string;
    message: string | undefined;
    name: string;
    signal: AbortSignal;
  },
): Promise<void> {
  const { agent, host, sessionId, message, name, signal } = turn;
  const { transcripts, question } = partsOf({ name: agent });
  const transcriptPath = transcripts?.ofSession(sessionId, env);
  await endTurn(
    journal,
    {
      valid: true,
      subagent: false,
      background: 0,
      sessionId,
      ...defined({ lastMessage: message, transcriptPath }),
    },
    {
      ports: localLoopPorts(env, { name: agent }),
      signal,
      // Nothing limits this turn: the host has ended it.
      host: defined({ questionTool: question?.name }),
      runName: name,
      projectRoot: host.cwd,
      patienceMs: PATIENCE_MS,
    },
  );
}

function noticeOf({ type, payload }: JournalEvent): string | undefined {
  if (type === "STOP_HOOK_INVOKED")
    return `The agent stopped at iteration ${payload.iteration}: ${payload.reason}${payload.decision === "block" ? ", it goes on" : ""}`;
  return type === "LOOP_PAUSED" ? `Paused: ${payload.message}` : undefined;
}

/** Copies for people and for the host's hooks; the journal has it all already. */
async function writeViews(invocation: Invocation, journal: RunJournal): Promise<void> {
  try {
    await writeSessionView(registryOf(invocation), journal);
    await writeLoopViews(journal);
  } catch (error) {
    if (!BabysitterError.is(error)) throw error;
  }
}

function questionsOf(
  invocation: Invocation,
  {
    journal,
    view,
    signal,
    settings,
    onSettled,
  }: AgentRun & {
    signal: AbortSignal;
    settings: DriveSettings;
    onSettled: (problem: unknown) => void;
  },
): Questions {
  const context = { ...hookContext(invocation, journal), ...settings.hookLimits, signal };
  const hooks = lifecycleHooks({ journal, context, contextFiles: localContextFiles, enabled: settings.hooksEnabled });
  const moments = new MomentQueue({ journal, hooks, onSettled });
  return new Questions({
    journal,
    asker: view.asker,
    policy: settings.policy,
    user: userName(),
    source: decisionSource(invocation, "terminal"),
    answers: answersOf(invocation, journal),
    report: (progress) => view.take(progress),
    recorded: (event) => moments.tell(event),
    onSettled,
  });
}

/** The code that the person has agreed to run. Read afresh: what is cached by size and time can be fooled by both. */
function codeHashOf(journal: RunJournal): string | undefined {
  if (!hasProcess(journal.summary.created)) return undefined;
  try {
    return journal.inspectCode({ afresh: true }).hash;
  } catch (error) {
    if (!BabysitterError.is(error)) throw error;
    return undefined;
  }
}

/** A name is looked for on PATH; a path is one from here. */
function programOf({ env, cwd }: Invocation, launcher: HostLauncher): string {
  const given = launcher.program(env);
  return given.includes("/") ? path.resolve(cwd, given) : given;
}

/** Ctrl-C and its relatives; the third time nothing is waited for. */
function listenToSignals(driver: AgentDriver, abort: () => void): () => void {
  const hasTerminal = [0, 1, 2].some((fd) => isatty(fd));
  let count = 0;
  const listener = (signal: NodeJS.Signals): void => {
    if (signal === "SIGHUP" && !hasTerminal) return;
    count += 1;
    if (count > 2) process.exit(EXIT_CODES.interrupted.exit);
    abort();
    driver.interrupt();
  };
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  for (const signal of signals) process.on(signal, listener);
  return () => {
    for (const signal of signals) process.off(signal, listener);
  };
}

/** Hooks that people have for the beginning of a run. */
export async function tellOfNewRun(invocation: Invocation, journal: RunJournal): Promise<void> {
  const { projectRoot } = journal.place;
  const { hooksEnabled: enabled, hookLimits } = driveSettings(invocation, projectRoot);
  const context = { ...hookContext(invocation, journal), ...hookLimits };
  await tellOfCreation(journal, lifecycleHooks({ journal, context, contextFiles: localContextFiles, enabled }));
}
