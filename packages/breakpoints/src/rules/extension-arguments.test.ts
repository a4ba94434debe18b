import { describe, expect, it } from "vitest";
import {
  askedFor,
  HANDED_ON,
  isUnprotected,
  type Options,
  parseExtension,
  withAnswer,
  withHandedOn,
} from "./extension-arguments.js";

const TOKEN = "123456789:AAF-secret_part_of_the_token";

function parse(words: string, options: Options = {}, env: Record<string, string> = {}): unknown {
  return parseExtension(withHandedOn({ words: words.split(" ").filter(Boolean), options }, env));
}

function refusal(words: string, options: Options = {}, env: Record<string, string> = {}): string {
  try {
    parse(words, options, env);
  } catch (error) {
    const { message, hint } = error as { message: string; hint?: string };
    return `${message} ${hint ?? ""}`;
  }
  return expect.fail(`${words} was taken`);
}

const TELEGRAM = { act: "enable", channel: "telegram", settings: { token: TOKEN, username: "mia" } };
const NPM = { npm_lifecycle_event: "cli" };

describe("what is typed behind extension", () => {
  it.each<[string, string, Options, Record<string, string>]>([
    ["flags", "enable telegram", { token: TOKEN, username: "mia" }, {}],
    ["words", `enable telegram ${TOKEN} @mia`, {}, {}],
    ["words in the other order", `enable telegram mia ${TOKEN}`, {}, {}],
    ["a word and a flag", "enable telegram mia", { token: TOKEN }, {}],
    [
      "what npm makes of flags with =",
      "enable telegram",
      {},
      { ...NPM, npm_config_token: TOKEN, npm_config_username: "mia" },
    ],
    [
      "what npm 10 makes of flags",
      `enable telegram ${TOKEN} mia`,
      {},
      { ...NPM, npm_config_token: "true", npm_config_username: "true" },
    ],
    [
      "what npm 11 makes of flags, which completes one of them",
      "enable telegram mia",
      {},
      { ...NPM, npm_config_token_description: TOKEN, npm_config_username: "true" },
    ],
    ["words, beside a setting of npm", `enable telegram ${TOKEN} mia`, {}, { ...NPM, npm_config_username: "npm_user" }],
    [
      "flags, beside a setting of npm",
      "enable telegram",
      { token: TOKEN, username: "mia" },
      { ...NPM, npm_config_username: "npm_user" },
    ],
    [
      "what babysitter hands on",
      "",
      {},
      { [HANDED_ON]: JSON.stringify({ words: ["enable", "telegram", TOKEN], options: { username: "mia" } }) },
    ],
  ])("B4: enables Telegram by %s", (_, words, options, env) => {
    expect(parse(words, options, env)).toEqual(TELEGRAM);
  });

  it("B4: npm's variables count only below npm", () => {
    expect(parse("enable telegram", {}, { npm_config_token: TOKEN })).toEqual({ ...TELEGRAM, settings: {} });
  });

  it.each<[string, Options, object]>([
    ["enable ntfy", {}, { channel: "ntfy", settings: {} }],
    [
      "enable ntfy my-topic",
      { server: "https://ntfy.example.org/" },
      { settings: { server: "https://ntfy.example.org", topic: "my-topic" } },
    ],
    [
      "enable slack https://hooks.slack.com/services/T/B/x",
      {},
      { settings: { url: "https://hooks.slack.com/services/T/B/x" } },
    ],
    [
      "enable webhook",
      { url: "http://localhost:8080", secret: "s" },
      { settings: { url: "http://localhost:8080/", secret: "s" } },
    ],
    ["enable telegram", { "api-root": "http://localhost:8081/" }, { settings: { apiRoot: "http://localhost:8081" } }],
    ["enable ntfy", { fields: "risk, title", topics: "report" }, { fields: ["title", "risk"], topics: ["report"] }],
    ["enable ntfy", { fields: "none", files: true }, { fields: [], files: true }],
    ["enable ntfy", { "no-files": true }, { files: false }],
    ["list", {}, { act: "list" }],
    ["", {}, { act: "list" }],
    ["disable discord", {}, { act: "disable", channel: "discord" }],
    ["link telegram", {}, { act: "link", channel: "telegram" }],
  ])("B4: takes %s %j", (words, options, expected) => {
    expect(parse(words, options)).toMatchObject(expected);
  });

  it.each<[string, Options, RegExp]>([
    ["enabel telegram", {}, /no "extension enabel".*Did you mean enable\?/u],
    ["enable telegrm", {}, /Did you mean telegram\?/u],
    ["enable carrier-pigeon", {}, /There are telegram, ntfy/u],
    ["enable", {}, /Which channel\?/u],
    ["disable", {}, /Which channel\?/u],
    ["list telegram", {}, /leave "telegram" out/u],
    ["disable telegram now", {}, /nothing else/u],
    [`enable telegram ${TOKEN} mia more`, {}, /Unexpected argument at the end/u],
    ["enable telegram <bot-token>", {}, /not the token of a bot/u],
    ["enable telegram", { token: "" }, /--token is empty/u],
    ["enable telegram", { token: TOKEN, username: "no name" }, /"no name" is not a Telegram username/u],
    ["enable telegram", { url: "https://example.org" }, /telegram takes no --url.*--token/u],
    ["enable slack", { secret: "s" }, /slack takes no --secret/u],
    ["enable slack", { url: "hooks.slack.com/secret" }, /--url is not an address/u],
    ["enable slack", { url: "ftp://hooks.slack.com/" }, /--url is not an address/u],
    ["enable webhook", { url: "https://me:pw@example.org/" }, /a name or a password/u],
    ["enable ntfy", { topic: "with spaces" }, /A topic of ntfy/u],
    ["enable ntfy", { token: "two words" }, /--token has characters/u],
    ["enable ntfy", { fields: "tittle" }, /does not know "tittle".*Did you mean title\?/u],
    ["enable ntfy", { topics: "everything" }, /questions, trouble, report/u],
    ["enable ntfy", { files: true, "no-files": true }, /contradict/u],
  ])("B4: says what is wrong with %s %j", (words, options, expected) => {
    expect(refusal(words, options)).toMatch(expected);
  });

  it("B4: quotes no secret in what it says", () => {
    for (const secret of ["123456789:AAF secret", "not-a-token-but-secret"]) {
      expect(refusal("enable telegram", { token: secret })).not.toContain("secret");
      expect(refusal("enable ntfy", { topic: `${secret} `.repeat(3) })).not.toContain("secret");
      expect(refusal("enable slack", { url: secret })).not.toContain("secret");
    }
  });

  it("B4: knows what the terminal is to be asked for", () => {
    const flags = { words: ["enable", "telegram"], options: { token: "-", username: "mia" } };
    expect(askedFor(flags)).toBe("token");
    expect(parseExtension(withAnswer(flags, "token", TOKEN))).toEqual(TELEGRAM);
    const words = { words: ["enable", "slack", "-"], options: {} };
    expect(askedFor(words)).toBe("url");
    expect(parseExtension(withAnswer(words, "url", "https://example.org/x"))).toMatchObject({
      settings: { url: "https://example.org/x" },
    });
    expect(askedFor({ words: ["disable", "telegram", "-"], options: {} })).toBe(undefined);
    expect(() => askedFor({ words: ["enable", "webhook"], options: { url: "-", secret: "-" } })).toThrow("Only one");
  });

  it.each([
    ["http://example.org", true],
    ["http://192.168.0.2:80", true],
    ["https://example.org", false],
    ["http://127.0.0.1:1", false],
    ["http://localhost", false],
    ["http://[::1]:8", false],
    ["http://127.0.0.1.example.org", true],
  ])("tells whether others can read on the way to %s", (address, expected) => {
    expect(isUnprotected(address)).toBe(expected);
  });
});
