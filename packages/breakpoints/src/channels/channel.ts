/**
 * A way to reach a person. Each channel is a file, or a folder, that implements this; what it can prove about a message
 * it says itself. The worker plans, records and repeats; a channel only sends, changes and hears.
 */
import type * as notices from "@a5c-ai/babysitter-sdk/notify";
import type { Outgoing } from "../rules/notify-outgoing.js";

export type { Outgoing, OutgoingItem } from "../rules/notify-outgoing.js";

type Json = notices.OutboxMessage["ref"];

export interface Channel {
  readonly name: notices.ChannelName;
  /** How far a receipt can get: `acknowledged` where a person can tap, `accepted` where nothing comes back. */
  readonly proves: "accepted" | "acknowledged";
  /** Where it sends to, in words and without secrets: "the chat of @mia", "hooks.slack.com". */
  readonly target: string;
  /** Why it cannot send yet, such as a chat that is not bound: what is queued waits, and nothing counts as failed. */
  unready?(): string | undefined;
  /** Answers what the service calls the message. Throws a {@link DeliveryProblem}. */
  send(message: Outgoing, signal: AbortSignal): Promise<{ ref?: Json }>;
  /** Changes what was sent, where the service can. Throws a {@link DeliveryProblem}. */
  edit?(ref: Json, message: Outgoing, signal: AbortSignal): Promise<void>;
  /**
   * Waits for what people do there, for at most some seconds. The worker deals with one after the other and then saves
   * its cursor, so each may come again after a crash: dealing with one twice must do no harm.
   */
  poll?(cursor: string | undefined, signal: AbortSignal): Promise<Heard[]>;
}

export interface Heard {
  cursor: string;
  deal: () => Promise<void>;
}

/** Why a message was not sent, as far as one can tell. */
export class DeliveryProblem extends Error {
  /**
   * `not-sent`: nothing has arrived, and it is tried again. `refused`: nor will it ever. `answered-with-error`: the
   * service says that it failed; it is tried again, as a repeat. `in-doubt`: nobody knows; it is repeated once.
   */
  readonly outcome: "not-sent" | "refused" | "answered-with-error" | "in-doubt";
  /** The service says how long to wait. */
  readonly retryAfterMs?: number;

  constructor(outcome: DeliveryProblem["outcome"], reason: string, retryAfterMs?: number) {
    super(reason);
    this.outcome = outcome;
    if (retryAfterMs !== undefined) this.retryAfterMs = retryAfterMs;
  }
}
