/** What is kept of a channel that somebody enables: what they have said, what was there before, and what is usual. */
import { BabysitterError } from "@a5c-ai/babysitter-sdk";
import * as notices from "@a5c-ai/babysitter-sdk/notify";
import { botOf, type EnableRequest } from "./extension-arguments.js";

export interface NewChannel {
  record: notices.ChannelRecord;
  /** It leads to the same person as before: what was sent and bound stays. */
  isSame: boolean;
}

type Settings = Readonly<Record<string, string>>;

const NTFY_SERVER = "https://ntfy.sh";

/** `newTopic`: makes a name that nobody can guess. */
export function newChannel(
  { channel, settings: given, ...rest }: EnableRequest,
  before: notices.ChannelRecord | undefined,
  { now, newTopic }: { now: string; newTopic: () => string },
): NewChannel {
  const settings = SETTINGS[channel](given, before?.settings ?? {}, newTopic);
  const isSame = before !== undefined && leadsToSame(channel, before.settings, settings);
  return {
    isSame,
    record: {
      since: isSame ? before.since : now,
      fields: rest.fields ?? before?.fields ?? [...notices.USUAL_FIELDS],
      files: rest.files ?? before?.files ?? false,
      topics: rest.topics ?? before?.topics ?? [...notices.TOPICS],
      settings,
    },
  };
}

type SettingsRule = (given: Settings, before: Settings, newTopic: () => string) => Record<string, string>;

const SETTINGS: Readonly<Record<notices.ChannelName, SettingsRule>> = {
  telegram: (given, before) => {
    const settings = { ...before, ...given };
    if (settings["token"] === undefined)
      throw missing(
        "telegram needs a bot token.",
        "@BotFather in Telegram creates a bot (/newbot) and shows its token. Then, to paste it without showing it: babysitter extension enable telegram --token -",
      );
    // Another bot has another name.
    if (botOf(before["token"]) !== botOf(settings["token"])) delete settings["bot"];
    return settings;
  },
  ntfy: (given, before, newTopic) => {
    const server = given["server"] ?? before["server"] ?? NTFY_SERVER;
    // A token is for one server, and a topic is no secret where it has been named to another one.
    const kept: Settings = server === before["server"] ? before : {};
    const topic = given["topic"] ?? kept["topic"] ?? newTopic();
    const replyTopic = topic === kept["topic"] ? kept["replyTopic"] : undefined;
    return { ...kept, ...given, server, topic, replyTopic: replyTopic ?? newTopic() };
  },
  slack: hookSettings("slack", "Slack makes one for an app (api.slack.com/apps, Incoming Webhooks)."),
  discord: hookSettings("discord", "Discord makes one for a channel (Edit Channel, Integrations, Webhooks)."),
  webhook: hookSettings("webhook", "It is the address that receives the documents, such as one on your own server."),
};

function hookSettings(channel: string, how: string): SettingsRule {
  return (given, before) => {
    const settings = { ...before, ...given };
    if (settings["url"] !== undefined) return settings;
    throw missing(
      `${channel} needs a webhook address.`,
      `${how} Then, to paste it without showing it: babysitter extension enable ${channel} --url -`,
    );
  };
}

/** True while messages reach the same person in the same place. */
function leadsToSame(channel: notices.ChannelName, before: Settings, after: Settings): boolean {
  if (channel === "telegram") return botOf(before["token"]) === botOf(after["token"]) && isSameName(before, after);
  const names = channel === "ntfy" ? ["server", "topic"] : ["url"];
  return names.every((name) => before[name] === after[name]);
}

/** Whoever was bound without naming anybody may say now who it is. */
function isSameName({ username: before }: Settings, { username: after = "" }: Settings): boolean {
  return before === undefined || before.toLowerCase() === after.toLowerCase();
}

function missing(message: string, hint: string): BabysitterError {
  return new BabysitterError("USAGE", message, { hint });
}
