/** What was settled about notifications, in words. */
import type { ChannelList, ChannelRow } from "../../wire/notify-wire.js";
import { channelWord, listed } from "./channel-words.js";

/** What a receipt of this channel can prove. */
export function proofOf({ proves, proof }: Pick<ChannelRow, "proves" | "proof">): string {
  return proves === "acknowledged" ? capital(proof) : `None: ${proof}`;
}

const TOPICS: Readonly<Record<string, string>> = {
  questions: "questions",
  trouble: "trouble with runs",
  report: "the morning report",
};

const FIELDS: Readonly<Record<string, string>> = {
  question: "the question itself",
  options: "its answers",
};

/** Which messages there are. */
export function topicsOf({ topics }: Pick<ChannelRow, "topics">): string {
  return topics.length === 0 ? "Nothing" : capital(listed(topics.map((topic) => TOPICS[topic] ?? topic)));
}

/** What a message says about a question, and whether files are sent there. */
export function fieldsOf({ fields, files }: Pick<ChannelRow, "fields" | "files">): string {
  const said = fields.length === 0 ? "Only that there is a question" : listed(fields.map((one) => FIELDS[one] ?? one));
  return `${capital(said)}; ${files ? "files when you ask for them there" : "no files"}`;
}

/** When what is sent, by name. */
export function settingRows({ settings, worker }: Pick<ChannelList, "settings" | "worker">): [string, string][] {
  const { afterSeconds, quietHours, remindMinutes, remindBy, reportAt, publicUrl } = settings;
  const by = remindBy.length === 0 ? "" : `, by ${listed(remindBy.map(channelWord))}`;
  return [
    ["A question is sent", afterSeconds === 0 ? "At once" : `After ${duration(afterSeconds)}, unless decided by then`],
    ["Quiet hours", quietHours === null ? "None" : `${quietHours.replace("-", "–")}; messages are sent afterwards`],
    ["Reminders", remindMinutes === 0 ? "Off" : `${every(remindMinutes * 60)} until it is decided${by}`],
    ["Morning report", reportAt === "off" ? "Off" : `At ${reportAt}`],
    ["Links", publicUrl ?? "None: set inbox.publicUrl to where your phone reaches the inbox"],
    ["Sent by", SENDERS[worker]],
  ];
}

const SENDERS: Readonly<Record<ChannelList["worker"], string>> = {
  here: "The inbox server",
  elsewhere: "A separate worker",
  none: "Nobody right now",
};

/** "90 seconds", "5 minutes", "1 hour". */
export function duration(seconds: number): string {
  const [size, word] = seconds % 3600 === 0 ? [3600, "hour"] : seconds % 60 === 0 ? [60, "minute"] : [1, "second"];
  const count = seconds / size;
  return count === 1 ? `1 ${word}` : `${count} ${word}s`;
}

/** "Every hour", "Every 90 minutes". */
function every(seconds: number): string {
  return `Every ${duration(seconds).replace(/^1 /u, "")}`;
}

function capital(text: string): string {
  return `${text[0]?.toUpperCase() ?? ""}${text.slice(1)}`;
}
