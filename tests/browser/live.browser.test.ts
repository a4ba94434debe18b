/** What happens elsewhere, on a page that nobody touches. */
import fs from "node:fs";
import path from "node:path";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { program } from "../fixtures/browser/channels.js";
import { newPerson, startChrome } from "../fixtures/browser/chrome.js";
import { settled } from "../fixtures/browser/settled.js";
import { WebInbox } from "../fixtures/browser/web-inbox.js";

let browser: Browser;
let inbox: WebInbox;
let person: BrowserContext;
let page: Page;

beforeAll(async () => {
  [browser, inbox] = await Promise.all([startChrome(), WebInbox.start({ "plan.md": "# Plan\n" })]);
  person = await newPerson(browser);
  await person.addInitScript(() => {
    const seen = { shift: 0, loads: Number(sessionStorage.getItem("loads") ?? 0) + 1 };
    sessionStorage.setItem("loads", String(seen.loads));
    Object.assign(window, { seen });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & { value: number })[]) seen.shift += entry.value;
    }).observe({ type: "layout-shift", buffered: true });
  });
  page = await inbox.signIn(person);
});
afterAll(async () => {
  await Promise.all([browser.close(), inbox.end()]);
});
beforeEach(async () => {
  await page.goto(inbox.origin);
  await page.getByText("Live").waitFor();
  await settled(page);
});

const row = (id: string) => page.locator(`[data-id="${id}"]`);

const seen = () => page.evaluate(() => (window as unknown as { seen: { shift: number; loads: number } }).seen);

/** Meanwhile nothing moves, and the page is not loaded again. */
async function expectStill(doing: () => Promise<void>): Promise<void> {
  await settled(page);
  const before = await seen();
  await doing();
  await settled(page);
  const after = await seen();
  expect(after.loads).toBe(before.loads);
  expect(after.shift - before.shift).toBe(0);
}

describe("live", () => {
  it("B2: the first question appears without a reload and without anything moving", async () => {
    await expectStill(async () => {
      const asked = await inbox.ask({ question: "The first one?" });
      await page.waitForFunction(() => document.title.startsWith("(1)"));
      const news = page.getByRole("button", { name: "1 new" });
      await news.or(row(asked.id)).first().waitFor();
    });
    const news = page.getByRole("button", { name: "1 new" });
    if (await news.isVisible()) await news.click();
    await page.getByRole("link", { name: /The first one\?/u }).waitFor();
  });

  it("B2: more of them wait behind a button, so that nothing moves under whoever reads", async () => {
    const reading = await inbox.ask({ question: "What I read?", context: { files: ["plan.md"] } });
    await page.goto(`${inbox.origin}/questions/${reading.id}`);
    await page.getByRole("heading", { name: "What I read?" }).waitFor();
    await settled(page);
    const before = await page.getByRole("region", { name: "Open questions" }).getByRole("listitem").count();
    await expectStill(async () => {
      await inbox.ask({ question: "New one?" });
      await inbox.ask({ question: "New two?" });
      await page.getByRole("button", { name: "2 new" }).waitFor();
    });
    expect(await page.getByRole("region", { name: "Open questions" }).getByRole("listitem").count()).toBe(before);
    await page.getByRole("button", { name: "2 new" }).click();
    await page.getByRole("link", { name: /New two\?/u }).waitFor();
    expect(await page.getByRole("heading", { name: "What I read?" }).isVisible()).toBe(true);
  });

  it("B2: a comment of others, a changed file and a decision elsewhere are announced where one reads", async () => {
    const asked = await inbox.ask({ question: "Followed?", context: { files: ["plan.md"] } });
    await page.goto(`${inbox.origin}/questions/${asked.id}`);
    await page.getByRole("heading", { name: "Followed?" }).waitFor();
    await program(inbox).comment(asked, { text: "Look at this" });
    const bar = page.getByRole("region", { name: "Decision" });
    await bar.getByText("1 new comment.").waitFor();
    await bar.getByRole("button", { name: "Show" }).click();
    await page.getByText("Look at this").waitFor();
    await program(inbox).decide(asked, { kind: "reject", reason: "Elsewhere" });
    await bar.getByText("Rejected").first().waitFor();
    await bar.getByText("Elsewhere").waitFor();
    expect(await bar.getByRole("button", { name: /^(?:Approve|Reject)/u }).count()).toBe(0);
  });

  it("B2: a file that has changed since it was asked about is marked, and what was asked about is shown", async () => {
    const asked = await inbox.ask({ question: "The plan?", context: { files: ["plan.md"] } });
    inbox.project.write({ "plan.md": "# Another plan\n" });
    await page.goto(`${inbox.origin}/questions/${asked.id}`);
    await page.getByText("Changed since asked").first().waitFor();
    await page.getByRole("region", { name: "plan.md", exact: true }).getByText("Plan", { exact: true }).waitFor();
    expect(await page.getByText("Another plan").count()).toBe(0);
  });

  it("B2: the index is deleted while everything runs: nothing is lost, and what is new still appears", async () => {
    const before = await inbox.ask({ question: "Before the index went?" });
    await page.goto(inbox.origin);
    await row(before.id).waitFor();
    const files = fs
      .readdirSync(inbox.folder, { recursive: true, encoding: "utf8" })
      .filter((name) => /\.db/u.test(name));
    expect(files.length).toBeGreaterThan(0);
    for (const name of files) fs.rmSync(path.join(inbox.folder, name));
    const after = await inbox.ask({ question: "After the index went?" });
    const news = page.getByRole("button", { name: /new$/u });
    await news.or(row(after.id)).first().waitFor();
    await page.reload();
    await row(after.id).waitFor();
    await row(before.id).waitFor();
    await row(after.id).click();
    await page.getByRole("heading", { name: "After the index went?" }).waitFor();
    await page
      .getByRole("region", { name: "Decision" })
      .getByRole("button", { name: /^Approve/u })
      .click();
    await page.locator(".notice").filter({ hasText: "Approved" }).waitFor();
    expect(await after.told()).toMatchObject({ approved: true });
    await page.goto(`${inbox.origin}/history?search=After`);
    await row(after.id).waitFor();
  });
});
