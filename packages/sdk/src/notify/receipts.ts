/** What a person may believe about a notification: never more than the service, or their own tap, has shown. */
import type { Notice, OutboxMessage, OutboxState, Subject } from "./outbox-state.js";

/** How far a notification got. */
export type ReceiptState = "queued" | "sending" | "accepted" | "acknowledged" | "unknown" | "failed" | "dropped";

/** What is known about one notification. */
export interface Receipt {
  channel: string;
  state: ReceiptState;
  at: string;
  /** When the message was sent that has arrived as far as anybody can tell. */
  sentAt?: string;
  /** When it is to be sent, or tried again. */
  due?: string;
  /** Why it failed, is unknown or was dropped; how it was acknowledged. */
  why?: string;
  /** How many reminders there were. */
  reminders: number;
  /** It was sent more than once, marked as a repeat. */
  repeated: boolean;
}

/** `seenAt`: when it was opened in the inbox; whatever was sent of it has served its purpose then. */
export function receiptsFor(state: Readonly<OutboxState>, subject: Subject, seenAt?: string): Receipt[] {
  return [...state.notices.values()]
    .filter((notice) => notice.subject === subject)
    .map((notice) => receiptOf(notice, notice.message === undefined ? undefined : state.messages.get(notice.message)))
    .map((receipt) => (seenAt === undefined ? receipt : withSeen(receipt, seenAt)));
}

function withSeen(receipt: Receipt, at: string): Receipt {
  const wasSent = receipt.state === "accepted" || receipt.state === "unknown";
  return wasSent ? { ...receipt, state: "acknowledged", at, why: "opened in the inbox" } : receipt;
}

/** How a notice stands, with the last message that carried it. */
export function receiptOf(notice: Notice, message: OutboxMessage | undefined): Receipt {
  const { channel, acknowledged, dropped, due, queuedAt, reminders, sentAt } = notice;
  const arrived = message?.state === "accepted" || acknowledged !== undefined;
  const common = {
    channel,
    reminders,
    repeated: message?.repeat === true,
    ...(arrived && sentAt !== undefined ? { sentAt } : {}),
  };
  if (acknowledged !== undefined)
    return { ...common, state: "acknowledged", at: acknowledged.at, why: acknowledged.how };
  if (message !== undefined && message.state !== "failed") {
    const { due: again, ...reason } = reasonOf(message);
    const isRepeated = again !== undefined && dropped === undefined;
    return { ...common, state: message.state, at: message.at, ...reason, ...(isRepeated ? { due: again } : {}) };
  }
  if (dropped !== undefined) return { ...common, state: "dropped", at: dropped.at, why: dropped.why };
  if (message === undefined) return { ...common, state: "queued", at: queuedAt, due };
  return { ...common, state: "failed", at: message.at, ...reasonOf(message) };
}

/** Why it stands so, and when it is tried again. */
function reasonOf({ reason, retryAt }: OutboxMessage): Pick<Receipt, "why" | "due"> {
  return { ...(reason ? { why: reason } : {}), ...(retryAt === undefined ? {} : { due: retryAt }) };
}
