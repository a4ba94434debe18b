/** `babysitter run … --agent`: a run or a loop, driven by starting an agent's host for one turn after the other. */

import path from "node:path";
import type { RetryPlan } from "../../drive/agent-turns.js";
import type { StopReason } from "../../drive/ending.js";
import { holdLease, leaseLost, unsettledIn } from "../../drive/lease.js";
import { MomentQueue } from "../../drive/moment-queue.js";
import type { Ending, ProgressView } from "../../drive/progress.js";
import { Questions } from "../../drive/questions.js";
import type { HostLauncher } from "../../hosts/host.js";
import { launcherOf, partsOf } from "../../hosts/host-parts.js";
import type { AgentSession } from "../../hosts/turns/agent-driver.js";
import { AgentDriver } from "../../hosts/turns/agent-driver.js";
import { agentEnding } from "../../hosts/turns/agent-ending.js";
import { type HostProgram, startTurn } from "../../hosts/turns/host-program.js";
import type { LoopTerms } from "../../loop/formats/loop-terms.js";
import { endTurn } from "../../loop-runs/end-turn.js";
import type { LoopMaker } from "../../loop-runs/loop-machine.js";
import { writeSessionView } from "../../loop-runs/session-view.js";
import { BabysitterError } from "../../model/errors.js";
import type { JournalEvent } from "../../model/events.js";
import { defined } from "../../model/json.js";
import { pauseReason } from "../../model/pause-words.js";
import type { LeaseRecord } from "../../model/ports.js";
import { hasProcess, isFinished } from "../../model/run-state.js";
import { shellQuoted } from "../../model/shell-quoted.js";
import type { ChangeSource } from "../../model/who-may-decide.js";
import type { RunJournal } from "../../runs/run-journal.js";
import { endProcessGroup } from "../../spawn/end-process-group.js";
import { refOf } from "../../spawn/process-group-ref.js";
import type { Caller, Environment } from "../caller.js";
import { iterateApart } from "../children/iterate-apart.js";
import { localContextFiles } from "../context-files.js";
import { answersOf, decisionSource, userName } from "../decision-source.js";
import type { DriveSettings } from "../drive-settings.js";
import { driveSettings } from "../drive-settings.js";
import { hookContext } from "../lifecycle/hook-context.js";
import { lifecycleHooks, tellOfCreation } from "../lifecycle/lifecycle-hooks.js";
import { localLoopPorts } from "../loops/local-loop-ports.js";
import { runName } from "../run-name.js";
import { endWhenSpinning } from "../watchdog.js";
import { agentFolder, bindAgent } from "./agent-session.js";
import { showPast } from "./show-past.js";
import { listenToSignals } from "./signals.js";

/** No host waits here, so that the longest check can be waited for without asking a model. */
const PATIENCE_MS = 60 * 60_000;
const GRACE_MS = 2_000;

export interface AgentRun {
  caller: Caller;
  machine: LoopMaker;
  journal: RunJournal;
  /** This command has created it. */
  isNew: boolean;
  agent: string;
  /** What is agreed on for a run that has no contract yet, or the new limits of one that has. */
  terms: LoopTerms;
  by: "person" | "agent";
  /** Of the person who has changed the limits, where somebody has. */
  source: ChangeSource | undefined;
  /** In the environment of everything that this driver starts. */
  session: string;
  view: ProgressView;
  permissionMode: string | undefined;
  /** A host that prints nothing for this long is considered hung; 0: no limit. */
  silenceMs: number;
  /** Stay when only a person can continue. */
  wait: boolean;
  retries: RetryPlan;
}

/** Whoever resumes wants the same again. */
function asTyped({ agent, permissionMode }: AgentRun): string {
  return permissionMode === undefined ? agent : `${agent} --permission-mode ${shellQuoted(permissionMode)}`;
}

export async function runWithAgent(run: AgentRun): Promise<Ending> {
  const { caller, machine, journal, agent, session, view, terms, by, source, permissionMode } = run;
  const { runId, ports } = journal;
  const name = runName(caller, journal);
  const stop = new AbortController();
  let onLost: (problem: unknown) => void = () => stop.abort();
  const report = async (reason: StopReason): Promise<Ending> => {
    const ending = await agentEnding(journal, reason, { name, agent: asTyped(run) });
    view.take({ type: "ended", ending });
    return ending;
  };
  endWhenSpinning(caller.env);
  await showPast(journal, view, { name, resumed: !run.isNew });
  let lease: Awaited<ReturnType<typeof holdLease>> | undefined;
  try {
    lease = await holdLease(ports.leases.agent, runId, {
      session,
      runDir: journal.runDir,
      onLost: () => onLost(leaseLost(runId)),
    });
    await endLeftovers(lease.previous, journal.runDir);
    await journal.catchUp();
    if (isOver(journal)) return await report("finished");
    const bound = await bindAgent(machine, journal, {
      harness: agent,
      permissionMode,
      terms,
      by,
      source,
      runName: name,
    });
    const driver = makeDriver({ ...run, bound, signal: stop.signal });
    onLost = (problem) => driver.fail(problem);
    const stopListening = listenToSignals(() => {
      stop.abort();
      driver.interrupt();
    });
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
    // Only what was cut short is ended; tasks of a run that waits for someone keep running.
    if (stop.signal.aborted) await endProcessGroup(refOf(process.pid, session), GRACE_MS);
    await writeViews(machine, journal);
    await lease?.release();
  }
}

function isOver({ summary }: RunJournal): boolean {
  const { loop } = summary;
  return loop === undefined ? isFinished(summary) : loop.ended !== undefined || summary.cancelled !== undefined;
}

/** The host of a killed driver is still running: two on one tree would undo each other's work. */
async function endLeftovers(previous: LeaseRecord | undefined, runDir: string): Promise<void> {
  const gone = unsettledIn(previous, runDir);
  await Promise.all(gone.map(({ nonce, ...holder }) => endProcessGroup({ ...holder, marker: nonce }, GRACE_MS)));
}

function makeDriver(run: AgentRun & { bound: AgentSession; signal: AbortSignal }): AgentDriver {
  const { caller, machine, journal, bound, session, view, signal } = run;
  const { runDir, ports } = journal;
  const { env } = caller;
  const { projectRoot } = journal.place;
  const settings = driveSettings(caller, projectRoot);
  const context = hookContext(caller, journal);
  const launcher = launcherOf(run.agent);
  if (launcher === undefined) throw new BabysitterError("INTERNAL", `${run.agent} cannot be started.`);
  const host: HostProgram = {
    launcher,
    program: programOf(caller, launcher),
    cwd: projectRoot,
    env,
    secretNames: journal.secretNames,
    binFolder: context.pathPrefix,
    permissionMode: run.permissionMode,
    silenceMs: run.silenceMs,
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
      await judge(env, journal, { agent: run.agent, host, sessionId: bound.sessionId, message, name, signal });
      await writeViews(machine, journal);
    },
    iterate: () =>
      iterateApart({
        runDir,
        cwd: projectRoot,
        env,
        secretNames: journal.secretNames,
        session,
        signal,
        callHooks: settings.hooksEnabled,
        // The agent may have something to do meanwhile.
        ...(settings.iterateWaitMs === null ? { wait: "60s" } : {}),
        logDir: agentFolder(runDir),
      }),
    isCodeAgreed: () => agreed === codeHashOf(journal),
    questions: (onSettled) => questionsOf({ ...run, settings, onSettled }),
    watch: (onChange) => ports.store.watch(journal.runId, onChange),
    report: (progress) => view.take(progress),
    wait: run.wait,
    retries: run.retries,
    signal,
    name,
  });
}

/** As the Stop hook would have done, for a host without our plugin; nobody else waits, so the engine may take its time. */
async function judge(
  env: Environment,
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
  const { transcripts } = partsOf({ name: agent });
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
      // Nothing limits this turn: the host has ended it. And nobody sits there whom its agent could ask.
      host: {},
      runName: name,
      projectRoot: host.cwd,
      patienceMs: PATIENCE_MS,
    },
  );
}

function noticeOf({ type, payload }: JournalEvent): string | undefined {
  if (type === "STOP_HOOK_INVOKED")
    return `The agent stopped at iteration ${payload.iteration}: ${payload.reason.replaceAll("_", " ")}${payload.decision === "block" ? "; it continues" : ""}`;
  return type === "LOOP_PAUSED" ? `Paused: ${pauseReason(payload) ?? `by ${payload.by}`}` : undefined;
}

/** Copies for people and for the host's hooks; the journal has it all already. */
async function writeViews(machine: LoopMaker, journal: RunJournal): Promise<void> {
  try {
    await writeSessionView(machine.sessions, journal);
    await machine.writeViews(journal);
  } catch (error) {
    if (!BabysitterError.is(error)) throw error;
  }
}

function questionsOf({
  caller,
  journal,
  view,
  signal,
  settings,
  onSettled,
}: AgentRun & {
  signal: AbortSignal;
  settings: DriveSettings;
  onSettled: (problem: unknown) => void;
}): Questions {
  const context = { ...hookContext(caller, journal), ...settings.hookLimits, signal };
  const hooks = lifecycleHooks({ journal, context, contextFiles: localContextFiles, enabled: settings.hooksEnabled });
  const moments = new MomentQueue({ journal, hooks, onSettled });
  return new Questions({
    journal,
    asker: view.asker,
    policy: settings.policy,
    user: userName(),
    source: decisionSource(caller, "terminal"),
    answers: answersOf(caller, journal),
    report: (progress) => view.take(progress),
    recorded: (event) => moments.tell(event),
    onSettled,
  });
}

/** The code that the person has agreed to run. Read without the cache, which size and time could fool. */
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
function programOf({ env, cwd }: Caller, launcher: HostLauncher): string {
  const given = launcher.program(env);
  return given.includes("/") ? path.resolve(cwd, given) : given;
}

/** Hooks that people have for the beginning of a run. */
export async function tellOfNewRun(caller: Caller, journal: RunJournal): Promise<void> {
  const { projectRoot } = journal.place;
  const { hooksEnabled: enabled, hookLimits } = driveSettings(caller, projectRoot);
  const context = { ...hookContext(caller, journal), ...hookLimits };
  await tellOfCreation(journal, lifecycleHooks({ journal, context, contextFiles: localContextFiles, enabled }));
}
