/** `extension enable|disable|list|link`: the ways by which this person is told of questions. */
import { parseArgs } from "node:util";
import { EXIT_CODES } from "@a5c-ai/babysitter-sdk";
import * as notices from "@a5c-ai/babysitter-sdk/notify";
import { describeChannel } from "@a5c-ai/babysitter-sdk/notify";
import { type InboxDesk } from "@a5c-ai/babysitter-sdk/operate";
import { listText } from "../rules/channel-texts.js";
import {
  askedFor,
  EXTENSION_OPTIONS,
  type ExtensionRequest,
  HANDED_ON,
  parseExtension,
  type TypedExtension,
  withAnswer,
  withHandedOn,
} from "../rules/extension-arguments.js";
import { askUnseen } from "./ask-unseen.js";
import { type Call, say, tell } from "./command.js";
import { disableChannel } from "./disable-channel.js";
import { type Answer, enableChannel, linkChannel } from "./enable-channel.js";

export async function extension(call: Call, args: readonly string[]): Promise<number> {
  const { desk, env } = call;
  const typed = withHandedOn(typedIn(args), env);
  // Whatever is started from here is not to know it.
  delete process.env[HANDED_ON];
  const asked = askedFor(typed);
  if (asked === undefined) return answer(call, parseExtension(typed));
  desk.requirePerson("enable a channel");
  const told = await askUnseen(`The ${asked === "url" ? "address" : asked} of ${typed.words[1]}`);
  if (told !== undefined) return answer(call, parseExtension(withAnswer(typed, asked, told)));
  say("Nothing was changed.");
  return EXIT_CODES.interrupted.exit;
}

function typedIn(args: readonly string[]): TypedExtension {
  const options = Object.fromEntries(Object.entries(EXTENSION_OPTIONS).map(([name, type]) => [name, { type }]));
  const known = { ...options, json: { type: "boolean" } } as const;
  const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options: known });
  const { json: _json, ...rest } = values;
  return { words: positionals, options: rest };
}

async function answer(call: Call, request: ExtensionRequest): Promise<number> {
  const { document, lines } = await answerTo(call.desk, request);
  return tell(call, document, lines.join("\n"));
}

/** Looking is for everybody; the rest is for people. */
async function answerTo(desk: InboxDesk, request: ExtensionRequest): Promise<Answer> {
  if (request.act === "list") return list(desk);
  desk.requirePerson(request.act === "link" ? "get a link that binds a chat" : `${request.act} a channel`);
  if (request.act === "enable") return enableChannel(desk, request);
  return request.act === "disable" ? disableChannel(desk, request.channel) : linkChannel(desk, request.channel);
}

async function list(desk: InboxDesk): Promise<Answer> {
  const records = desk.channels.all();
  const described = notices.describeChannels(records, desk.outbox.state(), (name) => desk.chats.bound(name));
  const channels = described.map((channel) => {
    const record = records[channel.name] ?? { settings: {} };
    return { ...channel, target: describeChannel(channel.name, record, desk.chats.bound(channel.name)).target };
  });
  const isSending = await desk.hasWorker();
  const settings = desk.notifySettings();
  return {
    document: { channels, isSending, settings },
    lines: [listText(channels, { isSending, publicUrl: settings.publicUrl })],
  };
}
