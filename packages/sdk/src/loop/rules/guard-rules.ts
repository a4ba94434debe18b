/** Rules about a session, before anybody looks at its turn. The first that applies decides. */
import type { RuleText } from "./decision-rules.js";
import type { SessionStanding, StopInput } from "./situation.js";

export interface GuardRule extends RuleText {
  code: string;
  when: (input: StopInput, standing: SessionStanding) => boolean;
}

/** Rules that need no look at the turn. */
export const GUARD_RULES: readonly GuardRule[] = [
  {
    code: "input_invalid",
    action: "allow",
    doc: "What the host sent is no JSON object, is another event, or names no valid session.",
    when: (input) => !input.valid || input.sessionId === undefined,
  },
  {
    code: "subagent_not_looped",
    action: "allow",
    doc: "The turn of a subagent ended, not that of the session.",
    when: (input) => input.subagent,
  },
  {
    code: "no_active_loop",
    action: "allow",
    doc: "No loop belongs to exactly this session.",
    when: (_, { kind }) => kind === "no-session" || kind === "unbound",
  },
  {
    code: "session_inactive",
    action: "allow",
    doc: "The session file says `active: false`.",
    when: (_, { kind }) => kind === "inactive",
  },
  {
    code: "state_corrupt",
    action: "allow",
    doc: "The session file cannot be read; it is put aside and the user is told.",
    when: (_, { kind }) => kind === "corrupt",
  },
  {
    code: "run_state_unknown",
    action: "allow",
    doc: "The run of the session does not exist or its journal cannot be read.",
    when: (_, { kind }) => kind === "run-unknown",
  },
  {
    code: "cancelled",
    action: "allow",
    doc: "The run was cancelled.",
    when: (_, standing) => standing.kind === "bound" && standing.run.cancelled,
  },
  {
    code: "loop_terminal",
    action: "allow",
    doc: "The loop has ended.",
    when: (_, standing) => standing.kind === "bound" && standing.state.ended !== undefined,
  },
  {
    code: "not_owner",
    action: "allow",
    doc: "The run belongs to another session.",
    when: (input, standing) => standing.kind === "bound" && standing.state.session?.sessionId !== input.sessionId,
  },
  {
    code: "paused",
    action: "allow",
    doc: "The loop is paused.",
    when: (_, standing) => standing.kind === "bound" && standing.state.paused !== undefined,
  },
];
