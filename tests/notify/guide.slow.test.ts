/** The guide to notifications, walked: its commands as they stand on the page, typed by a person with an empty home. */
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { type AtTerminal, atTerminal } from "../fixtures/at-terminal.js";
import { PROGRAM } from "../fixtures/breakpoints/person-inbox.js";
import { CLI } from "../fixtures/command-line.js";
import { FakeNtfy } from "../fixtures/notify/fake-ntfy.js";
import { FakeTelegram } from "../fixtures/notify/fake-telegram.js";
import { FakeWebhook } from "../fixtures/notify/fake-webhook.js";
import { NotifyScene } from "../fixtures/notify/notify-scene.js";

const PAGE = fileURLToPath(new URL("../../docs/guide/notifications.md", import.meta.url));

/** The lines of the shell blocks, by heading. */
function commandsOf(page: string): Map<string, string[]> {
  const sections = page.split(/^## /mu).slice(1);
  return new Map(
    sections.map((section) => {
      const blocks = [...section.matchAll(/^ *```sh\n([\s\S]*?)^ *```/gmu)];
      const lines = blocks.flatMap(([, text = ""]) => text.split("\n").map((line) => line.trim()));
      return [section.split("\n", 1)[0] ?? "", lines.filter((line) => line !== "")] as const;
    }),
  );
}

const COMMANDS = commandsOf(fs.readFileSync(PAGE, "utf8"));
const walked = new Set<string>();

class Walk {
  readonly scene = new NotifyScene();
  readonly #programs: string;

  constructor() {
    this.#programs = path.join(this.scene.project.root, "programs");
    fs.mkdirSync(this.#programs);
    for (const [name, program] of Object.entries({ babysitter: CLI, "babysitter-breakpoints": PROGRAM }))
      fs.writeFileSync(path.join(this.#programs, name), `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`, {
        mode: 0o755,
      });
  }

  /** `more`: what leads to a service on loopback, in the place of the real one. */
  type(
    line: string,
    { more = "", answers = [] }: { more?: string; answers?: [RegExp, string][] } = {},
  ): Promise<AtTerminal> {
    const { dir, home } = this.scene.project;
    const env = { ...this.scene.env, PATH: `${this.#programs}:${process.env["PATH"] ?? ""}` };
    return atTerminal(["/bin/sh", "-c", `exec ${line}${more}`], { cwd: dir, home, env, answers });
  }
}

/** The five steps of a channel, of which the third may be taken on a phone. */
function stepsOf(heading: string): string[] {
  walked.add(heading);
  return COMMANDS.get(heading) ?? [];
}

describe("the guide to notifications", () => {
  it("B4 B9: leads to a Telegram chat that is bound, and a tap that is known", async (test) => {
    const walk = new Walk();
    const telegram = await FakeTelegram.start(test);
    const [enable = "", start = "", try_ = "", ...rest] = stepsOf("Telegram");
    expect(rest).toEqual([]);
    const enabled = await walk.type(enable, {
      more: ` --api-root ${telegram.apiRoot}`,
      answers: [[/token of telegram.*: /u, `${telegram.token}\r`]],
    });
    expect(enabled.code).toBe(0);
    telegram.phone.start(/\?start=([\w-]+)/u.exec(enabled.shown)?.[1] ?? "");
    expect(await walk.type(start)).toMatchObject({ code: 0 });
    const tried = walk.type(try_);
    telegram.phone.tap(await telegram.phone.message(/A test/u), "Got it");
    expect(await tried).toMatchObject({ code: 0, shown: expect.stringContaining("All channels work.") as string });
  });

  it("B4 B9: leads to a topic of ntfy, and a tap that is known", async () => {
    const walk = new Walk();
    const ntfy = await FakeNtfy.start();
    const [enable = "", start = "", try_ = "", ...rest] = stepsOf("ntfy");
    expect(rest).toEqual([]);
    const enabled = await walk.type(enable, { more: ` --server ${ntfy.url}` });
    expect(enabled.code).toBe(0);
    const phone = ntfy.phone(/babysitter-[0-9a-f]{32}/u.exec(enabled.shown)?.[0] ?? "");
    expect(await walk.type(start)).toMatchObject({ code: 0 });
    const tried = walk.type(try_);
    const [message] = await phone.shows(1);
    if (message !== undefined) await phone.tap(message, "Got it");
    expect(await tried).toMatchObject({ code: 0, shown: expect.stringContaining("All channels work.") as string });
  });

  it.each([
    ["Slack", "slack"],
    ["Discord", "discord"],
    ["A webhook of your own", "webhook"],
  ] as const)("B4 B9: leads to a message by %s", async (heading, kind) => {
    const walk = new Walk();
    const hook = await FakeWebhook.start(kind);
    const [enable = "", change = "", start = "", try_ = "", ...rest] = stepsOf(heading);
    expect(rest).toEqual([]);
    const enabled = await walk.type(enable, { answers: [[/address of .*: /u, `${hook.url}\r`]] });
    expect(enabled).toMatchObject({ code: 0, shown: expect.stringContaining("is enabled.") as string });
    expect(enabled.shown).not.toContain(hook.url);
    const answers: [RegExp, string][] = kind === "webhook" ? [[/secret of .*: /u, "s3cret\r"]] : [];
    expect(await walk.type(change, { answers })).toMatchObject({ code: 0 });
    expect(await walk.type(start)).toMatchObject({ code: 0 });
    const tried = await walk.type(try_);
    expect(tried).toMatchObject({ code: 0, shown: expect.stringContaining("All channels work.") as string });
    const [message] = await hook.shows(1);
    const signature = message?.request.headers["babysitter-signature"] ?? "";
    expect(signature).toMatch(kind === "webhook" ? /^sha256=[0-9a-f]{64}$/u : /^$/u);
  });

  it("B3 B4: has commands to look, change, send and forget that do what it says", async (test) => {
    const walk = new Walk();
    const [telegram, slack] = [await FakeTelegram.start(test), await FakeWebhook.start("slack")];
    walk.scene.enable("telegram", telegram.settings());
    walk.scene.enable("slack", { url: slack.url });
    const lines = [...COMMANDS].filter(([heading]) => !walked.has(heading)).flatMap(([, all]) => all);
    const expected: Record<string, { codes: number[]; shows: RegExp; answers?: [RegExp, string][] }> = {
      "babysitter report": { codes: [0], shows: /\S/u },
      "babysitter-breakpoints worker": { codes: [0], shows: /Ctrl-C/u, answers: [[/Ctrl-C/u, "\u0003"]] },
      "babysitter extension list": { codes: [0], shows: /slack: 127\.0\.0\.1/u },
      "babysitter extension enable telegram --fields title,question,risk --topics questions,trouble": {
        codes: [0],
        shows: /with title, question and risk/u,
      },
      "babysitter extension disable telegram": { codes: [0], shows: /Forgotten: the token/u },
      "babysitter doctor": { codes: [0, 1], shows: /notifications: nothing is sent by Slack/u },
      "babysitter notify:test --timeout 30s": { codes: [0], shows: /All channels work\./u },
    };
    expect([...new Set(lines)].toSorted()).toEqual(Object.keys(expected).toSorted());
    for (const line of lines) {
      const { codes = [], shows, answers = [] } = expected[line] ?? {};
      const { code, shown } = await walk.type(line, { answers });
      expect([line, code, shown]).toEqual([line, expect.toBeOneOf(codes), expect.stringMatching(shows ?? /^$/u)]);
    }
  });
});
