/** The ways to enable a channel: by npm, at a terminal, again, with services that fail. */
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { describe, it } from "vitest";
import { atTerminal } from "../fixtures/at-terminal.js";
import { CLI, typed } from "../fixtures/command-line.js";
import { extensionScene, PERSON, START_LINK } from "../fixtures/notify/extension-scene.js";
import { until } from "../fixtures/processes.js";

const PACKAGE = fileURLToPath(new URL("../../packages/breakpoints", import.meta.url));

describe("enabling Telegram", () => {
  it("B4: as the seeds have it, through npm, which takes the flags for its own", async (test) => {
    const { expect } = test;
    const { project, telegram, enable, channels } = await extensionScene(test);
    const where = { cwd: PACKAGE, home: project.home };
    const [, , ...flags] = enable.slice(0, -2);
    const all = ["npm", "run", "cli", "extension", "enable", "telegram"];
    // npm tells of this flag by a variable, too; here it keeps the real service from being asked.
    const env = { https_proxy: "", npm_config_api_root: telegram.apiRoot, npm_config_update_notifier: "false" };
    for (const words of [flags, [telegram.token, "mia"], ["--", ...flags]]) {
      const { code, stdout } = await typed([...all, ...words], { ...where, env });
      expect({ words, code, stdout }).toEqual({ words, code: 0, stdout: expect.stringMatching(START_LINK) as string });
      expect(channels.all().telegram?.settings).toMatchObject({ token: telegram.token, username: "mia" });
      await project.run(["extension", "disable", "telegram"], PERSON);
    }
  });

  it("B4: with - asks for the token, which neither the screen nor a list of processes shows", async (test) => {
    const { expect } = test;
    const { project, telegram, channels } = await extensionScene(test);
    const seen: string[] = [];
    const look = setInterval(() => seen.push(argumentsOf(project.home)), 5);
    const { code, shown } = await atTerminal(
      [process.execPath, CLI, "extension", "enable", "telegram", "--token", "-", "--api-root", telegram.apiRoot],
      {
        cwd: project.dir,
        home: project.home,
        answers: [[/token of telegram.*:/u, `${telegram.token}x\u007f\r`]],
      },
    );
    clearInterval(look);
    expect({ code, shown }).toEqual({ code: 0, shown: expect.stringMatching(START_LINK) as string });
    expect(shown).not.toContain(telegram.token.slice(0, 12));
    expect(channels.all().telegram?.settings["token"]).toBe(telegram.token);
    expect(seen.join("\n")).toContain("babysitter-breakpoints.mjs");
    expect(seen.join("\n")).not.toContain(telegram.token);
  });

  it("B4: from the SDK's command the token is on no other program's list of arguments", async (test) => {
    const { expect } = test;
    const { project, telegram, enable } = await extensionScene(test);
    const seen = new Set<string>();
    const look = setInterval(() => seen.add(argumentsOf(project.home)), 5);
    const typedWords = ["extension", "enable", "telegram", telegram.token, "--api-root", telegram.apiRoot];
    expect((await project.run(typedWords, PERSON)).code).toBe(0);
    expect((await project.run(["extension", ...enable], PERSON)).code).toBe(0);
    clearInterval(look);
    const lines = [...seen]
      .join("\n")
      .split("\n")
      .filter((line) => line.includes("babysitter-breakpoints.mjs"));
    expect(lines.length).toBeGreaterThan(0);
    for (const line of lines) expect(line).not.toContain(telegram.token);
  });

  it("B4: left with Ctrl-C changes nothing", async (test) => {
    const { expect } = test;
    const { project, channels } = await extensionScene(test);
    const { code, shown } = await atTerminal(
      [process.execPath, CLI, "extension", "enable", "telegram", "--token", "-"],
      {
        cwd: project.dir,
        home: project.home,
        answers: [[/token of telegram.*:/u, "123\u0003"]],
      },
    );
    expect({ code, shown }).toEqual({ code: 130, shown: expect.stringContaining("Nothing was changed.") as string });
    expect(channels.all()).toEqual({});
  });

  it("B4: a token that Telegram refuses is not kept; one that cannot be checked is, and said to be", async (test) => {
    const { expect } = test;
    const { project, telegram, enable, channels } = await extensionScene(test);
    telegram.fail("getMe", { kind: "error", code: 401, description: "Unauthorized" });
    const refused = await project.refuse(["extension", ...enable], PERSON);
    expect(refused).toMatchObject({
      exit: 7,
      code: "CHANNEL_REFUSED",
      message: expect.not.stringContaining(telegram.token) as string,
    });
    expect(channels.all()).toEqual({});
    for (const fault of [{ kind: "error", code: 502 }, { kind: "garbage" }, { kind: "cut" }] as const) {
      telegram.fail("getMe", fault);
      const { code, stdout } = await project.run(["extension", ...enable], PERSON);
      expect({ code, stdout }).toEqual({
        code: 0,
        stdout: expect.stringContaining("Could not ask Telegram") as string,
      });
      expect(stdout).toContain("babysitter extension link telegram");
      expect(stdout).not.toMatch(START_LINK);
    }
    const { stdout } = await project.run(["extension", "link", "telegram"], PERSON);
    expect(stdout).toMatch(START_LINK);
    expect(channels.all().telegram?.settings["bot"]).toBe("sitter_bot");
  });

  it("B4: again keeps the bound chat for the same bot and person, and forgets it for another", async (test) => {
    const { expect } = test;
    const { project, telegram, enable, channels, chats, outbox } = await extensionScene(test);
    const bind = async (): Promise<void> => {
      const { stdout } = await project.run(["extension", ...enable], PERSON);
      const [, secret = ""] = START_LINK.exec(stdout) ?? [];
      expect(chats.bind(secret, { channel: "telegram", user: "42", chat: "42", name: "Mia" })).toBe(true);
      outbox.note({ type: "QUEUED", channel: "telegram", subject: "question:q", due: "2026-01-01T00:00:00Z" });
    };
    await bind();
    const before = channels.all().telegram;
    const again = await project.run(["extension", "enable", "telegram", "--files", "--fields", "title, risk"], PERSON);
    expect(again).toMatchObject({ code: 0, stdout: expect.stringContaining("Your chat stays bound: Mia.") as string });
    expect(again.stdout).not.toMatch(START_LINK);
    expect(channels.all().telegram).toEqual({ ...before, files: true, fields: ["title", "risk"] });
    // Telegram would not know these; what cannot be checked is taken.
    await telegram.goDown();
    const renewed = telegram.token.replace(/:.*/u, ":AAnother_secret-of-the-same-bot");
    await project.run(["extension", "enable", "telegram", renewed], PERSON);
    expect([chats.bound("telegram")?.name, outbox.receipts("question:q").length]).toEqual(["Mia", 1]);
    await project.run(["extension", "enable", "telegram", renewed, "someone_else"], PERSON);
    expect([chats.bound("telegram"), outbox.receipts("question:q")]).toEqual([undefined, []]);
    await telegram.comeBack();
    await bind();
    await telegram.goDown();
    await project.run(["extension", "enable", "telegram", `99${renewed}`], PERSON);
    expect([chats.bound("telegram"), outbox.receipts("question:q")]).toEqual([undefined, []]);
  });
});

describe("other channels", () => {
  it("B4: ntfy gets two topics that nobody can guess, and keeps them", async (test) => {
    const { expect } = test;
    const { project, channels } = await extensionScene(test);
    const first = await project.run(["extension", "enable", "ntfy"], PERSON);
    const { topic = "", replyTopic = "", server } = channels.all().ntfy?.settings ?? {};
    expect([server, topic, replyTopic]).toEqual([
      "https://ntfy.sh",
      expect.stringMatching(/^babysitter-[0-9a-f]{32}$/u),
      expect.stringMatching(/^babysitter-[0-9a-f]{32}$/u),
    ]);
    expect(topic).not.toBe(replyTopic);
    expect(first.stdout).toContain(`  ${topic}\n`);
    expect(first.stdout).not.toContain(replyTopic);
    await project.run(["extension", "enable", "ntfy", "--topics", "questions"], PERSON);
    expect(channels.all().ntfy).toMatchObject({ settings: { server, topic, replyTopic }, topics: ["questions"] });
    expect((await project.run(["extension", "link", "ntfy"], PERSON)).stdout).toContain(topic);
    expect((await project.run(["extension", "list"])).stdout).not.toContain(topic);
    await project.run(["extension", "enable", "ntfy", "--server", "http://ntfy.example.org/", "mine"], PERSON);
    expect(channels.all().ntfy?.settings).toMatchObject({ server: "http://ntfy.example.org", topic: "mine" });
    expect(channels.all().ntfy?.settings["replyTopic"]).not.toBe(replyTopic);
  });

  it("B4: Slack, Discord and webhooks take an address, and say what they cannot prove", async (test) => {
    const { expect } = test;
    const { project, channels } = await extensionScene(test);
    const url = "https://hooks.example.org/services/T0/B0/secret-part";
    for (const name of ["slack", "discord", "webhook"] as const) {
      const { code, stdout } = await project.run(["extension", "enable", name, "--url", url], PERSON);
      expect({ code, stdout }).toEqual({ code: 0, stdout: expect.not.stringContaining("secret-part") as string });
      expect(channels.all()[name]?.settings).toEqual({ url });
    }
    await project.run(["extension", "enable", "webhook", "--secret", "s3cret"], PERSON);
    expect(channels.all().webhook?.settings).toEqual({ url, secret: "s3cret" });
    const { stdout } = await project.run(["extension"]);
    expect(stdout).toContain("slack: hooks.example.org\n");
    expect(stdout).toContain("it cannot tell whether you have seen a message");
    expect(stdout).not.toMatch(/secret-part|s3cret/u);
  });
});

describe("refusals, and what is left of a crash", () => {
  it("B4: finishes what a crash has left of it", async (test) => {
    const { expect } = test;
    const { project, channels, chats, enable } = await extensionScene(test);
    const { stdout } = await project.run(["extension", ...enable], PERSON);
    chats.bind((START_LINK.exec(stdout) ?? [])[1] ?? "", { channel: "telegram", user: "42", chat: "42", name: "Mia" });
    channels.disable("telegram");
    const ended = await project.run(["extension", "disable", "telegram"], PERSON);
    expect(ended.stdout).toContain("the chat of Mia");
    expect(chats.bound("telegram")).toBe(undefined);
  });

  it("B4: a link that is asked for while the channel is disabled brings nothing back", async (test) => {
    const { expect } = test;
    const { project, telegram, enable, channels } = await extensionScene(test);
    await project.run(["extension", ...enable], PERSON);
    telegram.fail("getMe", { kind: "hang" });
    const before = telegram.calls.length;
    const linking = project.refuse(["extension", "link", "telegram"], PERSON);
    await until(() => telegram.calls.length > before);
    channels.disable("telegram");
    telegram.letGo();
    expect(await linking).toMatchObject({ exit: 2, code: "CHANNEL_NOT_ENABLED" });
    expect(channels.all()).toEqual({});
  });

  it("B4: is told how to install the program where it is not there", async (test) => {
    const { expect } = test;
    const { project } = await extensionScene(test);
    const config = path.join(project.home, ".config", "babysitter", "config.json");
    fs.mkdirSync(path.dirname(config), { recursive: true });
    fs.writeFileSync(config, JSON.stringify({ inbox: { program: "/nonexistent/program.mjs" } }));
    for (const args of [["extension", "list"], ["notify:test"]]) {
      const refused = await project.refuse(args);
      expect(refused).toMatchObject({
        exit: 2,
        code: "INBOX_MISSING",
        hint: expect.stringContaining("Install") as string,
      });
    }
  });

  it("B4: nobody but a person at a terminal enables, links or is asked for a token", async (test) => {
    const { expect } = test;
    const { project, channels, telegram } = await extensionScene(test);
    for (const act of [
      ["enable", "ntfy"],
      ["link", "telegram"],
      ["enable", "telegram", "-"],
    ])
      expect(await project.refuse(["extension", ...act])).toMatchObject({ exit: 7, code: "ONLY_FOR_PEOPLE" });
    expect([channels.all(), telegram.calls]).toEqual([{}, []]);
  });
});

/** The arguments of all programs that run with a home folder, one line for each. */
function argumentsOf(home: string): string {
  const read = (pid: string, name: string): string => {
    try {
      return fs.readFileSync(`/proc/${pid}/${name}`, "utf8");
    } catch {
      return "";
    }
  };
  return fs
    .readdirSync("/proc")
    .filter((name) => /^\d+$/u.test(name) && read(name, "environ").includes(`HOME=${home}`))
    .map((pid) => read(pid, "cmdline").split("\0").join(" "))
    .join("\n");
}
