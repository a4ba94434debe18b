/** What a channel is given to work with. */
import type * as notices from "@a5c-ai/babysitter-sdk/notify";
import type { InboxDesk } from "@a5c-ai/babysitter-sdk/operate";
import type { InboxQuestions } from "../desk/inbox-questions.js";
import type { QuestionRow } from "../wire/inbox-wire.js";

export interface ChannelParts {
  desk: InboxDesk;
  record: notices.ChannelRecord;
  questions: InboxQuestions;
  /** The open questions, in the order of the inbox. */
  open: () => QuestionRow[];
  /** Records that the person has shown that these have reached them. `how`: "a button", "a reply", "the action". */
  acknowledge: (subjects: readonly notices.Subject[], how: string) => void;
  /** What is worth knowing later but needs nobody now; with TELEGRAM_DEBUG also what is heard. */
  log: (text: string) => void;
  /** The address of the inbox for phones, without a slash at its end. */
  publicUrl: string | undefined;
}
