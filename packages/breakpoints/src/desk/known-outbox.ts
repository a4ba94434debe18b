/** The outbox for whoever only wants to show it: one that cannot be read keeps nobody from reading and deciding. */
import { BabysitterError } from "@a5c-ai/babysitter-sdk";
import * as notices from "@a5c-ai/babysitter-sdk/notify";
import { type InboxDesk } from "@a5c-ai/babysitter-sdk/operate";
import { heldBack } from "../rules/held-back.js";

type State = Readonly<notices.OutboxState>;

const NOTHING: State = notices.emptyOutbox();

/** The same object as long as nothing changes. */
export function knownOutbox({ outbox }: Pick<InboxDesk, "outbox">): State {
  return unlessRefused(() => outbox.state(), NOTHING);
}

/** `seenAt`: when the question was opened in the inbox. */
export function knownReceipts(
  desk: Pick<InboxDesk, "outbox" | "notifySettings">,
  id: string,
  seenAt?: string,
): notices.Receipt[] {
  const receipts = notices.receiptsFor(knownOutbox(desk), `question:${id}`, seenAt);
  if (receipts.length === 0) return receipts;
  const quietHours = unlessRefused(() => desk.notifySettings().quietHours, null);
  return receipts.map((receipt) => heldBack(receipt, { quietHours, now: new Date() }));
}

function unlessRefused<T>(look: () => T, otherwise: T): T {
  try {
    return look();
  } catch (error) {
    if (BabysitterError.is(error)) return otherwise;
    throw error;
  }
}
