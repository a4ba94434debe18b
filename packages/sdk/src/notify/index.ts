/**
 * For programs that notify people: what was sent and what came of it, the channels, the report, and words for all that.
 * How a person is reached, and whose chat it is, is asked for at the desk of `./operate`.
 */
export { CHANNELS, type ChannelName } from "../model/channel-names.js";
export { nearestName } from "../model/nearest-name.js";

export type { Report, ReportedChange, ReportTotals, RunName, RunReport } from "../model/report.js";
export { reportLines } from "../model/report-lines.js";
export * as reportWords from "../model/report-words.js";
export { shownTime } from "../model/shown-amounts.js";
export { shownLine, visible } from "../model/shown-text.js";
export { CHANNEL_KINDS, channelTitle, describeChannel, hostOf } from "./channel-kinds.js";
export {
  type ChannelRecord,
  type ChannelRecords,
  FIELDS,
  type Field,
  TOPICS,
  type Topic,
  USUAL_FIELDS,
} from "./channels.js";
export type { BoundChat } from "./chat-state.js";
export type { ChatTap, Tapped } from "./chats.js";
export {
  type ChannelDescription,
  describeChannels,
  type GivenUp,
  givenUpOf,
  waitingOf,
} from "./describe-channels.js";
export type { NewEntry } from "./outbox.js";
export {
  emptyOutbox,
  foldOutbox,
  type MessageKind,
  type Notice,
  noticeKey,
  type OutboxEntry,
  type OutboxMessage,
  type OutboxState,
  type Subject,
} from "./outbox-state.js";
export { receiptText } from "./receipt-text.js";
export { type Receipt, type ReceiptState, receiptOf, receiptsFor } from "./receipts.js";
