/** What a person is told of their notifications: on the page of a question, in the settings, and above every screen. */
import fs from "node:fs";
import path from "node:path";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { program } from "../fixtures/browser/channels.js";
import { newPerson, startChrome } from "../fixtures/browser/chrome.js";
import { HOSTILE_MARKUP } from "../fixtures/browser/hostile-markup.js";
import { axeFindings, focusProblem, sideways, smallTargets } from "../fixtures/browser/looks.js";
import { type Fate, NO_WORKER, Notified } from "../fixtures/browser/notified.js";
import { settled } from "../fixtures/browser/settled.js";
import { foreignMarkup, notedIn, watch } from "../fixtures/browser/watched-page.js";
import { type Asked, WebInbox } from "../fixtures/browser/web-inbox.js";

const LAPTOP = { width: 1280, height: 800 };
const PHONE = { width: 390, height: 844 };

let browser: Browser;
let inbox: WebInbox;
let notified: Notified;
let person: BrowserContext;
let page: Page;
let withoutWorker: (doing: () => Promise<void>) => Promise<void>;
let seen: Awaited<ReturnType<typeof watch>>;

beforeAll(async () => {
  [browser, inbox] = await Promise.all([startChrome(), WebInbox.start({}, "project", NO_WORKER)]);
  notified = new Notified(inbox.project);
  let claim = await notified.takeWorker();
  inbox.endsWith(() => claim.release());
  withoutWorker = async (doing) => {
    await claim.release();
    try {
      await doing();
    } finally {
      claim = await notified.takeWorker();
    }
  };
  person = await newPerson(browser, { viewport: LAPTOP });
  await person.grantPermissions(["clipboard-read", "clipboard-write"]);
  seen = await watch(person);
  page = await inbox.signIn(person);
});
afterAll(async () => {
  await Promise.all([browser.close(), inbox.end()]);
});

/** In both widths, and both themes: it fits, fingers hit it, and machines can read it out. */
async function expectFit(): Promise<void> {
  const problems: string[] = [];
  for (const [viewport, colorScheme] of [
    [PHONE, "dark"],
    [LAPTOP, "light"],
  ] as const) {
    await page.setViewportSize(viewport);
    await page.emulateMedia({ colorScheme });
    await settled(page);
    const found = [...(await sideways(page)), ...(await axeFindings(page))];
    if (viewport === PHONE) found.push(...(await smallTargets(page)));
    problems.push(...found.map((one) => `${viewport.width} ${colorScheme}: ${one}`));
  }
  expect(problems).toEqual([]);
}

async function show(asked: Asked): Promise<void> {
  await page.goto(`${inbox.origin}/questions/${asked.id}`);
  await page.locator("h1#question").waitFor();
  await settled(page);
}

async function askDecided(question: string): Promise<Asked> {
  const asked = await inbox.ask({ question });
  await program(inbox).decide(asked, { kind: "approve" });
  return asked;
}

const receipts = () => page.getByRole("list", { name: "Notifications" }).getByRole("listitem");
const banner = () => page.locator(".banner");

/** What is said, and in which colour. */
async function receiptLines(): Promise<string[]> {
  await receipts().first().waitFor();
  return receipts().evaluateAll((lines) =>
    lines.map((line) => `${line.getAttribute("data-tone")}: ${(line as HTMLElement).innerText.trim()}`),
  );
}

const NOW_LINE = /\d\d:\d\d|(?:just now|\d+ min ago)/gu;
const withoutTimes = (line: string): string => line.replace(NOW_LINE, "TIME");

describe("receipts on the page of a question", () => {
  it("B9: nothing is said where nothing is sent", async () => {
    await show(await inbox.ask({ question: "Told to nobody?" }));
    expect(await receipts().count()).toBe(0);
    expect(await banner().count()).toBe(0);
  });

  const DECIDED: [string, Fate, string][][] = [
    [
      ["telegram", "accepted", "quiet: Sent by Telegram TIME"],
      ["ntfy", "unknown", "needs: ntfy: unknown whether it arrived: it hung up"],
      ["slack", "accepted", "quiet: Slack has accepted it TIME; it cannot tell whether you saw it"],
      ["discord", "given up", "bad: Discord failed: it hung up; given up"],
      ["webhook", "dropped", "quiet: Not sent by webhook: it was decided before"],
    ],
    [
      ["telegram", "unknown twice", "needs: Telegram: unknown whether it arrived: it hung up; sent again once"],
      ["ntfy", "tapped", "quiet: Sent by ntfy TIME · tapped TIME"],
      ["slack", "sending", "quiet: Being sent by Slack"],
      ["discord", "failed", "needs: Discord failed: it hung up; next try at TIME"],
      ["webhook", "accepted", "quiet: The webhook has accepted it TIME; it cannot tell whether you saw it"],
    ],
  ];

  it.each(DECIDED.map((lines, n) => [n, lines] as const))(
    "B9: what came of a notification is said in words, of a decided question: %i",
    async (_, lines) => {
      const asked = await askDecided("Was it sent?");
      for (const [channel, fate] of lines) notified.tell(`question:${asked.id}`, channel, fate, "it hung up");
      await show(asked);
      expect((await receiptLines()).map(withoutTimes)).toEqual(lines.map(([, , words]) => words));
      await expectFit();
      await page.setViewportSize(PHONE);
      expect((await receiptLines()).map(withoutTimes)).toEqual(lines.map(([, , words]) => words));
    },
  );

  it("B9: opening a question acknowledges what was sent of it, and says what is not known of that", async () => {
    const asked = await inbox.ask({ question: "Opened here?" });
    const subject = `question:${asked.id}`;
    notified.tell(subject, "telegram", "answered");
    notified.tell(subject, "slack", "accepted");
    notified.tell(subject, "discord", "unknown");
    notified.tell(subject, "ntfy", "held");
    notified.tell(subject, "webhook", "queued");
    await show(asked);
    expect((await receiptLines()).map(withoutTimes)).toEqual([
      "quiet: Sent by Telegram TIME · answered TIME",
      "quiet: Sent by Slack TIME · opened here TIME",
      "quiet: Discord: unknown whether it arrived · opened here TIME",
      "quiet: Waiting to be sent by ntfy at TIME",
      "quiet: Waiting to be sent by webhook at TIME",
    ]);
    await expectFit();
  });

  it("B9: what comes of it meanwhile is shown without a reload, and nothing else changes", async () => {
    const asked = await inbox.ask({ question: "Followed?" });
    const subject = `question:${asked.id}`;
    notified.tell(subject, "telegram", "queued");
    await show(asked);
    const other = await inbox.ask({ question: "Another?" });
    notified.tell(`question:${other.id}`, "telegram", "accepted");
    await page.getByRole("button", { name: "Answer in words" }).click();
    await page.getByLabel("Your answer").fill("Not yet");
    await page.evaluate(() => Object.assign(window, { here: true }));
    notified.note(0, {
      type: "SENDING",
      message: "live",
      channel: "telegram",
      kind: "questions",
      subjects: [subject],
      attempt: 1,
      repeat: false,
    });
    await receipts().getByText("Being sent by Telegram").waitFor();
    notified.note(0, { type: "FAILED", message: "live", reason: "status 429", mayHaveArrived: false });
    await receipts().getByText("Telegram failed: status 429; given up").waitFor();
    notified.note(0, { type: "ACCEPTED", message: "live" });
    await receipts().getByText("Sent by Telegram just now · opened here").waitFor();
    expect(await receipts().count()).toBe(1);
    expect(await page.evaluate(() => "here" in window)).toBe(true);
    expect(await page.getByLabel("Your answer").inputValue()).toBe("Not yet");
    expect(await page.getByLabel("Your answer").evaluate((field) => field === document.activeElement)).toBe(true);
    expect(await page.getByRole("button", { name: "Show", exact: true }).count()).toBe(0);
  });

  it("B8: what services say is text: nothing in it runs, is loaded, or is hidden", async () => {
    const asked = await askDecided("Hostile services?");
    const said = [...Object.values(HOSTILE_MARKUP), "x".repeat(300), "\u202egnp.exe \u001b[2J \u200b hidden"];
    for (const [n, text] of said.entries()) notified.tell(`question:${asked.id}`, `c${n}`, "given up", text);
    await show(asked);
    await expectFit();
    expect(await receipts().count()).toBe(said.length);
    expect(await notedIn(page)).toEqual([]);
    expect(await foreignMarkup(page, ".receipts bdi")).toEqual([]);
    expect(seen.events).toEqual([]);
    expect(seen.addresses.filter((address) => !address.startsWith(inbox.origin))).toEqual([]);
    const last = await receipts().last().innerText();
    expect(last).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  });
});

describe("the settings", () => {
  const section = () => page.getByRole("region", { name: "Notifications" });
  const channel = (name: string) =>
    section()
      .getByRole("listitem")
      .filter({ has: page.getByText(name, { exact: true }) });

  async function openSettings(): Promise<void> {
    await page.goto(`${inbox.origin}/settings`);
    await section().waitFor();
    await settled(page);
  }

  const SECRETS = ["123:secret-token", "secret-topic", "secret-ack-topic", "T0/B0/secret-path"];

  function enableAll(): void {
    notified.enable("telegram", { token: "123:secret-token", username: "mia_bot", apiRoot: "http://127.0.0.1:9" });
    notified.enable("ntfy", { server: "http://127.0.0.1:9", topic: "secret-topic", ackTopic: "secret-ack-topic" });
    notified.enable(
      "slack",
      { url: "http://127.0.0.1:9/services/T0/B0/secret-path" },
      { fields: ["title", "question"], files: true, topics: ["report"] },
    );
  }

  it("B9: with no channel there is one sentence, and the command to type, which is copied by the keyboard", async () => {
    await openSettings();
    await section().getByText("You are not notified of questions").waitFor();
    await section().getByText("babysitter extension enable telegram --token -").waitFor();
    expect(await section().getByRole("listitem").count()).toBe(0);
    await expectFit();
    const copy = section().getByRole("button", { name: "Copy" });
    await copy.focus();
    expect(await focusProblem(page)).toBeUndefined();
    await page.keyboard.press("Enter");
    await page.locator(".notice").filter({ hasText: "Copied" }).waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
      "babysitter extension enable telegram --token -",
    );
  });

  it("B9: each channel says where it sends, what it sends, what it can prove, and how to disable it", async () => {
    enableAll();
    notified.settle({
      inbox: { publicUrl: "https://inbox.example.org" },
      notify: { quietHours: "22:00-07:00", remindMinutes: 120, remindBy: ["telegram"], reportAt: "off" },
    });
    await openSettings();
    const telegram = channel("Telegram");
    await telegram.getByText("Not connected yet").waitFor();
    await telegram.getByText("babysitter extension link telegram").waitFor();
    notified.bind("Mia");
    await page.reload();
    await telegram.getByText("A button or a reply in the chat").waitFor();
    expect(await telegram.getByText("Not connected yet").count()).toBe(0);
    await telegram.getByText("Questions, trouble with runs and the morning report").waitFor();
    await telegram.getByText("Title, run, project and link; no files").waitFor();
    await telegram.getByText("babysitter extension disable telegram").waitFor();
    const slack = channel("Slack");
    await slack.getByText("None: nothing comes back from a Slack webhook").waitFor();
    await slack.getByText("Title and the question itself; files when you ask for them there").waitFor();
    await slack.getByText("The morning report", { exact: true }).waitFor();
    for (const text of ["22:00–07:00", "Every 2 hours", "by Telegram", "https://inbox.example.org"])
      await section().getByText(text).first().waitFor();
    await expectFit();
    // What leads messages elsewhere is no business of a browser.
    expect(await section().getByRole("button").allInnerTexts()).toEqual(["", "", ""]);
    const { status, text } = await inbox.request({
      path: "/api/channels",
      headers: { Authorization: `Bearer ${inbox.token()}` },
    });
    expect(status).toBe(200);
    for (const secret of SECRETS) expect(text).not.toContain(secret);
    const before = notified.channelsText();
    for (const method of ["POST", "PUT", "PATCH", "DELETE"])
      for (const target of ["/api/channels", "/api/channels/telegram"]) {
        const headers = { Authorization: `Bearer ${inbox.token()}`, "Content-Type": "application/json" };
        const reply = await inbox.request({ method, path: target, body: "{}", headers });
        expect([method, target, reply.status >= 400]).toEqual([method, target, true]);
      }
    expect(notified.channelsText()).toBe(before);
  });

  it("B9: a channel that does not work says so here and above every screen, until it works again", async () => {
    const asked = await inbox.ask({ question: "Never sent?" });
    await page.goto(inbox.origin);
    await settled(page);
    notified.tell(`question:${asked.id}`, "slack", "queued");
    notified.broken("slack", "status 404 <img src=x onerror=ran('banner')>");
    await banner().getByText("Slack is not working:").waitFor();
    await banner().getByText("status 404 <img").waitFor();
    await banner().getByText("1 notification is waiting.").waitFor();
    await expectFit();
    await show(asked);
    await banner().getByText("Slack is not working:").waitFor();
    await banner().getByRole("link", { name: "Settings" }).focus();
    expect(await focusProblem(page)).toBeUndefined();
    await page.keyboard.press("Enter");
    await page.waitForURL("**/settings");
    await channel("Slack").getByText("Not working", { exact: true }).waitFor();
    await channel("Slack").getByText("status 404 <img").waitFor();
    await channel("Slack").getByText("1 notification is waiting.").waitFor();
    expect(await banner().count()).toBe(0);
    await expectFit();
    notified.works("slack");
    await channel("Slack").getByText("Not working", { exact: true }).waitFor({ state: "detached" });
    await page.goto(inbox.origin);
    await settled(page);
    expect(await banner().count()).toBe(0);
    expect(await notedIn(page)).toEqual([]);
  });

  it("B9: that nobody sends is said here and above every screen, until somebody does", async () => {
    await page.goto(inbox.origin);
    await settled(page);
    expect(await banner().count()).toBe(0);
    await withoutWorker(async () => {
      await banner().getByText("Your notifications are not being sent.").waitFor();
      await banner()
        .getByText(/\d notifications? (?:is|are) waiting\./u)
        .waitFor();
      await expectFit();
      await openSettings();
      await section().getByText("Notifications are not being sent.").waitFor();
      await section().getByText("babysitter-breakpoints worker").waitFor();
      await section().getByText("Nobody right now", { exact: true }).waitFor();
      await expectFit();
    });
    await section().getByText("Notifications are not being sent.").waitFor({ state: "detached" });
    await section().getByText("A separate worker").waitFor();
  });

  it("B9: what was given up is named, and said above every screen while it matters", async () => {
    const asked = await inbox.ask({ title: "Release 2.4.0", question: "Given up?" });
    notified.tell(`question:${asked.id}`, "ntfy", "given up", "status 403");
    notified.tell("report:2026-01-01", "ntfy", "given up", "status 403");
    await page.goto(inbox.origin);
    await banner().getByText("2 notifications were given up.").waitFor();
    await banner().getByRole("link", { name: "Settings" }).click();
    await channel("ntfy").getByText("2 notifications were given up").click();
    await channel("ntfy").getByText("The report for 2026-01-01").waitFor();
    await expectFit();
    await channel("ntfy").getByRole("link", { name: "Release 2.4.0" }).click();
    await page.waitForURL(`**/questions/${asked.id}`);
    await program(inbox).decide(asked, { kind: "approve" });
    await banner().getByText("1 notification was given up.").waitFor();
    notified.note(0, { type: "CHANNEL_FORGOTTEN", channel: "ntfy" });
    await banner().waitFor({ state: "detached" });
  });

  it("B9: files that cannot be used are named here and above every screen, and questions can still be decided", async () => {
    const asked = await inbox.ask({ question: "Still decidable?" });
    notified.spoilChannels("no JSON");
    await page.goto(inbox.origin);
    await banner().getByText("Notifications are not working:").waitFor();
    await banner().getByText("channels.json").waitFor();
    await expectFit();
    await openSettings();
    await section().getByText("Cannot use").waitFor();
    await section().getByText("Move it out of the way").waitFor();
    await expectFit();
    const outbox = path.join(inbox.folder, "outbox.jsonl");
    fs.renameSync(outbox, `${outbox}.aside`);
    fs.mkdirSync(outbox);
    await show(asked);
    expect(await receipts().count()).toBe(0);
    await page.getByRole("button", { name: /^Approve/u }).click();
    await page.locator(".notice").filter({ hasText: "Approved" }).waitFor();
    expect(await asked.told()).toMatchObject({ approved: true });
  });
});
