/** Every part of a run with hostile texts in all of its fields: harmless, visible, and fit for a phone. */
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newPerson, startChrome } from "../fixtures/browser/chrome.js";
import { addHostileRun } from "../fixtures/browser/hostile-run.js";
import { axeFindings, sideways, smallTargets } from "../fixtures/browser/looks.js";
import { RUN_PARTS, RunPages } from "../fixtures/browser/run-pages.js";
import { settled } from "../fixtures/browser/settled.js";
import { foreignMarkup, notedIn, type Seen, watch } from "../fixtures/browser/watched-page.js";
import { WebInbox } from "../fixtures/browser/web-inbox.js";

/** The event that is chosen in each part: the step that has failed. */
const CHOSEN = "&event=5";
/** What shows that there is something in the part. */
const THERE = {
  steps: "[role=option]",
  events: ".event-row",
  logs: ".log .code-text",
  files: ".part-row",
  criteria: ".criteria-row",
  transcripts: ".talk-line",
};
/** The folder of a project has a name that others may have chosen, too. */
const FOLDER = "<img src=x onerror=ran('project')>\u202edlof\u200b";

let browser: Browser;
let inbox: WebInbox;
let pages: RunPages;
let person: BrowserContext;
let page: Page;
let seen: Seen;

beforeAll(async () => {
  [browser, inbox] = await Promise.all([startChrome(), WebInbox.start({}, FOLDER)]);
  pages = new RunPages(inbox);
  await addHostileRun(inbox.project, "hostile");
  await addHostileRun(inbox.project, "other");
  person = await newPerson(browser);
  seen = await watch(person);
  page = await inbox.signIn(person);
});
afterAll(async () => {
  await Promise.all([browser.close(), inbox.end()]);
});

/** Everything in a part that can be opened is. */
async function openAll(on: Page): Promise<void> {
  await on.evaluate(() => {
    for (const one of document.querySelectorAll("main details")) (one as HTMLDetailsElement).open = true;
  });
  await settled(on);
}

async function openComparison(on: Page): Promise<void> {
  await on.bringToFront();
  await on.goto(`${inbox.origin}/compare?left=hostile&right=other`);
  await on.locator(".compare-step").first().waitFor();
  await settled(on);
}

async function expectHarmless(): Promise<void> {
  expect(await notedIn(page)).toEqual([]);
  expect(page.frames()).toHaveLength(1);
  expect(await foreignMarkup(page, ".prose, bdi, .markdown, .rendered, .log-tail")).toEqual([]);
  expect(await page.locator("[onerror], [onload], [onfocus], [onclick], [href^='javascript' i]").count()).toBe(0);
  expect(await page.title()).not.toMatch(/another title/u);
  // Nothing that acts, reorders or hides is left in what is read, and something stands in its place.
  const shown = await page.locator("main").evaluate((main) => (main as HTMLElement).innerText);
  expect(shown.search(/(?![\t\n])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u)).toBe(-1);
  expect(await page.locator("main .hidden-character").count()).toBeGreaterThan(0);
}

describe("hostile texts", () => {
  it.each(RUN_PARTS)("B7: do nothing in the part %s, and what is hidden in them is visible", async (part) => {
    await pages.open(page, "hostile", { part, query: CHOSEN });
    await openAll(page);
    await expectHarmless();
    expect(await page.locator(THERE[part]).count()).toBeGreaterThan(0);
    const rows = page.locator(".part-row");
    for (let n = 0; n < (await rows.count()); n += 1) {
      await rows.nth(n).click();
      await openAll(page);
      await expectHarmless();
    }
  });

  it("B7: do nothing in the events, on any level, in a log, where concealed text is seen, and side by side", async () => {
    await pages.open(page, "hostile", { part: "events" });
    for (const level of ["Compact", "Detailed", "Raw JSON"]) {
      await page.getByRole("button", { name: level, exact: true }).click();
      for (const event of ["j", "j", "j", "j"]) {
        await page.keyboard.press(event);
        await settled(page);
        await expectHarmless();
      }
    }
    await pages.open(page, "hostile", { part: "logs", query: CHOSEN });
    await page.getByRole("searchbox", { name: "Search this log" }).fill("concealed");
    const concealed = page.locator(".log .is-current").getByText("concealed");
    await concealed.waitFor();
    expect(await concealed.evaluate((text) => getComputedStyle(text).opacity)).toBe("1");
    expect(await page.locator(".log a").count()).toBe(0);
    await openComparison(page);
    await openAll(page);
    await page.getByRole("region", { name: "result.json, difference" }).waitFor();
    await expectHarmless();
  });

  it("B7: made no request to elsewhere, opened nothing, and broke nothing", () => {
    expect([...seen.addresses, ...seen.pages].filter((address) => !address.startsWith(inbox.origin))).toEqual([]);
    expect(seen.addresses.filter((address) => address.includes("/ran/"))).toEqual([]);
    expect(seen.events).toEqual([]);
  });
});

describe("a log", () => {
  it("B7: says nothing of its end before it is there", async () => {
    let answer = (): void => undefined;
    const asked = new Promise<void>((resolve) => (answer = resolve));
    await page.route(/\/file\?/u, (route) => asked.then(() => route.continue()));
    await page.goto(`${inbox.origin}/runs/hostile?part=logs`);
    await page.locator(".log").getByText("Loading…").waitFor();
    const foot = page.locator(".log-foot");
    expect(await foot.innerText()).toBe("");
    answer();
    await foot.getByText(/^End of log · \d/u).waitFor();
  });
});

describe("on a phone", () => {
  let phone: Page;
  beforeAll(async () => {
    const owner = await newPerson(browser, { viewport: { width: 390, height: 844 }, reducedMotion: "reduce" });
    phone = await inbox.signIn(owner);
  });

  it.each([...RUN_PARTS, "compare"] as const)(
    "B7: %s fits, fingers hit it, and axe finds nothing serious",
    async (part) => {
      await phone.emulateMedia({ colorScheme: "light" });
      if (part === "compare") await openComparison(phone);
      else await pages.open(phone, "hostile", { part, query: CHOSEN });
      await openAll(phone);
      const problems = [...(await sideways(phone)), ...(await smallTargets(phone)), ...(await axeFindings(phone))];
      await phone.emulateMedia({ colorScheme: "dark" });
      await phone.waitForFunction(() => document.getAnimations().length === 0);
      // Nothing else depends on it.
      problems.push(...(await axeFindings(phone, ["color-contrast"])));
      expect(problems).toEqual([]);
    },
  );

  it("B7: logs are chosen in one line above the text", async () => {
    await pages.open(phone, "hostile", { part: "logs" });
    const choice = phone.getByRole("combobox", { name: "Logs" });
    expect(await choice.inputValue()).toContain("stderr");
    expect(await phone.locator(".part-row").first().isVisible()).toBe(false);
    await choice.selectOption({ index: 0 });
    await phone.waitForURL(/log=[^&]*stdout/u);
  });
});
