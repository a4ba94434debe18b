/** A turn of an agent, whatever host has written it down. */

export interface Turn {
  /** Everything the agent said, in order: hosts report only the last block, and a promise may stand before it. */
  blocks: string[];
  /** Those after the last tool call and result. */
  lastWords: string[];
  /** Tool calls. */
  tools: number;
  /** Tool calls that the host's permissions did not allow. */
  denied: string[];
  lastText?: string;
  /** Identity of the turn: that of the row which opened it. */
  key?: string;
  /** The rows reach back to the opening of the turn; else all the above is only its end. */
  complete: boolean;
  /** A command of the user to pause or cancel the loop waits for the agent to stop. */
  commandWaiting: boolean;
  /** The last message that the host reports is among the last words; true when it reports none. */
  hasLastMessage: boolean;
}

export interface LastMessage {
  /** The message that the host itself reports with the end of the turn. */
  lastMessage?: string | undefined;
}

/**
 * Why a turn has no end that anyone decided: a person stopped it, the host did because hooks had held it too often, or the model could not be asked. Or it came
 * to its end at that time, and whoever should have decided about it was killed or failed.
 */
export type TurnBreak =
  | { kind: "interrupted" }
  | { kind: "cut" }
  | { kind: "failed"; message: string }
  | { kind: "ended"; at: string };
