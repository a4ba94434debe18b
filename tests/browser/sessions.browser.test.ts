/** Signing in and out, losing the server and finding it again: nothing that was typed is lost. */
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newPerson, startChrome } from "../fixtures/browser/chrome.js";
import { QuestionPage } from "../fixtures/browser/question-page.js";
import { WebInbox } from "../fixtures/browser/web-inbox.js";

const FILES = { "plan.md": "one\ntwo\nthree\n", "a.js": "let a = 1;\nlet b = 2;\n" };
const QUESTION = { question: "Ship it?", context: { files: ["a.js"] } };

let browser: Browser;
let inbox: WebInbox;

beforeAll(async () => {
  [browser, inbox] = await Promise.all([startChrome(), WebInbox.start(FILES)]);
});
afterAll(async () => {
  await Promise.all([browser.close(), inbox.end()]);
});

async function person(): Promise<{ context: BrowserContext; page: Page }> {
  const context = await newPerson(browser);
  return { context, page: await inbox.signIn(context) };
}

const door = (page: Page, words: string): Promise<void> => page.getByRole("heading", { name: words }).waitFor();

describe("signing in", () => {
  it("B2 B8: a link signs in once, changes nothing where it was used, leaves no trace in the address or the history, and no cookie", async () => {
    const { context, page } = await person();
    expect(page.url()).toBe(`${inbox.origin}/`);
    expect(await context.cookies()).toEqual([]);
    await page.goBack().catch(() => undefined);
    expect(page.url()).not.toContain("#");
    const address = inbox.signInAddress();
    const other = await newPerson(browser);
    const [first, second] = [await other.newPage(), await (await newPerson(browser)).newPage()];
    await first.goto(address);
    await first.waitForURL(`${inbox.origin}/`);
    const kept = await first.evaluate(() => localStorage.getItem("babysitter.token"));
    await first.goto(address);
    await first.waitForURL(`${inbox.origin}/`);
    await first.getByRole("heading", { name: "Needs you" }).waitFor();
    expect(await first.evaluate(() => localStorage.getItem("babysitter.token"))).toBe(kept);
    await second.goto(address);
    await second.getByText("This link does not work").waitFor();
    await second.goto(`${inbox.origin}/settings`);
    await door(second, "Sign in to the inbox");
    await Promise.all([context.close(), other.close(), second.context().close()]);
  });

  it("B2 B8: signing out closes every tab of the browser, and the token no longer counts", async () => {
    const { context, page } = await person();
    const token = await page.evaluate(() => localStorage.getItem("babysitter.token") ?? "");
    const other = await context.newPage();
    await other.goto(inbox.origin);
    await page.goto(`${inbox.origin}/settings`);
    await page.getByRole("button", { name: "Sign out", exact: true }).click();
    await door(page, "Sign in to the inbox");
    await other.getByText("Run this in a terminal").waitFor();
    const reply = await inbox.request({ path: "/api/questions", headers: { Authorization: `Bearer ${token}` } });
    expect(reply.status).toBe(401);
    expect(await page.evaluate(() => localStorage.getItem("babysitter.token"))).toBeNull();
    await context.close();
  });

  it("B2 B8: a browser that is signed out from another one shows nothing any more, and keeps what was typed", async () => {
    const asked = await inbox.ask(QUESTION);
    const [lost, own] = [await person(), await person()];
    const shown = await QuestionPage.open(lost.page, inbox, asked);
    await shown.button(/^Reject/u).click();
    await shown.bar.getByLabel("Why are you rejecting it?").fill("Half a reason");
    const device = await deviceOf(lost.page);
    await own.page.goto(`${inbox.origin}/settings`);
    const card = own.page.getByRole("listitem").filter({ hasText: "expires" });
    await card.first().waitFor();
    // All are called the same here: the browser's own comes first.
    await own.page.evaluate(async (id) => {
      const token = localStorage.getItem("babysitter.token");
      await fetch(`/api/devices/${id}`, { method: "DELETE", headers: { Authorization: `Bearer ${token}` } });
    }, device);
    await door(lost.page, "Your session has ended");
    expect(await lost.page.getByText("Ship it?").count()).toBe(0);
    await lost.page.goto(inbox.signInAddress());
    await lost.page.waitForURL(`${inbox.origin}/`);
    const again = await QuestionPage.open(lost.page, inbox, asked);
    await again.button(/^Reject/u).click();
    expect(await again.bar.getByLabel("Why are you rejecting it?").inputValue()).toBe("Half a reason");
    await Promise.all([lost.context.close(), own.context.close()]);
  });

  it("B2: the settings sign another browser out", async () => {
    const [gone, own] = [await person(), await person()];
    const device = await deviceOf(gone.page);
    await own.page.goto(`${inbox.origin}/settings`);
    const buttons = own.page.getByRole("button", { name: /^Sign out .+/u });
    await buttons.first().waitFor();
    // The newest of the others is the first of them.
    await buttons.first().click();
    await own.page.getByText("Signed out:").waitFor();
    expect(inbox.access.devices().map((one) => one.device)).not.toContain(device);
    await door(gone.page, "Your session has ended");
    await Promise.all([gone.context.close(), own.context.close()]);
  });

  it("B2 B8: a token that is over leads to the door, and a new link back to the same page", async () => {
    const asked = await inbox.ask(QUESTION);
    const context = await newPerson(browser);
    const token = inbox.tokenOf({ hoursAgo: 13 });
    const page = await context.newPage();
    await page.addInitScript((value) => {
      if (sessionStorage.getItem("set") === null) localStorage.setItem("babysitter.token", value);
      sessionStorage.setItem("set", "once");
    }, token);
    await page.goto(`${inbox.origin}/questions/${asked.id}`);
    await door(page, "Your session has ended");
    expect(await page.getByText("Ship it?").count()).toBe(0);
    const other = await context.newPage();
    await other.goto(inbox.signInAddress());
    await other.waitForURL(`${inbox.origin}/`);
    await page.getByRole("heading", { name: "Ship it?" }).waitFor();
    await context.close();
  });

  it("B2 B8: a tab whose session has ended leaves alone what another tab has just signed in with", async () => {
    const asked = await inbox.ask(QUESTION);
    const context = await newPerson(browser);
    const page = await context.newPage();
    // This tab has not heard yet that the other one has signed in.
    await page.addInitScript(
      (ended) => {
        addEventListener("storage", (event) => event.stopImmediatePropagation(), true);
        localStorage.setItem("babysitter.token", ended);
      },
      inbox.tokenOf({ hoursAgo: 13 }),
    );
    let refuse: () => void = () => undefined;
    const refused = new Promise<void>((resolve) => {
      refuse = resolve;
    });
    await page.route("**/api/**", async (route) => {
      const response = await route.fetch();
      await refused;
      await route.fulfill({ response });
    });
    await page.goto(`${inbox.origin}/questions/${asked.id}`);
    const other = await context.newPage();
    await other.goto(inbox.signInAddress());
    await other.waitForURL(`${inbox.origin}/`);
    await other.getByRole("heading", { name: "Needs you" }).waitFor();
    refuse();
    await page.getByRole("heading", { name: "Ship it?" }).waitFor();
    expect(await other.evaluate(() => localStorage.getItem("babysitter.token"))).not.toBeNull();
    await context.close();
  });
});

describe("without the server", () => {
  it("B2: what is typed survives a reload, also a comment on a line", async () => {
    const asked = await inbox.ask(QUESTION);
    const { context, page } = await person();
    const shown = await QuestionPage.open(page, inbox, asked);
    await page.getByLabel("Comment without deciding").fill("A comment that is not sent");
    await shown.lineOf(shown.file("a.js"), 2).click();
    await shown.file("a.js").getByRole("textbox").fill("On the second line");
    await shown.button(/^Reject/u).click();
    await shown.bar.getByLabel("Why are you rejecting it?").fill("A reason that is not sent");
    await page.reload();
    await shown.heading.waitFor();
    expect(await page.getByLabel("Comment without deciding").inputValue()).toBe("A comment that is not sent");
    expect(await shown.file("a.js").getByRole("textbox").inputValue()).toBe("On the second line");
    await shown.button(/^Reject/u).click();
    expect(await shown.bar.getByLabel("Why are you rejecting it?").inputValue()).toBe("A reason that is not sent");
    expect(await asked.isOpen()).toBe(true);
    await context.close();
  });

  it("B2: offline it says so and sends nothing; back online the same press decides, once", async () => {
    const asked = await inbox.ask(QUESTION);
    const { context, page } = await person();
    const shown = await QuestionPage.open(page, inbox, asked);
    await shown.button(/^Reject/u).click();
    await shown.bar.getByLabel("Why are you rejecting it?").fill("Not from a tunnel");
    await context.setOffline(true);
    await shown.button(/^Reject/u).click();
    await shown.bar.getByText("The server did not respond.").waitFor();
    await page.locator(".banner").getByText("Your drafts are kept. Reconnecting…").waitFor();
    expect(await asked.isOpen()).toBe(true);
    await context.setOffline(false);
    await shown.button(/^Reject/u).click();
    await shown.notice.waitFor();
    expect(await asked.told()).toMatchObject({ approved: false, feedback: "Not from a tunnel" });
    await context.close();
  });

  it("B2 B5: an answer that got lost on its way back is not lost: sent again, it counts once", async () => {
    const asked = await inbox.ask(QUESTION);
    const { context, page } = await person();
    const shown = await QuestionPage.open(page, inbox, asked);
    // The decision arrives; that it did is not heard.
    await page.route(
      "**/decision",
      async (route) => {
        await route.fetch();
        await route.abort();
      },
      { times: 1 },
    );
    await page.route("**/api/live", (route) => route.abort());
    await shown.button(/^Approve/u).click();
    const [again, heard] = [shown.button(/^Approve/u), shown.bar.getByText("Approved").first()];
    await again.or(heard).first().waitFor();
    if (await again.isVisible()) await again.click({ timeout: 2_000 }).catch(() => undefined);
    await shown.notice.or(heard).first().waitFor();
    expect(inbox.project.events(asked.runId, "EFFECT_RESOLVED")).toHaveLength(1);
    expect(await asked.told()).toMatchObject({ approved: true });
    await context.close();
  });

  it("B2: a server that was killed and comes back is found again, with what was asked meanwhile", async () => {
    const { context, page } = await person();
    await page.getByText("Live").waitFor();
    await inbox.kill();
    // A list that was still on its way says so too.
    const banner = page.locator(".banner", { hasText: "The inbox server is not responding." });
    await banner.waitFor();
    const asked = await inbox.ask({ question: "Asked while nobody listened?" });
    await inbox.startAgain();
    await page
      .getByRole("button", { name: "Try now" })
      .click()
      .catch(() => undefined);
    await banner.waitFor({ state: "detached" });
    const news = page.getByRole("button", { name: /\d+ new/u });
    const row = page.locator(`[data-id="${asked.id}"]`);
    await news.or(row).first().waitFor();
    if (await news.isVisible()) await news.click();
    await row.waitFor();
    expect(await page.getByText("Live").isVisible()).toBe(true);
    await context.close();
  });
});

/** Of the browser that this page belongs to. */
function deviceOf(page: Page): Promise<string> {
  return page.evaluate(async () => {
    const headers = { Authorization: `Bearer ${localStorage.getItem("babysitter.token")}` };
    const me = (await (await fetch("/api/me", { headers })).json()) as {
      devices: { device: string; current: boolean }[];
    };
    return me.devices.find(({ current }) => current)?.device ?? "";
  });
}
