/** The whole story without a mouse. */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { LINES, QUESTION, SOURCES } from "../fixtures/browser/answers.js";
import { newPerson, startChrome } from "../fixtures/browser/chrome.js";
import { focusProblem } from "../fixtures/browser/looks.js";
import { settled } from "../fixtures/browser/settled.js";
import { WebInbox } from "../fixtures/browser/web-inbox.js";

let browser: Browser;
let inbox: WebInbox;
let page: Page;

beforeAll(async () => {
  [browser, inbox] = await Promise.all([startChrome(), WebInbox.start(SOURCES)]);
  await inbox.commitFiles();
  inbox.project.write({ "src/rates.js": LINES.after });
});
afterAll(async () => {
  await Promise.all([browser.close(), inbox.end()]);
});

const heading = (name: string) => page.getByRole("heading", { level: 1, name });
const bar = () => page.getByRole("region", { name: "Decision" });

/** Goes on with Tab until something has the focus; a page has only so many places for it. */
async function tabTo(selector: string): Promise<void> {
  for (let stop = 0; stop < 200; stop += 1) {
    await page.keyboard.press("Tab");
    if (await page.evaluate((wanted) => document.activeElement?.matches(wanted) === true, selector)) return;
  }
  throw new Error(`Tab never reaches ${selector}.`);
}

async function press(...keys: string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key);
}

/** Buttons and keys rest for a moment after they have changed their meaning. */
async function rested(name: RegExp): Promise<void> {
  const button = bar().getByRole("button", { name });
  await button.waitFor();
  await page.waitForFunction(
    (element) => element instanceof HTMLButtonElement && !element.disabled,
    await button.elementHandle(),
  );
}

describe("with the keyboard alone", () => {
  it("B2: read, comment on lines, reject, approve, choose, search and look back", async () => {
    const { options: _, ...plain } = QUESTION;
    const first = await inbox.ask({ ...plain, question: "First?" });
    const second = await inbox.ask({ question: "Second?" });
    const third = await inbox.ask({ ...QUESTION, question: "Third?" });
    const person = await newPerson(browser);
    page = await inbox.signIn(person);
    await heading("First?").waitFor();
    await press("j");
    await heading("Second?").waitFor();
    await press("k");
    await heading("First?").waitFor();
    await press("Enter");
    await page.waitForURL(`**/questions/${first.id}`);
    // A comment on two lines of the file that is shown first.
    await page.locator("[data-number]").first().waitFor();
    await tabTo("[data-number]");
    const start = await page.evaluate(() => document.activeElement?.textContent ?? "");
    expect(start).toContain("1");
    await press("ArrowDown", "ArrowDown", "Shift+ArrowDown", "c");
    const field = page.getByRole("textbox", { name: /^Comment on line/u });
    await field.waitFor();
    expect(await field.evaluate((element) => element === document.activeElement)).toBe(true);
    await page.keyboard.type("Typed, not clicked");
    await press("Control+Enter");
    await field.waitFor({ state: "detached" });
    // Out of the lines, and no.
    await press("Escape", "r");
    const reason = bar().getByLabel("Why are you rejecting it?");
    await reason.waitFor();
    await page.keyboard.type("By keyboard");
    await press("Control+Enter");
    await heading("Second?").waitFor();
    const told = await first.told();
    expect(told).toMatchObject({
      approved: false,
      feedback: "By keyboard",
      comments: [{ text: "Typed, not clicked" }],
    });
    const [comment] = told?.comments ?? [];
    expect(String(comment?.["quote"]).split("\n")).toHaveLength(2);
    await rested(/^Approve/u);
    await press("a");
    await heading("Third?").waitFor();
    expect(await second.told()).toMatchObject({ approved: true });
    await rested(/After the audit/u);
    await press("1");
    await page
      .getByText(/^(?:Nothing needs you|No open questions\.)$/u)
      .first()
      .waitFor();
    expect(await third.told()).toMatchObject({ approved: true, option: "After the audit" });
    await press("g", "h");
    await page.waitForURL("**/history");
    await press("/");
    await page.keyboard.type("Second");
    await page.waitForURL("**/history?search=Second");
    await page.locator(`[data-id="${second.id}"]`).waitFor();
    expect(await page.locator(".row").count()).toBe(1);
    await press("Escape", "?");
    await page.getByRole("dialog").waitFor();
    await press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await person.close();
  });

  it("B2: a field that a quick key has opened keeps the focus, whatever the page was about to do with it", async () => {
    const asked = await inbox.ask({ question: "Quick?" });
    const person = await newPerson(browser);
    page = await inbox.signIn(person);
    await page.goto(`${inbox.origin}/questions/${asked.id}`);
    await heading("Quick?").waitFor();
    await rested(/^Approve/u);
    const focused = await page.evaluate(async () => {
      const type = (key: string): unknown =>
        document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
      type("Escape");
      type("r");
      for (let frame = 0; frame < 3; frame += 1) await new Promise(requestAnimationFrame);
      return document.activeElement?.tagName;
    });
    expect(focused).toBe("TEXTAREA");
    await person.close();
  });

  it("B2: keys that are held down or typed into a field decide nothing", async () => {
    const asked = await inbox.ask({ question: "Still open?" });
    const person = await newPerson(browser);
    page = await inbox.signIn(person);
    await page.goto(`${inbox.origin}/questions/${asked.id}`);
    await heading("Still open?").waitFor();
    await rested(/^Approve/u);
    await press("c");
    await page.keyboard.type("aaarrr111");
    await press("Escape", "Control+a", "Alt+a", "Meta+a");
    await press("r");
    await bar().getByLabel("Why are you rejecting it?").waitFor();
    await press("Control+Enter");
    await bar().getByText("Say why").waitFor();
    await press("Escape");
    expect(await asked.isOpen()).toBe(true);
    await person.close();
  });

  it("B2: whatever has the focus shows it, on every screen", async () => {
    const asked = await inbox.ask(QUESTION);
    const person = await newPerson(browser);
    page = await inbox.signIn(person);
    const hidden: string[] = [];
    for (const address of [`/questions/${asked.id}`, "/history", "/settings"]) {
      await page.goto(`${inbox.origin}${address}`);
      await settled(page);
      const seen = new Set<string>();
      for (let stop = 0; stop < 60; stop += 1) {
        await page.keyboard.press("Tab");
        const place = await page.evaluate(() => {
          const element = document.activeElement;
          return element === null || element === document.body
            ? ""
            : `${element.outerHTML.slice(0, 120)} ${element.textContent?.slice(0, 20)}`;
        });
        if (place === "" || seen.has(place)) break;
        seen.add(place);
        const problem = await focusProblem(page);
        if (problem !== undefined) hidden.push(`${address}: ${problem}`);
      }
      expect(seen.size).toBeGreaterThan(4);
    }
    expect(hidden).toEqual([]);
    await person.close();
  });
});
