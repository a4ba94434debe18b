/** Who may decide a breakpoint: pure rules over where an answer comes from and what it is about. */

/** The way an answer comes. */
export type DecisionWay = "cli" | "terminal" | "policy" | "task:post" | "web" | "telegram" | "hook";

/** Where an answer comes from, as far as whoever passes it on can know. */
export interface DecisionSource {
  via: DecisionWay;
  /** The command has a controlling terminal, and its input comes from there. */
  terminal?: boolean;
  /** An agent's host has left its mark in the environment. */
  agent?: boolean;
  /** The person was identified: a session of the user interface, a bound chat, the host's own dialog. */
  verified?: boolean;
  /** How a person who came by the web was identified. */
  proof?: "session" | "passkey";
  /** This person has a passkey, so a session alone is not the best that they can show. */
  hasKey?: boolean;
  /** Someone was shown the risk, and confirmed: typed the name of the run, or tapped a second button. */
  confirmed?: boolean;
}

/** Who has changed a loop, and by which way; `verified` as with decisions. */
export interface ChangeSource {
  by: string;
  via: DecisionWay;
  verified: boolean;
}

/** `bound` are the rules below; `open` lets everyone decide who can reach the run. */
export type AnswersPolicy = "bound" | "open";

export interface DecidedMatter {
  /** The run belongs to a session of an agent. */
  bound: boolean;
  risk: string | undefined;
  answers: AnswersPolicy;
}

export interface DecisionRefusal {
  why: "high-risk" | "agent-session" | "unverified-chat" | "second-tap" | "passkey";
  message: string;
  hint: string;
}

/** Why this source may not decide that, or undefined when it may. */
export function whyNotDecide(source: DecisionSource, matter: DecidedMatter): DecisionRefusal | undefined {
  if (matter.answers === "open") return undefined;
  if (source.via === "telegram" && source.verified !== true) return UNVERIFIED_CHAT;
  const risky = matter.risk === "high" ? whyNotRisky(source) : undefined;
  if (risky !== undefined) return risky;
  return matter.bound && !isPerson(source) ? agentSession(source) : undefined;
}

function whyNotRisky(source: DecisionSource): DecisionRefusal | undefined {
  if (source.via === "telegram" && source.confirmed !== true) return SECOND_TAP;
  if (source.hasKey === true && source.proof === "session") return KEY_WANTED;
  return isIdentified(source) || isConfirmed(source) ? undefined : highRisk(source);
}

/** True for someone who may decide this once they have typed the name of the run. */
export function needsName(source: DecisionSource, matter: DecidedMatter): boolean {
  return (
    whyNotDecide(source, matter) !== undefined && whyNotDecide({ ...source, confirmed: true }, matter) === undefined
  );
}

/** True when this source may change, pause or cancel a loop that agents have worked on: the same who may decide. */
export function mayChange(source: DecisionSource, answers: AnswersPolicy): boolean {
  return answers === "open" || isPerson(source);
}

/** True when the identity of whoever decides is established. What comes through a shell never is. */
export function isVerified({ via, verified }: DecisionSource): boolean {
  return verified === true && (via === "web" || via === "telegram" || via === "hook");
}

function isIdentified(source: DecisionSource): boolean {
  return isVerified(source) && source.via !== "hook";
}

/** Only where a person can be at the keyboard is there someone who types. */
function isConfirmed(source: DecisionSource): boolean {
  return source.confirmed === true && (source.via === "cli" || source.via === "terminal") && isPerson(source);
}

/** The agent of the run itself cannot easily come this way. */
function isPerson(source: DecisionSource): boolean {
  if (source.via === "hook" || source.via === "web" || source.via === "telegram") return source.verified === true;
  return source.via !== "task:post" && source.terminal === true && source.agent !== true;
}

const KEY_WANTED: DecisionRefusal = {
  why: "passkey",
  message: "This question is marked as high risk, and you have a passkey: only the passkey can decide it here.",
  hint: "Confirm with the passkey, or type `babysitter breakpoint:approve <id>` in your own terminal and confirm with the run's name.",
};

const UNVERIFIED_CHAT: DecisionRefusal = {
  why: "unverified-chat",
  message: "The chat is not bound to a person, so it cannot decide.",
  hint: "Bind the chat first, or decide on the command line.",
};

const SECOND_TAP: DecisionRefusal = {
  why: "second-tap",
  message: "This question is marked as high risk: one tap in a chat is not enough.",
  hint: "Tap again, on the button that repeats your decision.",
};

function highRisk({ via }: DecisionSource): DecisionRefusal {
  return {
    why: "high-risk",
    message: `This question is marked as high risk and cannot be answered by ${WAYS[via]}.`,
    hint: "Type `babysitter breakpoint:approve <id>` (or `breakpoint:reject <id> --reason …`) in your own terminal and confirm with the run's name, or use a session of the user interface or a bound Telegram chat. The setting `breakpoints.answers: open` lets anyone who can reach the run decide.",
  };
}

function agentSession({ via, agent }: DecisionSource): DecisionRefusal {
  const how = agent === true ? `${WAYS[via]} from an agent's environment` : WAYS[via];
  return {
    why: "agent-session",
    message: `The run belongs to an agent's session, so only a person may answer its questions: an answer by ${how} does not count.`,
    hint: "Answer in the agent's own dialog, in the user interface, in a bound Telegram chat, or type `babysitter breakpoint:approve <id>` (or `breakpoint:reject <id> --reason …`) in your own terminal. The setting `breakpoints.answers: open`, made before the run starts, lifts this rule.",
  };
}

const WAYS: Readonly<Record<DecisionWay, string>> = {
  cli: "a command",
  terminal: "a prompt",
  policy: "a policy",
  "task:post": "task:post",
  web: "HTTP without a session",
  telegram: "chat",
  hook: "the host's dialog",
};
