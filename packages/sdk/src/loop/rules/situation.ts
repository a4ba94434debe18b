/** Everything that a decision at the end of a turn depends on, as data. */
import type { ProgressSample, Spend } from "../../model/loop-events.js";
import type { LoopState } from "../../model/loop-state.js";
import type { RunStatus } from "../../model/run-state.js";

/** What a host says when a turn of its agent ends, in our words. */
export interface StopInput {
  /** False when what came was no JSON object of the expected event. */
  valid: boolean;
  /** Missing unless it is a valid id. */
  sessionId?: string;
  /** The turn of a subagent, not of the session itself. */
  subagent: boolean;
  promptId?: string;
  lastMessage?: string;
  transcriptPath?: string;
  /** Things that run on and will wake the session by themselves. */
  background: number;
}

/** What the session file and the run say, before anyone looks at the turn. */
export type SessionStanding =
  | { kind: "no-session" }
  | { kind: "inactive" }
  | { kind: "unbound" }
  | { kind: "corrupt"; problem: string }
  | { kind: "run-unknown"; runId: string; problem: string }
  | { kind: "bound"; state: LoopState; run: RunView };

/** The run as the decision sees it. */
export interface RunView {
  state: RunStatus;
  /** It has a process, so that only its completion proof ends the loop. */
  hasProcess: boolean;
  cancelled: boolean;
  /** Kinds of the pending effects, each once. */
  pendingKinds: string[];
  /** Tasks are being executed: that nothing else happens means nothing. */
  tasksRunning: boolean;
  /** Ids of open questions, when nothing else is left to do. */
  openQuestions: string[];
  /** Nothing but a sleep is pending; until then. */
  sleepsUntil?: string;
  /** When the first of the sleeps ends, whatever else is pending. */
  dueAt?: string;
  proof?: string;
  /** That the code of its process has changed since it began, in words. */
  codeChanges?: string;
  /** It is blocked because its code has lost breakpoints that people agreed to. */
  gatesMissing?: number;
}

/** What is known about the turn that ended. */
export interface Probes {
  /** Every text of the turn. */
  blocks: readonly string[];
  /** The texts after its last tool call and result. */
  lastWords: readonly string[];
  /** Neither a last message nor a transcript could be read. */
  silent: boolean;
  /** There is no last message, and the transcript's line with it cannot be read, for this reason. */
  broken?: string;
  tree?: string;
  /** What the agent must not touch and has touched. */
  tampered: readonly { name: string; what: string }[];
  spend?: Spend;
  /** Tool calls of the turn that the host's permissions did not allow. */
  denied: readonly string[];
  sample: ProgressSample;
  /** The user has typed a command to pause or cancel the loop, and the host keeps it until the agent stops. */
  commandWaiting?: true;
  /** A verification is running. */
  verifying: boolean;
}

/** What is known of the host's own limits. */
export interface HostLimits {
  /** The host ends the turn itself after this many blocks without a tool call. */
  blockCap?: number;
  /** The tool by which its agent can put a question of the run to people, where it has one. */
  questionTool?: string;
  /** Where people allow its agent to use a tool, such as `the list allow of settings.json`. */
  toolSettings?: string;
}

export interface Situation {
  input: StopInput;
  state: LoopState;
  run: RunView;
  probes: Probes;
  host: HostLimits;
  now: Date;
}
