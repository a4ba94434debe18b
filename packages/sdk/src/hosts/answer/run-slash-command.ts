/** Carries out a slash command, and says to the user and to the agent what has come of it. */
import path from "node:path";
import { runName } from "../../cli/arguments/choose-run.js";
import { splitEntry } from "../../cli/arguments/entry-text.js";
import { nameOf } from "../../cli/arguments/run-target.js";
import { COMMANDS } from "../../cli/grammar/command-table.js";
import type { CommandResult } from "../../cli/grammar/invocation.js";
import { BABYSIT_HELP } from "../../loop/texts/babysit-help.js";
import { sessionContext } from "../../loop/texts/session-context.js";
import { beginTurn } from "../../loop-runs/begin-turn.js";
import { goalOf } from "../../loop-runs/goal-of.js";
import { runViewOf } from "../../loop-runs/run-view.js";
import { findPlaces } from "../../machine/file-places.js";
import { portsAt } from "../../machine/loops/find-loop.js";
import { detectChecks } from "../../machine/project/detect-checks.js";
import { rootFiles } from "../../machine/project/root-files.js";
import { BabysitterError } from "../../model/errors.js";
import { parseRunId } from "../../model/ids.js";
import { hasProcess } from "../../model/run-state.js";
import { forTerminal } from "../../model/terminal-text.js";
import { RunJournal } from "../../runs/run-journal.js";
import { hookLogFile, logHookProblem } from "../../sessions/hook-log.js";
import type { HostAnswer } from "../host.js";
import { inTypedWords } from "../typed-words.js";
import type { HostHookCall } from "./host-call.js";
import { type CommandLoaders, runInProcess } from "./run-in-process.js";
import {
  type CommandLine,
  type ResumeLines,
  refusalText,
  type SlashCommand,
  type SlashRequest,
  slashRequest,
} from "./slash-commands.js";
import { type Begun, banner, startContext } from "./slash-texts.js";

/** The call with a way to give commands for its session. */
interface Session {
  call: HostHookCall;
  give: (line: CommandLine) => Promise<CommandResult>;
  /** Options by which a command is given for this session. */
  options: readonly string[];
}

export async function runSlashCommand(
  call: HostHookCall,
  typed: SlashCommand,
  loaders: CommandLoaders,
): Promise<HostAnswer> {
  const { sessionId, harness, explicitPlace, places, cwd, env } = call;
  const options = [
    `--session-id=${sessionId}`,
    `--harness=${harness.name}`,
    ...(explicitPlace ? [`--state-dir=${places.write}`] : []),
  ];
  const give = async (line: CommandLine): Promise<CommandResult> => runInProcess(line, { cwd, env, loaders });
  try {
    return await answerTo({ call, give, options }, slashRequest(typed, options, ownRun(call)));
  } catch (error) {
    return { refusal: problemText(call, error) };
  }
}

async function answerTo(session: Session, request: SlashRequest): Promise<HostAnswer> {
  switch (request.kind) {
    case "say":
      return { refusal: request.text };
    case "overview":
      return { refusal: await overview(session) };
    case "start":
      return started(session, await session.give(request.line));
    case "process":
      return startProcessRun(session, request);
    case "resume":
      return resume(session, request);
    case "status":
      return { refusal: await statusText(session, request.run) };
    case "pause":
    case "cancel":
      return { refusal: await stopWork(session, request.kind, request.run) };
    case "doctor":
      break;
  }
  return { refusal: await doctorText(session) };
}

async function started(session: Session, { document }: CommandResult, note?: string): Promise<HostAnswer> {
  const journal = await journalOf(session, document);
  const { call } = session;
  await noteTurn(call, journal);
  const begun = begunBy(call, journal);
  const { warnings = [] } = document as { warnings?: string[] };
  const notes = [...warnings, ...(note === undefined ? [] : [note])].map((text) => `note:    ${text}`);
  return {
    context: [startContext(begun), ...notes].join("\n"),
    message: forTerminal([banner(begun), ...notes].join("\n")),
  };
}

async function startProcessRun(
  session: Session,
  { entry, line, hasContract }: Extract<SlashRequest, { kind: "process" }>,
): Promise<HostAnswer> {
  const { cwd } = session.call;
  const name = nameOf(path.resolve(cwd, splitEntry(entry, cwd).file));
  const result = await session.give([...line, `--process-id=${name}`]);
  const { attached } = result.document as { attached?: boolean };
  const note =
    attached && hasContract
      ? "the process is part of the loop that was under way, whose limits and criteria stay as they are; babysitter loop:amend changes them."
      : undefined;
  return started(session, result, note);
}

/** What a loop was agreed on stays; a run that no session has worked on yet gets an agreement. */
async function resume(session: Session, lines: ResumeLines): Promise<HostAnswer> {
  const { line, bind, amend, otherwise } = lines;
  let result: CommandResult;
  try {
    result = await session.give(line);
    if (amend !== undefined) await session.give(amend);
  } catch (error) {
    if (!BabysitterError.is(error)) throw error;
    if (error.code === "RUN_NOT_FOUND" && otherwise !== undefined)
      return started(session, await session.give(otherwise));
    if (error.code !== "NO_LOOP") throw error;
    result = await session.give(bind);
  }
  return resumed(session, await journalOf(session, result.document));
}

/** The loop is under way by now; a note that cannot be written must not make the user believe that it is not. */
async function noteTurn({ sessionId, input, places, event }: HostHookCall, journal: RunJournal): Promise<void> {
  try {
    await beginTurn(journal, { sessionId, promptId: input.promptId });
  } catch (error) {
    if (!BabysitterError.is(error)) throw error;
    const { code, message } = error;
    logHookProblem(places.home, { at: new Date().toISOString(), hookType: event, sessionId, code, message });
  }
}

async function resumed({ call }: Session, journal: RunJournal): Promise<HostAnswer> {
  await noteTurn(call, journal);
  const { loop } = journal.summary;
  if (loop === undefined) throw new BabysitterError("INTERNAL", `Run ${journal.runId} lost its loop.`);
  const standing = sessionContext({
    state: loop,
    run: runViewOf(journal.summary),
    goal: await goalOf(journal, loop),
    runId: journal.runId,
    runName: runName(call, journal),
    source: "resume",
  });
  return {
    context: `The user has resumed this Babysitter loop in this session; go on with it now.\n\n${standing}`,
    message: forTerminal(`${banner({ ...begunBy(call, journal), checks: [] })}\nIt goes on in this session.`),
  };
}

function begunBy(call: HostHookCall, { runId, runDir, summary }: RunJournal): Begun {
  const { loop } = summary;
  if (loop === undefined) throw new BabysitterError("INTERNAL", `Run ${runId} has no loop.`);
  return {
    runId,
    run: runName(call, { runId, runDir }),
    contract: loop.contract,
    hasProcess: hasProcess(summary.created),
    checks: detectChecks(rootFiles(projectRootOf(call))),
  };
}

async function overview(session: Session): Promise<string> {
  if (ownRun(session.call) !== undefined) return statusText(session, undefined);
  const list = await session.give(["run:list", "--open"]);
  const { runs } = list.document as { runs: unknown[] };
  return runs.length === 0
    ? BABYSIT_HELP
    : forTerminal(
        `No loop is under way in this session. Open runs:\n${list.text}\n\nTo go on with one: /babysitter:resume RUN`,
      );
}

async function statusText({ call, give, options }: Session, run: string | undefined): Promise<string> {
  const which = run ?? ownRun(call);
  try {
    return forTerminal((await give(["run:status", ...(which === undefined ? [] : [which]), ...options])).text);
  } catch (error) {
    if (!BabysitterError.is(error) || error.code !== "RUN_AMBIGUOUS") throw error;
    const { open } = error.details as { open?: string[] };
    if (open === undefined || open.length > 0) throw error;
    return refusalText("there is nothing here yet.", "/babysit PROMPT begins a loop; /babysit --help shows how.");
  }
}

/** Only the session's own run, unless another is named: of others nobody has spoken. */
async function stopWork(
  { call, give, options }: Session,
  verb: "pause" | "cancel",
  run: string | undefined,
): Promise<string> {
  const which = run ?? ownRun(call);
  if (which === undefined)
    return refusalText(
      "no loop is under way in this session.",
      `To ${verb} another one, name it: /babysitter:${verb} RUN. /babysit shows those that are open.`,
    );
  const { text } = await give([`run:${verb}`, which, ...options]);
  return forTerminal(inTypedWords(text, call.harness.words));
}

async function doctorText({ give }: Session): Promise<string> {
  if (!COMMANDS.some(({ name }) => name === "doctor"))
    return refusalText("this version has no doctor.", "`babysitter paths` in a terminal shows where everything is.");
  return forTerminal((await give(["doctor"])).text);
}

/** The directory of the run that this session works on. */
function ownRun({ registry, sessionId }: HostHookCall): string | undefined {
  const found = registry.find(sessionId);
  return found.kind === "found" && found.session.runId ? found.session.runDir : undefined;
}

function projectRootOf({ cwd, env }: HostHookCall): string {
  return findPlaces({ cwd, env }).projectRoot;
}

async function journalOf({ call }: Session, document: CommandResult["document"]): Promise<RunJournal> {
  const { runId, runDir } = document as { runId: string; runDir: string };
  return RunJournal.open(portsAt(call, path.dirname(runDir)), parseRunId(runId));
}

/** Nothing was begun; the user is told why, in words that can be typed right there. */
function problemText({ harness, places, event, sessionId }: HostHookCall, thrown: unknown): string {
  if (BabysitterError.is(thrown)) {
    const { message, hint } = thrown;
    return forTerminal(inTypedWords(refusalText(message, hint), harness.words));
  }
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  logHookProblem(places.home, { at: new Date().toISOString(), hookType: event, sessionId, code: "INTERNAL", message });
  return forTerminal(refusalText(message, `This is a defect of Babysitter. ${hookLogFile(places.home)}`));
}
