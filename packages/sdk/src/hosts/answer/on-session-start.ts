/** A session starts or resumes: what it needs to know about loops. */

import { RUN_ITERATIONS } from "../../loop/rules/make-contract.js";
import { clearedText } from "../../loop/texts/release-texts.js";
import { resumeAnnouncement } from "../../loop/texts/resume-announcement.js";
import { type ContextRequest, returnMessage, sessionContext } from "../../loop/texts/session-context.js";
import { openLoop, sessionReturned } from "../../loop-runs/change-loop.js";
import { goalOf } from "../../loop-runs/goal-of.js";
import { runViewOf } from "../../loop-runs/run-view.js";
import type { BabysitterError } from "../../model/errors.js";
import { liftingOption } from "../../model/lifted-limits.js";
import { counted } from "../../model/shown-amounts.js";
import { shownLine } from "../../model/shown-text.js";
import type { RunJournal } from "../../runs/run-journal.js";
import { ifReadable, type OnUnreadable, type UnreadableRun } from "../../runs/unreadable-runs.js";
import { hookLogFile, hookProblemsSince } from "../../sessions/hook-log.js";
import { recordSession } from "../../sessions/last-session.js";
import { readTurnBreak } from "../../sessions/read-transcript.js";
import type { HostAnswer } from "../host.js";
import { partsOf } from "../host-parts.js";
import type { HostHookCall } from "./host-call.js";
import { PROGRAM_NAME } from "./host-machine.js";
import { sessionLoop } from "./session-loop.js";
import { takeFailures } from "./take-failures.js";
import { writeView } from "./write-view.js";

/** Maximum number of other loops to mention; the rest are in `loop:status`. */
const MAX_ANNOUNCED = 3;
/** The source that means that another session of the same process has just ended. */
const CLEARED = "clear";
/** Sources that mean a new process of the host. */
const RETURNING: ReadonlySet<string> = new Set(["startup", "resume"]);
const RECENT_MS = 24 * 3_600_000;

export async function onSessionStart(given: HostHookCall): Promise<HostAnswer> {
  const call = asItself(given);
  const { sessionId, env } = call;
  partsOf(call.harness).exportSession?.(env, { sessionId, name: PROGRAM_NAME, program: call.machine.ownProgram() });
  noteForDoctor(call);
  const unreadable: UnreadableRun[] = [];
  const onUnreadable: OnUnreadable = (run) => void unreadable.push(run);
  const open = await call.machine.openLoops(onUnreadable);
  const own = open.find(({ summary }) => summary.loop?.session?.sessionId === sessionId);
  const journal = own ?? (await boundElsewhere(call));
  if (journal !== undefined) {
    await takeFailures(call, journal);
    const returning = RETURNING.has(call.input.source ?? "startup");
    const broken = returning ? brokenTurn(call, journal) : undefined;
    if (returning) await sessionReturned(journal);
    const refused = await writeView(call, journal);
    const request = await contextRequest(call, journal, broken);
    const answer = withProblems(call, [sessionContext(request)]);
    // Without its file no end of a turn finds the loop.
    if (refused !== undefined && !call.registry.exists(sessionId))
      return { ...answer, message: notHeld(journal, refused) };
    return returning ? { ...answer, message: returnMessage(request) } : answer;
  }
  if (call.explicitPlace && !call.registry.exists(sessionId)) writeBaseline(call);
  const announced = await Promise.all(
    open
      .slice(0, MAX_ANNOUNCED)
      .map(async (other) => (await ifReadable(other, onUnreadable, () => announcement(call, other))) ?? ""),
  );
  const cleared = call.input.source === CLEARED ? open.filter((other) => wasCleared(call, other)) : [];
  const answer = withProblems(call, [...announced, ...unreadable.slice(0, MAX_ANNOUNCED).map(unreadableText)]);
  if (cleared.length === 0) return answer;
  return {
    ...answer,
    message: cleared.map((other) => clearedText(other.runId, call.machine.runName(other))).join("\n"),
  };
}

function unreadableText({ runId, why }: UnreadableRun): string {
  return `Babysitter cannot read ${runId}, which has or had a loop: ${shownLine(why)} See: babysitter run:check ${runId}`;
}

/** A loop that its session has let go by starting over, and nobody was told yet. */
function wasCleared({ machine }: HostHookCall, journal: RunJournal): boolean {
  const { loop } = journal.summary;
  const last = loop?.sessions.at(-1);
  if (loop === undefined || last === undefined || loop.session !== undefined || loop.paused !== undefined) return false;
  return machine.claimOnce(journal, `cleared-${last}`);
}

function notHeld({ runId }: RunJournal, { message, hint = "" }: BabysitterError): string {
  return `⚠️  Babysitter run: the loop of ${runId} does not hold this session. ${message} ${hint}`;
}

/** A fork must never mistake itself for the session that it was forked from. */
function asItself(call: HostHookCall): HostHookCall {
  const { env, input, machine } = call;
  const start = { env, input, hostArguments: () => machine.hostArguments() };
  const sessionId = partsOf(call.harness).startingSession?.(start) ?? call.sessionId;
  return sessionId === call.sessionId ? call : { ...call, sessionId, input: { ...input, source: "fork" } };
}

/** The one proof that the host calls us at all. */
function noteForDoctor({ places, harness, input, sessionId, cwd, env }: HostHookCall): void {
  const { blockCap } = harness.limits(env);
  const { nameVariable = "", pluginVariable = "" } = harness.environment;
  const host = { host: env[nameVariable], pluginRoot: env[pluginVariable] };
  recordSession(places.home, { sessionId, source: input.source ?? "startup", cwd, blockCap, ...host });
}

/** The session may work on a run of another project. */
async function boundElsewhere(call: HostHookCall): Promise<RunJournal | undefined> {
  if (!call.registry.exists(call.sessionId)) return undefined;
  const found = call.registry.find(call.sessionId);
  if (found.kind !== "found" || !found.session.runId) return undefined;
  const { sessionId } = call;
  const { journal, standing } = await sessionLoop(call);
  const isOwn = standing.kind === "bound" && standing.state.session?.sessionId === sessionId;
  return isOwn && standing.state.ended === undefined ? journal : undefined;
}

/** What became of the last turn, when no stop has ended it. */
function brokenTurn({ input, harness }: HostHookCall, { summary: { loop } }: RunJournal): string | undefined {
  if (loop?.failure !== undefined)
    return `The last turn ended with a host error (${loop.failure.error}): ${shownLine(loop.failure.message)}`;
  if (loop?.lastStop === undefined || !loop.turn.open) return undefined;
  return readTurnBreak(input.transcriptPath ?? "", partsOf(harness).transcripts)?.kind === "cut"
    ? "The host ended the last turn itself, because hooks had made the agent continue too often without a tool call."
    : "The last turn was cut short.";
}

async function contextRequest(call: HostHookCall, journal: RunJournal, broken?: string): Promise<ContextRequest> {
  const state = openLoop(journal);
  return {
    state,
    run: runViewOf(journal),
    goal: await goalOf(journal, state),
    runId: journal.runId,
    runName: call.machine.runName(journal),
    source: call.input.source ?? "startup",
    ...(broken === undefined ? {} : { broken }),
  };
}

async function announcement(call: HostHookCall, journal: RunJournal): Promise<string> {
  const { loop } = journal.summary;
  if (loop === undefined) return "";
  const goal = await goalOf(journal, loop);
  const name = call.machine.runName(journal);
  return `${resumeAnnouncement(loop, goal)}\nThis loop does not belong to this session. Leave it alone unless the user asks for it; to work on it here: babysitter loop:resume ${name}${liftingOption(loop.paused)}`;
}

/** As the seed's plugin does, so that its own scripts find a file; one without prompt and run holds nobody. */
function writeBaseline({ registry, sessionId }: HostHookCall): void {
  const now = new Date().toISOString();
  registry.write(sessionId, {
    active: true,
    iteration: 1,
    maxIterations: RUN_ITERATIONS,
    runId: "",
    startedAt: now,
    lastIterationAt: now,
    iterationTimes: [],
    prompt: "",
    unknown: [],
  });
}

function withProblems({ places }: HostHookCall, texts: string[]): HostAnswer {
  const problems = hookProblemsSince(places.home, new Date(Date.now() - RECENT_MS).toISOString());
  const last = problems.at(-1);
  const told =
    last === undefined
      ? []
      : [
          `Babysitter's hooks had ${counted(problems.length, "problem")} in the last day; the latest: ${last.code}: ${shownLine(last.message, 500)} (${hookLogFile(places.home)})`,
        ];
  const context = [...texts.filter((text) => text !== ""), ...told].join("\n\n");
  return context === "" ? {} : { context };
}
