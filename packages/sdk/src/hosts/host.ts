/**
 * All that an agent host is to us. `AgentHost` is what every host has: what it says on stdin in our words, and our
 * answer in its words; everything between the two is the same for all hosts. `HostParts`, `HostLauncher` and
 * `HostDoctor` are for hosts that have more to offer. registry.ts, environments.ts and host-parts.ts list them.
 */
import type { HostLimits, StopInput } from "../loop/rules/situation.js";
import type { TranscriptEntry } from "../loop/transcript/transcript-entry.js";
import type { TranscriptFormat } from "../loop/transcript/transcript-format.js";
import type { BreakpointQuestion } from "../model/breakpoint-question.js";
import type { BreakpointResult } from "../model/breakpoint-result.js";
import type { Json, JsonObject } from "../model/json.js";
import type { LastSession } from "../sessions/last-session.js";
import type { Finding } from "./finding.js";

export type Environment = Readonly<Record<string, string | undefined>>;

/** The events of hosts that we answer, under the names of `hook:run --hook-type`. */
export const HOOK_EVENTS = [
  "stop",
  "stop-watch",
  "stop-failure",
  "stop-failure-watch",
  "subagent-stop",
  "session-start",
  "session-end",
  "user-prompt-submit",
  "user-prompt-expansion",
  "pre-tool-use",
  "post-tool-use",
  "permission-request",
  "config-change",
] as const;

export type HookEvent = (typeof HOOK_EVENTS)[number];

/** What a host says, whatever the event. */
export interface HostInput extends StopInput {
  cwd?: string;
  /** Of a session start: startup, resume, clear, compact, fork. */
  source?: string;
  /** Of a session end. `clear`: the host starts over under another ID; after any other reason it may come back. */
  reason?: string;
  /** Of a submitted prompt. */
  prompt?: string;
  /** Of a turn that has failed: which error of the host ended it. */
  error?: string;
  /** Of a slash command: its name, and what follows it, byte for byte. */
  command?: { name: string; args: string };
  /** Of a tool call. */
  tool?: { name: string; input: JsonObject; response?: Json };
}

/** What a host is to do and say. */
export interface HostAnswer {
  /**
   * The agent must continue: the full reason, or the short form where the host takes that as context. Such a host
   * shows its person the line, not the message, which is what scripts and older hosts know.
   */
  continueWith?: { reason: string; delta: string; line?: string };
  /** An idle session must continue, and its agent is told this. */
  wake?: string;
  /** For the user. */
  message?: string;
  /** For the agent, beside what the user wrote. */
  context?: string;
  /** The prompt goes no further: the user is told this, and no model is asked. */
  refusal?: string;
  /** Of a tool call: it may run without asking, with this input in place of its own. Without it the host decides. */
  allow?: { reason: string; input?: JsonObject };
  /** Of a tool call: the host asks its person whatever its rules allow, with this input in place of the agent's. */
  ask?: { input: JsonObject; reason?: string };
  /** Of a tool call: it does not run, and the agent is told why. */
  deny?: string;
}

/** Our commands that people type into a host, and that its hooks carry out. */
export const TYPED_VERBS = [
  "babysit",
  "resume",
  "status",
  "pause",
  "cancel",
  "amend",
  "approve",
  "reject",
  "report",
  "verify",
  "doctor",
] as const;

export type TypedVerb = (typeof TYPED_VERBS)[number];

/** How they are typed. */
export interface HostWords {
  typed(verb: TypedVerb): string;
  /** How any other command line is typed, where the host has a shell for its user. */
  inShell?(command: string): string;
  /** By the name under which the host tells of a command; undefined for commands of others. */
  verbNamed(name: string): TypedVerb | undefined;
  /** Of a prompt as it was typed; undefined if it is not one of our commands. */
  verbTyped(prompt: string): TypedVerb | undefined;
}

/** What a host does to the environment of its hooks, and of the commands of its agents. */
export interface HostEnvironment {
  /** True when this environment is one of the host's. */
  isActive(env: Environment): boolean;
  /** Where the agent runs in this host, the variables that hold the session's id, in this order. */
  readonly sessionVariables: readonly string[];
  /** Holds the folder of the project. */
  readonly projectVariable?: string;
  /** Holds the folder of our plugin, where the host has plugins. */
  readonly pluginVariable?: string;
  /** Holds what the host calls itself, usually with its version. */
  readonly nameVariable?: string;
  /** Names of variables by which a command knows that an agent has given it. */
  readonly agentMarks?: RegExp;
  /** Names of all variables that are the host's: tools that see them behave otherwise. */
  readonly ownVariables?: RegExp;
  /** Names of those that are about one session, and must not reach a host that is started from it. */
  readonly sessionMarks?: RegExp;
  /** True when nobody sits in front of the session, so that its agent has no tool to ask anyone. */
  isHeadless?(env: Environment): boolean;
  /** True when an agent has given the command, and not the host itself, as it does with hooks. */
  isGivenByAgent?(env: Environment): boolean;
  /** Names of its program, and what the path of its program or script has in it. */
  readonly programs?: ProgramMarks;
  /** True when nobody sits in front of a host that was started with these words. Its hooks have this environment. */
  isUnattended?(argv: readonly string[], env: Environment): boolean;
  /** What the command line of a shell has in it that runs a command of its agent. */
  readonly toolShell?: RegExp;
}

export interface ProgramMarks {
  readonly names: readonly string[];
  readonly path?: RegExp;
}

/** A running process, as far as the system tells. */
export interface ProcessFacts {
  argv: readonly string[];
  /** Its program file. */
  program?: string;
}

/** The tool by which a host's agents run commands. */
export interface ShellTool {
  readonly name: string;
  /** The field of its input that holds the command. */
  readonly commandField: string;
  /** What else may be said with a command, as far as it changes nothing about what the command can do. */
  readonly harmlessFields: ReadonlySet<string>;
}

/** A question that is open, and the hash of what belongs to it. */
export interface OpenQuestion {
  effectId: string;
  shown: string;
  question: BreakpointQuestion;
}

/** What one of the answers in a dialog decides. */
export type DialogChoice = "approve" | "reject" | { option: string };

/** A question as the host shows it. The same question always gives the same dialog, so that answers can be checked. */
export interface QuestionDialog {
  /** The input of the host's tool. */
  input: JsonObject;
  /** Labels that count; some of them may have to be typed. */
  choices: ReadonlyMap<string, DialogChoice>;
}

export type DialogAnswer =
  | { kind: "choice"; choice: DialogChoice; label: string; notes?: string }
  /** The person has typed something that is no answer of the question. */
  | { kind: "comment"; text: string }
  /** Nobody has answered: closed, timed out, several answers, or answers to something else. */
  | { kind: "none" };

/** The tool by which a host's agents put questions to people, for hosts that tell us what was answered there. */
export interface QuestionTool {
  readonly name: string;
  dialogFor(open: OpenQuestion): QuestionDialog;
  /** The question of a run that a dialog claims to be; whether it shows that is another matter. */
  questionIdIn(input: JsonObject): string | undefined;
  /** True when a tool's input shows exactly this dialog. */
  isDialog(input: JsonObject, dialog: QuestionDialog): boolean;
  /** The question of the run that an agent means by its own call. */
  meantQuestion<T extends Pick<OpenQuestion, "effectId" | "question">>(
    input: JsonObject,
    open: readonly T[],
  ): T | undefined;
  /** Everything in an agent's own call that could be the id of a question. */
  idsNamed(input: JsonObject): string[];
  /** What the host says was answered; never what the agent could have written. */
  answerIn(response: Json | undefined, dialog: QuestionDialog): DialogAnswer;
  /** A decision from elsewhere as an answer in the dialog; a no never looks like a yes. */
  decisionWords(dialog: QuestionDialog, result: Pick<BreakpointResult, "approved" | "option" | "feedback">): string;
  /** The dialog's input with that answer. */
  answeredInput(dialog: QuestionDialog, words: string): JsonObject;
}

/** How a host writes down what its agents say and use, and where. */
export interface HostTranscripts extends TranscriptFormat {
  /** How far what is written may lag behind a hook. */
  readonly lagMs: number;
  /** Of a session that was started without a hook telling where. */
  ofSession(sessionId: string, env: Environment): string | undefined;
  /** Of all these sessions, as far as they are there, and the one that is known to be the newest last. */
  ofSessions(newest: string, sessions: readonly string[]): string[];
  /** Of the subagents of a session: only there are their model calls written down. */
  ofSubagents(transcript: string): string[];
  /** What these lines say, for people. */
  entriesIn(lines: string): TranscriptEntry[];
}

/** What is known when a session starts. */
export interface SessionStart {
  env: Environment;
  input: HostInput;
  /** The words of the host's command line. */
  hostArguments: () => readonly string[];
}

/** What the agent's shell is to know: the session that it is in, and the words that our program's name stands for. */
export interface SessionExports {
  sessionId: string;
  name: string;
  program: readonly string[];
}

/** What a host has of ours on this machine. */
export interface HostInstallation {
  /** The name of the host, for people. */
  title: string;
  /** What it calls it. */
  what: string[];
  /** Copies that it leaves behind. */
  folders: string[];
  /** Its own program, and the arguments that remove it there. */
  program: string;
  commands: string[][];
}

/** What a host has beyond talking to us. Each is for hosts that have it; loops work without all of them. */
export interface HostParts {
  /** The session that starts, where the host itself names another one: that of which this one is a fork. */
  startingSession?(start: SessionStart): string | undefined;
  /** True when the host itself has left something of this session on the machine. */
  hasSession?(sessionId: string, env: Environment): boolean;
  /** Tells the agent's shell. Never throws: a session without that is better than none. */
  exportSession?(env: Environment, exports: SessionExports): void;
  readonly shell?: ShellTool;
  readonly question?: QuestionTool;
  readonly transcripts?: HostTranscripts;
  /** Which of its settings would free a session from our hooks, as they are on disk; a sentence without its full stop. */
  escapeInSettings?(env: Environment, projectRoot: string): string | undefined;
  /** Skills and agents that it offers in a project, by names that an agent may be told. */
  discover?(projectRoot: string, env: Environment): string[];
}

/** A turn to start from outside. */
export interface HostTurn {
  sessionId: string;
  /** The host has seen this session before. */
  known: boolean;
  text: string;
  /** As the host understands it. */
  permissionMode: string | undefined;
}

/** How a turn ended, as the host itself tells it. */
export type ToldOutcome =
  /** The agent has stopped; its last words, where it said any. */
  | { kind: "ended"; message?: string }
  /** In the host's words, which may be none. With a time when the account may be used again only then. */
  | { kind: "failed"; why: string; error?: string; limitedUntilMs?: number }
  /** It was to resume a session that it has never seen, or has forgotten. */
  | { kind: "session unknown" }
  /** It was told to start a session that it already knows. */
  | { kind: "session known" };

/** How a host is started for one turn, with nobody in front of it. */
export interface HostLauncher {
  /** A name on PATH, or a path. */
  program(env: Environment): string;
  /** Completes the sentence "The agent's host cannot be started: …" with what to do about it. */
  readonly notFoundHint: string;
  /** The program's arguments, and its stdin; `ps` shows only the former. */
  turn(turn: HostTurn): { args: string[]; stdin: string };
  /** From the end of what it has printed. */
  outcome(exitCode: number | null, printed: { stdout: string; stderr: string }): ToldOutcome;
}

/** A program that was asked for its version. */
export interface ProgramFacts {
  path: string;
  /** What it said; undefined when it did not answer. */
  version?: string;
}

/** How a running host was started. */
export interface HostCommand {
  argv: readonly string[];
  /** Where it runs. */
  cwd?: string;
}

/** What it takes to find out whether a host calls our hooks. */
export interface HooksKit {
  env: Environment;
  projectRoot: string;
  /** The nearest host above this process; undefined where there is none, or the system does not tell word by word. */
  hostAbove(isHost: (argv: readonly string[]) => boolean): HostCommand | undefined;
}

/** What a host's doctor may use of the machine. */
/** What this program was installed from, and the folder of that. */
export interface Installation {
  kind: "clone" | "plugin" | "package" | "folder";
  dir: string;
}

export interface DoctorKit extends HooksKit {
  /** This very program. */
  cli: { path: string; version: string; from: Installation };
  /** The last session that has called our hooks. */
  lastSession: LastSession | undefined;
  /** The first program of this name on PATH. */
  program(name: string): ProgramFacts | undefined;
  /** Runs a program that answers soon. */
  ask(program: string, args: string[]): { status: number | null; stdout: string; stderr: string };
}

export interface HooksOff {
  what: string;
  fix: string;
}

/** Knows what can be wrong between a host and us: program, plugin, settings. Changes nothing. */
export interface HostDoctor {
  /** What people call the host. */
  readonly title: string;
  /** Name of the host. */
  readonly host: string;
  examine(kit: DoctorKit): Finding[];
  /** What keeps the host from calling our hooks in this session; undefined unless there is proof. */
  hooksOff?(kit: HooksKit): HooksOff | undefined;
}

/** The name that journals, flags and the registry use. */
export interface NamedHost {
  readonly name: string;
}

export interface AgentHost extends NamedHost {
  readonly environment: HostEnvironment;
  /** Without them people have the terminal for our commands. */
  readonly words?: HostWords;
  /**
   * With this exit code, the end of a hook that the host did not wait for wakes the session: it continues, and
   * its agent is told what is on stderr. A host that does not know this cannot be woken.
   */
  readonly wakeExitCode?: number;
  /** Limits of the host itself. */
  limits(env: Environment): HostLimits;
  /** What came on stdin, parsed, in our words. */
  parse(event: HookEvent, value: unknown): HostInput;
  /** Our answer as the one JSON object that the host reads. */
  render(event: HookEvent, answer: HostAnswer, env: Environment): object;
}
