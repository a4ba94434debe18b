/** Decisions by mouse in real browsers: what the run is told, and what other windows see of it. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { ANSWERS, LINES, QUESTION, REMARKS, SOURCES } from "../fixtures/browser/answers.js";
import { program, terminal } from "../fixtures/browser/channels.js";
import { newPerson, startChrome } from "../fixtures/browser/chrome.js";
import { sideways } from "../fixtures/browser/looks.js";
import { QuestionPage } from "../fixtures/browser/question-page.js";
import { type Asked, WebInbox } from "../fixtures/browser/web-inbox.js";
import { CLI, cleanEnvironment } from "../fixtures/command-line.js";

let browser: Browser;
let inbox: WebInbox;
let person: BrowserContext;
let page: Page;

beforeAll(async () => {
  [browser, inbox] = await Promise.all([startChrome(), WebInbox.start(SOURCES)]);
  await inbox.commitFiles();
  inbox.project.write({ "src/rates.js": LINES.after });
  person = await newPerson(browser);
  await (await inbox.signIn(person)).close();
});
afterAll(async () => {
  await Promise.all([browser.close(), inbox.end()]);
});
beforeEach(async () => {
  for (const other of person.pages()) await other.close();
  page = await person.newPage();
});

/** Without options, where approving and rejecting are buttons of their own. */
const { options: _, ...PLAIN } = QUESTION;

const decisionsOf = ({ runId }: Asked): number => inbox.project.events(runId, "EFFECT_RESOLVED").length;

describe("in a browser", () => {
  it.each(ANSWERS.filter(({ answer }) => answer.kind !== "words"))(
    "B2 B5: the run is told exactly: $name",
    async ({ answer, told }) => {
      const asked = await inbox.ask(answer.kind === "option" ? QUESTION : PLAIN);
      const shown = await QuestionPage.open(page, inbox, asked);
      await shown.decide(answer);
      expect(await asked.told()).toEqual({ comments: [], ...told });
    },
  );

  it("B2 B5: an answer in words is an approval with these words", async () => {
    const asked = await inbox.ask(PLAIN);
    const shown = await QuestionPage.open(page, inbox, asked);
    await shown.decide({ kind: "words", text: "With the rates of July." });
    expect(await asked.told()).toMatchObject({ approved: true, response: "With the rates of July." });
  });

  it('B2 B5: the words "no" become nothing by themselves: whoever wrote them says what they mean', async () => {
    for (const [choice, told] of [
      ["Reject", { approved: false, feedback: "no" }],
      ["Approve anyway", { approved: true, response: "no" }],
    ] as const) {
      const asked = await inbox.ask(PLAIN);
      const shown = await QuestionPage.open(page, inbox, asked);
      await shown.press({ kind: "words", text: "no" });
      await shown.bar.getByText("This sounds like a no.").waitFor();
      expect(await asked.isOpen()).toBe(true);
      await shown.button(choice).click();
      await shown.notice.waitFor();
      expect(await asked.told()).toMatchObject(told);
    }
  });

  it("B2 B5: where an answer says no, one can still reject with a reason of one's own", async () => {
    const asked = await inbox.ask(QUESTION);
    const shown = await QuestionPage.open(page, inbox, asked);
    await shown.button("Roll back").waitFor();
    await shown.decide({ kind: "reject", reason: "Neither of these." });
    const told = await asked.told();
    expect(told).toMatchObject({ approved: false, feedback: "Neither of these." });
    expect(told).not.toHaveProperty("option");
  });

  it("B2: a rejection without a reason is not sent, and what nobody can see is none", async () => {
    const asked = await inbox.ask(PLAIN);
    const shown = await QuestionPage.open(page, inbox, asked);
    await shown.press({ kind: "reject", reason: "  " });
    await shown.bar.getByText("Say why").waitFor();
    await shown.bar.getByLabel("Why are you rejecting it?").fill("\u200b\ufeff");
    await shown.button(/^Reject/u).click();
    await shown.bar.getByText("Say why").waitFor();
    expect(await asked.isOpen()).toBe(true);
  });

  it("B2 B5: comments on a line, on several, and on the other side reach the run with the lines quoted", async () => {
    const asked = await inbox.ask(PLAIN);
    const shown = await QuestionPage.open(page, inbox, asked);
    for (const { remark } of REMARKS) await shown.comment(remark);
    expect(await asked.isOpen()).toBe(true);
    await shown.decide({ kind: "reject", reason: "See the lines." });
    const told = await asked.told();
    expect(told).toMatchObject({ approved: false, feedback: "See the lines." });
    expect(told?.comments).toMatchObject(REMARKS.map((one) => one.told));
  });

  it("B2 B5: removed lines of the version that was approved last take no comments, and the page says so", async () => {
    const terms = { question: "Are these the terms?", context: { files: ["terms.md"] } };
    inbox.project.write({ "terms.md": "first\ntwo\n" });
    const asked = await inbox.ask(terms);
    await approvedBefore(page, "one\ntwo\n");
    const shown = await QuestionPage.open(page, inbox, asked);
    const file = shown.file("terms.md");
    await file.getByText("cannot be commented on").waitFor();
    expect(await shown.lineOf(file, 1, "base").count()).toBe(0);
    // The keyboard comes in by a line that does.
    await file.locator('.code-number[tabindex="0"]').press("Enter");
    await file.getByRole("textbox", { name: "Comment on line 1" }).fill("Why not one?");
    await file.getByRole("button", { name: "Comment", exact: true }).click();
    await file.getByText("Why not one?", { exact: true }).waitFor();
    await shown.decide({ kind: "reject", reason: "See the line." });
    expect((await asked.told())?.comments).toMatchObject([{ path: "terms.md", line: 1, quote: "first" }]);
  });

  it("B2 B5: a double click decides one question, and not the next one", async () => {
    const [first, second] = [await inbox.ask(PLAIN), await inbox.ask({ ...PLAIN, question: "And the next?" })];
    const shown = await QuestionPage.open(page, inbox, first);
    await shown.button(/^Approve/u).dblclick();
    await shown.notice.waitFor();
    await shown.heading.filter({ hasText: "And the next?" }).waitFor();
    expect([decisionsOf(first), decisionsOf(second)]).toEqual([1, 0]);
    expect(await first.told()).toMatchObject({ approved: true });
    await program(inbox).decide(second, { kind: "approve" });
  });

  it("B2 B5: a rejection that is sent twice counts once", async () => {
    const asked = await inbox.ask(PLAIN);
    const shown = await QuestionPage.open(page, inbox, asked);
    await shown.button(/^Reject/u).dblclick();
    await shown.bar.getByLabel("Why are you rejecting it?").fill("Twice no.");
    await shown.button(/^Reject/u).dblclick();
    await shown.notice.waitFor();
    expect(decisionsOf(asked)).toBe(1);
    expect(await asked.told()).toMatchObject({ approved: false, feedback: "Twice no." });
  });
});

describe("two at once", () => {
  it.each([
    { first: { kind: "approve" }, word: "Approved", told: { approved: true } },
    {
      first: { kind: "reject", reason: "Another reason" },
      word: "Rejected",
      told: { approved: false, feedback: "Another reason" },
    },
  ] as const)(
    "B2 B5: of two tabs with one draft each the first wins ($first.kind); the other keeps its draft and shows who won",
    async ({ first, word, told }) => {
      const asked = await inbox.ask(PLAIN);
      const other = await person.newPage();
      const [one, late] = [await QuestionPage.open(page, inbox, asked), await QuestionPage.open(other, inbox, asked)];
      // The second tab is not told how the question stands until it sends.
      await other.route(/\/api\/questions\/[^/]+$/u, (route) => route.abort());
      await late.button(/^Reject/u).click();
      await late.bar.getByLabel("Why are you rejecting it?").fill("My reason");
      await one.decide(first);
      await late.button(/^Reject/u).click();
      await late.bar.getByText(word).first().waitFor();
      await late.bar.getByText("My reason").waitFor();
      expect(await asked.told()).toMatchObject(told);
      expect(decisionsOf(asked)).toBe(1);
    },
  );

  it("B2 B5: contradictory presses at the same moment: one decision, one winner shown in both", async () => {
    const asked = await inbox.ask(PLAIN);
    const other = await (await signedInElsewhere()).newPage();
    const [yes, no] = [await QuestionPage.open(page, inbox, asked), await QuestionPage.open(other, inbox, asked)];
    await no.button(/^Reject/u).click();
    await no.bar.getByLabel("Why are you rejecting it?").fill("My reason");
    // Both requests wait until both are sent.
    const sent = [yes, no].map(({ page: tab }) => held(tab));
    const pressed = [yes.button(/^Approve/u).click(), no.button(/^Reject/u).click()];
    const release = await Promise.all(sent);
    await Promise.all(pressed);
    for (const go of release) void go();
    const winner = await Promise.race([yes.notice.waitFor().then(() => "yes"), no.notice.waitFor().then(() => "no")]);
    expect(decisionsOf(asked)).toBe(1);
    const won = winner === "yes" ? { approved: true } : { approved: false, feedback: "My reason" };
    expect(await asked.told()).toMatchObject(won);
    await (winner === "yes" ? no.bar.getByText("Approved") : yes.bar.getByText("Rejected")).first().waitFor();
    if (winner === "yes") await no.bar.getByText("My reason").waitFor();
    await other.context().close();
  });

  it("B2: decided in a terminal meanwhile: the page says so, keeps what was typed, and offers no buttons", async () => {
    const asked = await inbox.ask(PLAIN);
    const shown = await QuestionPage.open(page, inbox, asked);
    await shown.button(/^Reject/u).click();
    await shown.bar.getByLabel("Why are you rejecting it?").fill("A reason that nobody will hear");
    await terminal(inbox).decide(asked, { kind: "approve" });
    await shown.bar.getByText("Approved").first().waitFor();
    await shown.bar.getByText("in a terminal").waitFor();
    await shown.bar.getByText("A reason that nobody will hear").waitFor();
    expect(await shown.bar.getByRole("button", { name: /^(?:Approve|Reject)/u }).count()).toBe(0);
  });

  it("B2: other tabs follow, and their titles count", async () => {
    const others = await openQuestions();
    const asked = [await inbox.ask(PLAIN), await inbox.ask(PLAIN)] as const;
    const other = await person.newPage();
    await other.goto(`${inbox.origin}/`);
    await expectTitle(other, others + 2);
    const shown = await QuestionPage.open(page, inbox, asked[0]);
    await shown.decide({ kind: "approve" });
    await other.bringToFront();
    await expectTitle(other, others + 1);
    await program(inbox).decide(asked[1], { kind: "approve" });
    await expectTitle(other, others);
    await page.bringToFront();
    await expectTitle(page, others);
  });
});

describe("how the run of a decided question continues", () => {
  const LEFT = "Nothing is driving this run. To continue it, run in a terminal:";
  const WORKING = `export async function process(inputs, ctx) {
  const work = ctx.task({ kind: "shell", title: "work", shell: { command: "until [ -e done ]; do sleep 0.1; done" } });
  await Promise.all([ctx.breakpoint({ question: "While it works?" }), work]);
}
`;
  const decision = (on: Page) => on.getByRole("region", { name: "Decision" });

  it.each([
    { first: { kind: "approve" } },
    { first: { kind: "reject", reason: "Not yet." } },
    { first: { kind: "words", text: "With the rates of May." } },
  ] as const)(
    "B2 B5: after $first.kind the notice says that nobody drives the run, and leads to the command and its folder",
    async ({ first }) => {
      const asked = await inbox.ask(PLAIN);
      const shown = await QuestionPage.open(page, inbox, asked);
      await shown.decide(first);
      await shown.notice.getByText("Nobody drives its run.").waitFor();
      await shown.notice.getByRole("link", { name: "How to continue" }).click();
      const panel = decision(page);
      await panel.getByText(LEFT).waitFor();
      const command = panel.locator(".command", { hasText: `babysitter run ${asked.runId}` });
      await command.getByRole("button", { name: "Copy" }).waitFor();
      await panel.getByText(`In the project's folder, ${inbox.project.dir}`).waitFor();
      for (const width of [390, 320]) {
        await page.setViewportSize({ width, height: 844 });
        expect([width, await sideways(page)]).toEqual([width, []]);
      }
      // Somebody has continued it.
      await asked.told();
      await panel.getByText(LEFT).waitFor({ state: "detached" });
    },
  );

  it("B2 B5: the notice fits the narrowest phone", async () => {
    await page.setViewportSize({ width: 320, height: 640 });
    const asked = await inbox.ask({ ...PLAIN, question: "May all of the prices of the autumn be published now?" });
    const shown = await QuestionPage.open(page, inbox, asked);
    await shown.decide({ kind: "approve" });
    await shown.notice.getByText("Nobody drives its run.").waitFor();
    expect(await sideways(page)).toEqual([]);
    const box = await shown.notice.boundingBox();
    expect(box?.x).toBeGreaterThanOrEqual(0);
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(320);
    expect(await shown.notice.evaluate((notice) => notice.scrollWidth <= notice.clientWidth)).toBe(true);
    await asked.told();
  });

  it("B2 B5: while a driver is at work, nothing is said of it", async () => {
    const alone = await WebInbox.start({ "working.mjs": WORKING });
    const one = await newPerson(browser);
    const { dir: cwd, home } = alone.project;
    const args = [CLI, "run", "working.mjs", "--run-id", "at-work", "--no-hooks"];
    const driver = spawn(process.execPath, args, { cwd, env: cleanEnvironment(home), stdio: "ignore" });
    const ended = once(driver, "exit");
    try {
      const tab = await alone.signIn(one);
      await tab.getByRole("link", { name: "While it works?" }).first().click();
      await tab.waitForURL("**/questions/*");
      const id = new URL(tab.url()).pathname.split("/").at(-1) ?? "";
      const shown = await QuestionPage.open(tab, alone, alone.asked("at-work", id));
      await shown.decide({ kind: "approve" });
      expect(await shown.notice.innerText()).not.toContain("Nobody");
      await shown.notice.getByRole("link", { name: "View" }).click();
      await decision(tab).getByText("Approved").waitFor();
      expect(await decision(tab).locator(".command").count()).toBe(0);
    } finally {
      alone.project.write({ done: "" });
      driver.kill();
      await ended;
      await Promise.all([one.close(), alone.end()]);
    }
  });
});

/** The page is told of a version that was approved before, whether or not the server offers one. */
async function approvedBefore(tab: Page, text: string): Promise<void> {
  await tab.route(/\/api\/questions\/[^/]+$/u, async (route) => {
    const response = await route.fetch();
    const detail = (await response.json()) as { files: object[] };
    const comparisons = [{ side: "approved", label: "yesterday", bytes: text.length }];
    await route.fulfill({
      response,
      json: { ...detail, files: detail.files.map((file) => ({ ...file, comparisons })) },
    });
  });
  await tab.route(/\/files\/\d+\?.*side=approved/u, (route) =>
    route.fulfill({ json: { text, from: 0, next: null, bytes: text.length } }),
  );
}

async function openQuestions(): Promise<number> {
  const { breakpoints } = (await inbox.request({ path: "/api/breakpoints", port: inbox.apiPort })).json();
  return (breakpoints as unknown[]).length;
}

async function expectTitle(tab: Page, open: number): Promise<void> {
  const title = open === 0 ? "Babysitter" : `(${open}) Babysitter`;
  await tab.waitForFunction((wanted) => document.title === wanted, title);
  expect(await tab.title()).toBe(title);
}

async function signedInElsewhere(): Promise<BrowserContext> {
  const another = await newPerson(browser);
  await (await inbox.signIn(another)).close();
  return another;
}

/** The next decision of a tab stays on its way. Answers how to let it go. */
function held(tab: Page): Promise<() => Promise<void>> {
  return new Promise((resolve) => {
    void tab.route(
      "**/decision",
      (route) => {
        resolve(() => route.continue());
      },
      { times: 1 },
    );
  });
}

it("B5: after the last question, the run that it does not move by itself is named, until somebody continues it", async () => {
  const alone = await WebInbox.start();
  const one = await newPerson(browser);
  try {
    const asked = await alone.ask(PLAIN);
    await (await alone.signIn(one)).close();
    const shown = await QuestionPage.open(await one.newPage(), alone, asked);
    await shown.decide({ kind: "approve" });
    await shown.notice.getByText("Nobody drives its run.").waitFor();
    const hint = shown.page.getByText(`${asked.runId} could continue, but nobody drives it.`);
    await hint.getByRole("link", { name: "See how to continue it" }).click();
    await shown.page.getByText(`babysitter run ${asked.runId}`).first().waitFor();
    await shown.page.goBack();
    await hint.waitFor();
    expect(await asked.told()).toMatchObject({ approved: true });
    await hint.waitFor({ state: "detached" });
    await shown.page.getByText("Nothing needs you").waitFor();
  } finally {
    await Promise.all([one.close(), alone.end()]);
  }
});
