/** Carries out a slash command, and says to the user and to the agent what has come of it. */
import path from "node:path";
import "../../index.js";
import type { HostHookCall } from "../../hosts/answer/host-call.js";
import type { SlashCommand } from "../../hosts/answer/host-machine.js";
import { withoutAgentMarkers } from "../../hosts/environments.js";
import type { HostAnswer } from "../../hosts/host.js";
import { inTypedWords } from "../../hosts/typed-words.js";
import { BABYSIT_HELP } from "../../loop/texts/babysit-help.js";
import { sessionContext } from "../../loop/texts/session-context.js";
import { specLine } from "../../loop/texts/spec-line.js";
import { beginTurn } from "../../loop-runs/begin-turn.js";
import { bindRun } from "../../loop-runs/bind-run.js";
import { changePromise } from "../../loop-runs/change-contract.js";
import { openLoop, RESUMING_PAUSED } from "../../loop-runs/change-loop.js";
import { createBoundRun } from "../../loop-runs/create-bound-run.js";
import { goalOf } from "../../loop-runs/goal-of.js";
import { orderLoop } from "../../loop-runs/order-loop.js";
import { resumeInSession } from "../../loop-runs/resume-in-session.js";
import { runViewOf } from "../../loop-runs/run-view.js";
import type { Caller } from "../../machine/caller.js";
import { openChosen, openToLook } from "../../machine/choose-run.js";
import { findPlaces, type Places } from "../../machine/file-places.js";
import { commandHooks, tellOfCreation } from "../../machine/lifecycle/lifecycle-hooks.js";
import { entryAt } from "../../machine/local-ports.js";
import { localLoopMaker } from "../../machine/loops/local-loop-maker.js";
import { guardUserCode } from "../../machine/programs/user-code-guard.js";
import { detectChecks } from "../../machine/project/detect-checks.js";
import { rootFiles } from "../../machine/project/root-files.js";
import { BabysitterError } from "../../model/errors.js";
import { defined } from "../../model/json.js";
import { isPausedByPerson, type LoopState } from "../../model/loop-state.js";
import { hasProcess, isFinished } from "../../model/run-state.js";
import { forTerminal } from "../../model/terminal-text.js";
import type { RunJournal } from "../../runs/run-journal.js";
import { hookLogFile, logHookProblem } from "../../sessions/hook-log.js";
import { doctorAnswer } from "../answers/doctor.js";
import { listAnswer } from "../answers/run-list.js";
import { statusAnswer } from "../answers/run-status.js";
import { splitEntry } from "../arguments/entry-text.js";
import { readJsonInput } from "../arguments/input-files.js";
import { nameOf } from "../arguments/run-target.js";
import { PLAIN, passOn, questionText, stopWork } from "./pass-on.js";
import { refusalText, type SlashRequest, type SlashResume, slashRequest } from "./slash-request.js";
import { banner, type LoopFacts, startContext } from "./slash-texts.js";
import { authorOf, type CommandLoader, ownRun, type Typing } from "./typing.js";

/** Whatever the user is told names commands that can be typed right there. */
export async function runSlashCommand(
  call: HostHookCall,
  typed: SlashCommand,
  commands: CommandLoader,
): Promise<HostAnswer> {
  const answer = await answerOrProblem(call, typed, commands);
  if (answer.refusal === undefined) return answer;
  return { ...answer, refusal: inTypedWords(answer.refusal, call.harness.words) };
}

async function answerOrProblem(call: HostHookCall, typed: SlashCommand, commands: CommandLoader): Promise<HostAnswer> {
  try {
    return await answerTo(typingOf(call, commands), slashRequest(typed, ownRun(call)));
  } catch (error) {
    return { refusal: problemText(call, error) };
  }
}

function typingOf(call: HostHookCall, commands: CommandLoader): Typing {
  const { cwd, harness, sessionId, registry } = call;
  // The host marks its hooks as it marks the commands of its agent, but here it hands on what the user has typed.
  const env = withoutAgentMarkers(call.env);
  let found: Places | undefined;
  const caller: Caller = { cwd, env, flags: {}, places: () => (found ??= findPlaces({ cwd, env })) };
  // Of the session in which this is typed a hook is just being seen.
  const loops = localLoopMaker(caller, registry, { vouched: true });
  return { call, caller, loops, session: { harness: harness.name, sessionId }, commands };
}

async function answerTo(typing: Typing, request: SlashRequest): Promise<HostAnswer> {
  switch (request.kind) {
    case "say":
      return { refusal: request.text };
    case "overview":
      return { refusal: await overview(typing) };
    case "start":
      return start(typing, request);
    case "process":
      return startProcessRun(typing, request);
    case "resume":
      return resume(typing, request);
    case "status":
      return { refusal: await statusText(typing, request.run) };
    case "pause":
    case "cancel":
      return { refusal: forTerminal(await stopWork(typing, request.kind, request.run)) };
    case "command":
      return { refusal: forTerminal(await passOn(typing, request)) };
    case "doctor":
      break;
  }
  return { refusal: forTerminal((await doctorAnswer(typing.caller, PLAIN)).text) };
}

async function start(
  { call, loops, session }: Typing,
  { prompt, terms }: { prompt: string; terms: SlashResume["terms"] },
): Promise<HostAnswer> {
  const { journal, warnings, spec } = await orderLoop(loops, { goal: prompt, terms, session, isAttended: true });
  const { contract } = journal.summary.loop as LoopState;
  return started(call, journal, [...(spec === undefined ? [] : [specLine(spec, contract)]), ...warnings]);
}

async function started(call: HostHookCall, journal: RunJournal, remarks: string[]): Promise<HostAnswer> {
  await noteTurn(call, journal);
  const facts = loopFacts(call, journal);
  const notes = remarks.map((text) => `note:    ${inTypedWords(text, call.harness.words)}`);
  return {
    context: [startContext(facts), ...notes].join("\n"),
    message: forTerminal([banner(facts), ...notes].join("\n")),
  };
}

async function startProcessRun(
  { call, caller, loops, session }: Typing,
  { entry, inputs, prompt, terms }: Extract<SlashRequest, { kind: "process" }>,
): Promise<HostAnswer> {
  const { cwd, env } = caller;
  const target = splitEntry(entry, cwd);
  const { projectRoot } = caller.places();
  const run = {
    processId: nameOf(path.resolve(cwd, target.file)),
    ...entryAt(target, { cwd, projectRoot }),
    ...(inputs === undefined ? {} : { inputs: await readJsonInput(inputs, { flag: "inputs", cwd, env }) }),
    ...defined({ prompt }),
    harness: session.harness,
    session: session.sessionId,
  };
  guardUserCode({ what: `The process file ${target.file}`, env });
  const { created, attachedTo } = await createBoundRun(loops, {
    run,
    session,
    terms,
    by: "person",
    dryRun: false,
    runName: (one) => call.machine.runName(one),
    onCreated: (journal) => tellOfCreation(journal, commandHooks(caller, journal)),
  });
  const journal = attachedTo ?? (await loops.openRun(created));
  const isLost = attachedTo !== undefined && hasTerms(terms);
  return started(call, journal, isLost ? [KEPT_CONTRACT] : []);
}

const KEPT_CONTRACT =
  "the process is now part of the loop that was already running, whose limits and criteria are unchanged; to change them: babysitter loop:amend";

function hasTerms({ limits, ...terms }: SlashResume["terms"]): boolean {
  return (
    Object.keys(limits).length > 0 || Object.values(terms).some((value) => !Array.isArray(value) || value.length > 0)
  );
}

/** What a loop was agreed on stays; a run that no session has worked on yet gets an agreement. */
async function resume(typing: Typing, request: SlashResume): Promise<HostAnswer> {
  const { call, caller, loops, session } = typing;
  const { run, take, terms, prompt } = request;
  let journal: RunJournal;
  try {
    journal = await openChosen(caller, run);
  } catch (error) {
    const isTask = prompt !== undefined && BabysitterError.is(error) && error.code === "RUN_NOT_FOUND";
    if (!isTask) throw error;
    return start(typing, { prompt, terms });
  }
  const { loop } = journal.summary;
  const what = take || hasTerms(terms) ? "Changing a loop" : isPausedByPerson(loop) ? RESUMING_PAUSED : undefined;
  const source = what === undefined || loop === undefined ? undefined : authorOf(typing, journal, what);
  const how = { by: "person" as const, take, source, runName: call.machine.runName(journal) };
  if (loop === undefined) await bindRun(loops, journal, { ...how, terms, session: { ...session, by: "resume" } });
  else {
    await resumeInSession(loops, journal, { ...how, limits: terms.limits, session });
    const { completionPromise: promise } = terms;
    const world = { machine: loops, ports: call.machine.loopPorts };
    if (promise !== undefined && source !== undefined) await changePromise(world, journal, { promise, source });
  }
  return resumed(call, journal);
}

/** The loop is already running; a note that cannot be written must not make the user believe otherwise. */
async function noteTurn({ sessionId, input, places, event }: HostHookCall, journal: RunJournal): Promise<void> {
  try {
    await beginTurn(journal, { sessionId, promptId: input.promptId });
  } catch (error) {
    if (!BabysitterError.is(error)) throw error;
    const { code, message } = error;
    logHookProblem(places.home, { at: new Date().toISOString(), hookType: event, sessionId, code, message });
  }
}

async function resumed(call: HostHookCall, journal: RunJournal): Promise<HostAnswer> {
  await noteTurn(call, journal);
  const state = openLoop(journal);
  const standing = sessionContext({
    state,
    run: runViewOf(journal),
    goal: await goalOf(journal, state),
    runId: journal.runId,
    runName: call.machine.runName(journal),
    source: "resume",
  });
  return {
    context: `The user has resumed this Babysitter loop in this session; continue with it now.\n\n${standing}`,
    message: forTerminal(`${banner({ ...loopFacts(call, journal), checks: [] })}\nIt continues in this session.`),
  };
}

function loopFacts({ machine, harness }: HostHookCall, journal: RunJournal): LoopFacts {
  const { runId, summary } = journal;
  return {
    typed: (verb) => harness.words?.typed(verb) ?? `babysitter loop:${verb}`,
    runId,
    run: machine.runName(journal),
    contract: openLoop(journal).contract,
    hasProcess: hasProcess(summary.created),
    checks: detectChecks(rootFiles(machine.loops.projectRoot)),
  };
}

async function overview(typing: Typing): Promise<string> {
  if (ownRun(typing.call) !== undefined) return statusText(typing, undefined);
  const { document, text } = await listAnswer(typing.caller, { open: true, archived: false, paint: PLAIN });
  if (document.runs.length === 0) return BABYSIT_HELP;
  return forTerminal(`This session has no loop. Open runs:\n${text}\n\nTo resume one: /babysitter:resume RUN`);
}

/** Whoever names no run means that of the session; of one that has ended, its journal still knows the session. */
function headingOf({ summary }: RunJournal, sessionId: string): string {
  const isOwn = isFinished(summary) && (summary.loop?.sessions.includes(sessionId) ?? false);
  return isOwn ? "The loop of this session has ended:" : "This session has no loop. Another run of this project:";
}

async function statusText(typing: Typing, run: string | undefined): Promise<string> {
  const { call, caller } = typing;
  try {
    const wanted = run ?? ownRun(call);
    const journal = await openToLook(caller, wanted);
    const { env } = caller;
    const { text } = await statusAnswer(journal, { env, paint: PLAIN, runName: call.machine.runName(journal) });
    return forTerminal(wanted === undefined ? `${headingOf(journal, call.sessionId)}\n${text}` : text);
  } catch (error) {
    if (!BabysitterError.is(error)) throw error;
    if (error.code === "RUN_NOT_FOUND" && run !== undefined) return forTerminal(await questionText(typing, run, error));
    if (error.code !== "NO_OPEN_RUN") throw error;
    return refusalText("there are no runs here yet.", "/babysit PROMPT starts a loop; /babysit --help shows how.");
  }
}

/** Nothing was started; the user is told why, with commands that can be typed right there. */
function problemText({ places, event, sessionId }: HostHookCall, thrown: unknown): string {
  if (BabysitterError.is(thrown)) return forTerminal(refusalText(thrown.message, thrown.hint));
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  logHookProblem(places.home, { at: new Date().toISOString(), hookType: event, sessionId, code: "INTERNAL", message });
  return forTerminal(refusalText(message, `This is a bug in Babysitter. See ${hookLogFile(places.home)}`));
}
