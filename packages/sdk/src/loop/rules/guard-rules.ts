/** Rules about a session, tried before its turn is examined. The first that applies decides. */
import type { RuleText } from "./decision-rules.js";
import type { SessionStanding, StopInput } from "./situation.js";

export interface GuardRule extends RuleText {
  code: string;
  when: (input: StopInput, standing: SessionStanding) => boolean;
}

/** Rules that do not examine the turn. */
export const GUARD_RULES: readonly GuardRule[] = [
  {
    code: "input_invalid",
    action: "allow",
    doc: "The host's input is not a JSON object, is for another event, or does not name a valid session.",
    when: (input) => !input.valid || input.sessionId === undefined,
  },
  {
    code: "subagent_not_looped",
    action: "allow",
    doc: "A subagent's turn ended, not the session's.",
    when: (input) => input.subagent,
  },
  {
    code: "no_active_loop",
    action: "allow",
    doc: "This session has no loop.",
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
    doc: "The session file cannot be read; it is moved aside and the user is told.",
    when: (_, { kind }) => kind === "corrupt",
  },
  {
    code: "run_state_unknown",
    action: "allow",
    doc: "The session's run does not exist, or its journal cannot be read.",
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
