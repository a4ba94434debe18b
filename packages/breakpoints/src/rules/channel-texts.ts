/** What people are told of their channels. Names and reasons come from others, so they are made visible. */
import * as notices from "@a5c-ai/babysitter-sdk/notify";
import { shownLine, shownTime } from "@a5c-ai/babysitter-sdk/notify";

/** How a channel fares, and where it leads to. */
export type Description = notices.ChannelDescription & { target: string };

const TOPICS: Readonly<Record<notices.Topic, string>> = {
  questions: "questions",
  trouble: "runs that need you",
  report: "the morning report",
};
const MAX_NAME = 80;
const MAX_REASON = 200;

/** "It sends questions and the morning report, with title and run; no files." */
export function sendsText(
  { fields, files, topics }: Pick<Description, "fields" | "files" | "topics">,
  publicUrl: string | null,
): string {
  const what = topics.length === 0 ? "nothing" : listed(topics.map((topic) => TOPICS[topic]));
  const said = fields.length === 0 ? "saying only that there is one" : `with ${listed(fields)}`;
  const hasNoLink = fields.includes("link") && publicUrl === null;
  const link = hasNoLink ? " (links only once inbox.publicUrl is set)" : "";
  return `It sends ${what}, ${said}${link}; ${files ? "a question's files when you ask for them" : "no files"}.`;
}

export function listed(words: readonly string[]): string {
  const [last = "", ...before] = words.toReversed();
  return before.length === 0 ? last : `${before.toReversed().join(", ")} and ${last}`;
}

export const NOBODY_SENDS =
  "Nothing is sent while the inbox is not running. To start it: babysitter ui, or only a worker: babysitter-breakpoints worker";

/** All channels, for a terminal. */
export function listText(
  channels: readonly Description[],
  { isSending, publicUrl }: { isSending: boolean; publicUrl: string | null },
): string {
  if (channels.length === 0)
    return [
      "No channel is enabled: questions wait until you look. To be notified, for example:",
      "  babysitter extension enable telegram --token -",
      "  babysitter extension enable ntfy",
    ].join("\n");
  const blocks = channels.map((channel) => channelLines(channel, publicUrl).join("\n"));
  return [...blocks, ...(isSending ? [] : [NOBODY_SENDS])].join("\n");
}

function channelLines(channel: Description, publicUrl: string | null): string[] {
  const { name, target, proves, since, bound, problem, waiting, failed } = channel;
  const [last] = failed;
  const proof =
    proves === "acknowledged" ? "a tap shows that you have seen it" : "it cannot tell whether you have seen a message";
  const details = [
    `enabled since ${shownTime(since)}; ${proof}`,
    sendsText(channel, publicUrl),
    ...(bound === null ? [`Not bound yet, so nothing is sent: babysitter extension link ${name}`] : []),
    ...(bound ? [`bound to ${shownLine(bound.name, MAX_NAME)} since ${shownTime(bound.at)}`] : []),
    ...(problem === undefined
      ? []
      : [`It has not worked since ${shownTime(problem.since)}: ${shownLine(problem.reason, MAX_REASON)}`]),
    ...(waiting === 0 ? [] : [`${waiting} waiting to be sent`]),
    ...(last === undefined
      ? []
      : [
          `${failed.length} given up; the latest at ${shownTime(last.at)}, ${shownLine(last.about, MAX_NAME)}: ${shownLine(last.why, MAX_REASON)}`,
        ]),
  ];
  return [`${name}: ${shownLine(target, MAX_NAME)}`, ...details.map((line) => `  ${line}`)];
}
