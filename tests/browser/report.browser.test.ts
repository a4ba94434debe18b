/** The report in the inbox: what went wrong first, everything with a way to look at it, whatever it says. */
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { BoardRuns, STEPS } from "../fixtures/browser/board-runs.js";
import { newPerson, startChrome } from "../fixtures/browser/chrome.js";
import { ALL_HOSTILE } from "../fixtures/browser/hostile-markup.js";
import { axeFindings, sideways, smallTargets } from "../fixtures/browser/looks.js";
import { addNight } from "../fixtures/browser/night.js";
import { settled } from "../fixtures/browser/settled.js";
import { foreignMarkup, notedIn, type Seen, watch } from "../fixtures/browser/watched-page.js";
import { WebInbox } from "../fixtures/browser/web-inbox.js";
import { CLI, execute } from "../fixtures/command-line.js";
import { HOSTILE } from "../fixtures/hostile-text.js";
import type { InventedRun } from "../fixtures/runs/invented-night.js";
import { UGLY_NIGHT } from "../fixtures/runs/nights.js";

const PHONE = { width: 390, height: 844 };
const SMALL_PHONE = { width: 320, height: 640 };
const LAPTOP = { width: 1280, height: 800 };

let browser: Browser;
beforeAll(async () => {
  browser = await startChrome();
});
afterAll(() => browser.close());

interface Night {
  inbox: WebInbox;
  person: BrowserContext;
  page: Page;
  seen: Seen;
}

async function night(runs: readonly InventedRun[]): Promise<Night> {
  const inbox = await WebInbox.start();
  await addNight(inbox.project, runs);
  const person = await newPerson(browser, { viewport: LAPTOP });
  const seen = await watch(person);
  const page = await inbox.signIn(person);
  await page.getByRole("link", { name: "Report" }).click();
  await page.getByRole("link", { name: "24 hours" }).click();
  await settled(page);
  return { inbox, person, page, seen };
}

async function end({ inbox, person }: Night): Promise<void> {
  await person.close();
  await inbox.end();
}

/** What is wrong with how it looks, narrow and wide, light and dark. */
async function problems(page: Page): Promise<string[]> {
  const found: string[] = [];
  for (const [viewport, colorScheme] of [
    [LAPTOP, "dark"],
    [PHONE, "light"],
  ] as const) {
    await page.setViewportSize(viewport);
    await page.emulateMedia({ colorScheme });
    await settled(page);
    found.push(...[...(await sideways(page)), ...(await axeFindings(page))].map((one) => `${viewport.width}: ${one}`));
    const below = await page.evaluate(() => document.documentElement.scrollHeight - window.innerHeight);
    if (viewport === LAPTOP && below > 0) found.push(`the window scrolls by ${below} px besides the page in it`);
  }
  found.push(...(await smallTargets(page)));
  await page.setViewportSize(SMALL_PHONE);
  found.push(...(await sideways(page)).map((one) => `${SMALL_PHONE.width}: ${one}`));
  await page.setViewportSize(LAPTOP);
  return found;
}

describe("an ugly night", () => {
  let ugly: Night;
  beforeAll(async () => {
    ugly = await night(UGLY_NIGHT);
  });
  afterAll(() => end(ugly));

  it("B9: tells what went wrong first, each cause once with its last lines, and what to do last", async () => {
    const { page } = ugly;
    const parts = await page.locator("main h2").allInnerTexts();
    expect(parts.map((text) => text.replaceAll(/\s+/gu, " ").trim())).toEqual([
      "What went wrong",
      "Waiting for you 3",
      "Stalled 1",
      "Finished, verified 1",
      "Finished, with proof 2",
      "Finished, by claim only 1",
      "Cancelled 1",
      "What changed along the way",
      "Totals",
      "Compared with the period before",
      "Next decisions",
    ]);
    const causes = page.locator(".report-cause");
    expect(await causes.count()).toBe(3);
    expect(await causes.first().innerText()).toContain("The same cause in 3 more runs");
    expect(await causes.first().locator("pre").innerText()).toContain("error TS2304: Cannot find name 'fromLegacy'.");
    expect(await page.locator("main").innerText()).not.toContain("not-for-anyone");
    expect(await page.locator(".report-sums").innerText()).toMatch(
      /at least \$5\.16, 367,000 tokens; unknown: 3 runs/u,
    );
  });

  it("B9: every run has its question or a command, and the question opens", async () => {
    const { page } = ugly;
    const rows = await page
      .locator(".report-row")
      .evaluateAll((all) =>
        all.map((row) => row.querySelector("a[href^='/questions/'], .report-command code") !== null),
      );
    expect(rows.length).toBeGreaterThan(8);
    expect(rows).not.toContain(false);
    await page
      .getByRole("link", { name: "Migration 0042: Drop the column orders.legacy_status?", exact: true })
      .click();
    await page.getByRole("heading", { name: "Drop the column orders.legacy_status?" }).waitFor();
    await page.goBack();
    await settled(page);
    expect(await page.getByRole("heading", { name: "What went wrong" }).isVisible()).toBe(true);
  });

  it("B9: every command names the folder of its run, so that it works wherever it is typed", async () => {
    const { page, inbox } = ugly;
    const commands = await page.locator(".report-command code").allInnerTexts();
    expect(commands.length).toBeGreaterThan(8);
    const { runsDir, home } = inbox.project;
    expect(commands.filter((command) => !command.includes(` --runs-dir ${runsDir}`))).toEqual([]);
    const looks = commands.filter((command) => /^babysitter run:(?:status|report) /u.test(command));
    const [first = ""] = looks;
    const told = await execute(process.execPath, [CLI, ...first.split(" ").slice(1)], { cwd: home, home });
    expect([told.code, told.stderr]).toEqual([0, ""]);
  });

  it("B9: the times between which it tells are told without seconds", async () => {
    const { page } = ugly;
    const texts = [page.locator(".report-opening"), page.locator("section", { has: page.locator("#against") })];
    for (const text of texts) {
      expect(await text.innerText()).toMatch(/\d:\d\d/u);
      expect(await text.innerText()).not.toMatch(/\d:\d\d:\d\d/u);
    }
  });

  it("B9: fits a narrow window and a wide one, can be hit by a finger, and axe finds nothing serious", async () => {
    expect(await problems(ugly.page)).toEqual([]);
  });

  it("B2: four screens beside each other fit the narrowest phone, whichever is shown", async () => {
    const { page, inbox } = ugly;
    await page.setViewportSize(SMALL_PHONE);
    for (const path of ["/", "/history", "/report", "/settings"]) {
      await page.goto(`${inbox.origin}${path}`);
      await settled(page);
      expect([path, await sideways(page)]).toEqual([path, []]);
    }
    await page.setViewportSize(LAPTOP);
    await page.goto(`${inbox.origin}/report`);
  });

  it("B9: another time is chosen by a link, and keys lead there", async () => {
    const { page } = ugly;
    await page.getByRole("link", { name: "7 days" }).click();
    await settled(page);
    expect(page.url()).toContain("/report?time=week");
    await page.keyboard.press("g");
    await page.keyboard.press("i");
    await page.waitForURL(`${ugly.inbox.origin}/`);
    await page.keyboard.press("g");
    await page.keyboard.press("r");
    await page.waitForURL(`${ugly.inbox.origin}/report`);
    await settled(page);
    expect(await page.getByRole("link", { name: "Since last evening" }).getAttribute("aria-current")).toBe("page");
  });

  it("B9: a time that is none is refused, and nobody gets a report without a token", async () => {
    const { inbox } = ugly;
    const ask = async (path: string, headers: Record<string, string>): Promise<number> =>
      (await inbox.request({ path, headers })).status;
    const signed = { authorization: `Bearer ${inbox.token()}` };
    expect(await ask("/api/report", signed)).toBe(200);
    expect(await ask("/api/report?since=yesterday", signed)).toBe(400);
    expect(await ask("/api/report", {})).toBe(401);
  });
});

it("B9: what the board calls stalled the report calls stalled, and what goes on goes on in both", async () => {
  const inbox = await WebInbox.start(STEPS);
  try {
    const runs = new BoardRuns(inbox);
    await runs.leave("nobody", { command: "true" });
    await inbox.project.create("steps.mjs", "not-begun", []);
    await runs.leave("sleeps", { sleep: 7_200_000 });
    runs.workUntil("is-done", "works");
    const person = await newPerson(browser, { viewport: LAPTOP });
    const page = await inbox.signIn(person);
    await page.goto(`${inbox.origin}/runs`);
    const stalled = page.getByRole("region", { name: /^Stalled/u });
    for (const id of ["nobody", "not-begun"]) await stalled.locator(`.card[data-id="${id}"]`).waitFor();
    await page
      .getByRole("region", { name: /^Working/u })
      .locator('.card[data-id="works"]')
      .waitFor();
    await page.goto(`${inbox.origin}/report?time=day`);
    const runsIn = (name: RegExp) => page.getByRole("region", { name }).locator(".report-name a").allInnerTexts();
    await page
      .getByRole("region", { name: /^Stalled/u })
      .getByText("It could continue, but nobody drives it.")
      .waitFor();
    expect((await runsIn(/^Stalled/u)).toSorted()).toEqual(["nobody", "not-begun"]);
    expect((await runsIn(/^In progress/u)).toSorted()).toEqual(["sleeps", "works"]);
    inbox.project.write({ "is-done": "" });
    await page.goto(`${inbox.origin}/runs`);
    await page.getByRole("region", { name: /^Done/u }).locator('.card[data-id="works"]').waitFor();
    await person.close();
  } finally {
    await inbox.end();
  }
});

describe("hostile text", () => {
  it.each([
    ["markup", ALL_HOSTILE],
    ["what acts, hides and reorders", HOSTILE],
  ])("B9: %s stays text and moves nothing", async (_, text) => {
    const step = { title: text, output: text };
    const hostile = await night([
      { name: "a", at: 10, processId: text.slice(0, 100), happens: [{ what: "fail", message: text, step }] },
      { name: "b", at: 10, happens: [{ what: "fail", message: text }] },
      { name: "c", at: 10, happens: [{ what: "ask", question: text, title: text }] },
      { name: "d", at: 10, goal: text, happens: [{ what: "pause", message: text }] },
      {
        name: "e",
        at: 10,
        goal: text,
        happens: [
          { what: "amend", iterations: 7, by: text },
          { what: "end", by: "claim" },
        ],
      },
      { name: "f", at: 10, happens: [{ what: "cancel", reason: text }] },
    ]);
    const { page, seen, inbox } = hostile;
    expect(await page.locator(".report-cause").count()).toBeGreaterThan(0);
    expect(await notedIn(page)).toEqual([]);
    expect(await foreignMarkup(page, "main bdi, main pre")).toEqual([]);
    expect(seen.events).toEqual([]);
    expect(seen.addresses.filter((address) => !address.startsWith(inbox.origin))).toEqual([]);
    expect(await problems(page)).toEqual([]);
    await end(hostile);
  });
});

it("B9: a quiet night says so in one line", async () => {
  const quiet = await night([]);
  const { page } = quiet;
  expect(await page.getByText("Nothing happened, and nothing is waiting for you.").isVisible()).toBe(true);
  expect(await page.locator("main h2").count()).toBe(0);
  expect(await problems(page)).toEqual([]);
  await end(quiet);
});
