/** The board of all runs, with real runs in every lane. */
import type { Browser, BrowserContext, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { BoardRuns, STEPS } from "../fixtures/browser/board-runs.js";
import { newPerson, startChrome } from "../fixtures/browser/chrome.js";
import { HOSTILE_MARKUP } from "../fixtures/browser/hostile-markup.js";
import { axeFindings, focusProblem, sideways, smallTargets } from "../fixtures/browser/looks.js";
import { addNight } from "../fixtures/browser/night.js";
import { settled } from "../fixtures/browser/settled.js";
import { foreignMarkup, notedIn, type Seen, watch } from "../fixtures/browser/watched-page.js";
import { type Asked, WebInbox } from "../fixtures/browser/web-inbox.js";
import { MORNING } from "../fixtures/runs/nights.js";

const HOSTILE_GOAL = `${HOSTILE_MARKUP["image"]}${HOSTILE_MARKUP["script"]} \u202egnp.exe\u202c a\u200bb`;
const MANY = 65;

let browser: Browser;
let inbox: WebInbox;
let runs: BoardRuns;
let asked: Asked;
let person: BrowserContext;
let page: Page;
let seen: Seen;

beforeAll(async () => {
  [browser, inbox] = await Promise.all([startChrome(), WebInbox.start(STEPS)]);
  runs = new BoardRuns(inbox);
  asked = await inbox.ask({ question: "Sow now?" });
  await runs.leave("sleeps", { sleep: 7_200_000 });
  await runs.leave("nobody", { command: "true" });
  await runs.finish("good", { command: "echo a rare kumquat" });
  await runs.finish("bad", { command: "echo spoilt >&2; exit 3" });
  runs.workUntil("first-is-done", "works");
  await addNight(inbox.project, [
    ...Array.from({ length: MANY }, (_, n) => ({
      name: `old-${n}`,
      at: MORNING - 600 - n,
      processId: "nightly",
      happens: [{ what: "complete" as const }],
    })),
    {
      name: "hostile",
      at: MORNING - 5,
      goal: HOSTILE_GOAL,
      happens: [
        { what: "turn", usd: 1.2 },
        { what: "end", by: "claim" },
      ],
    },
  ]);
  person = await newPerson(browser, { viewport: { width: 1600, height: 1000 } });
  seen = await watch(person);
  page = await inbox.signIn(person);
});
afterAll(async () => {
  await Promise.all([browser.close(), inbox.end()]);
});

const lane = (name: string, on = page): Locator => on.getByRole("region", { name: new RegExp(`^${name}`, "u") });
const card = (id: string, on = page): Locator => on.locator(`.card[data-id="${id}"]`);
const cardIn = (name: string, id: string, on = page): Locator => lane(name, on).locator(`.card[data-id="${id}"]`);

async function open(query = "", on = page, origin = inbox.origin): Promise<void> {
  await on.goto(`${origin}/runs${query}`);
  await on.getByText("Live").waitFor();
  await settled(on);
}

/** Where the focus is, by the card that it is in. */
const focused = (): Promise<string | undefined> =>
  page.evaluate(() => document.activeElement?.closest<HTMLElement>(".card")?.dataset["id"]);

describe("the board", () => {
  it("B7: every run stands in its lane, with its outcome, and leads to its question and its page", async () => {
    await open();
    await cardIn("Needs you", asked.runId).waitFor();
    await cardIn("Working", "works").waitFor();
    await cardIn("Stalled", "nobody").waitFor();
    await cardIn("Waiting", "sleeps")
      .getByText(/until .* \(in 2 h\)/u)
      .waitFor();
    await cardIn("Done", "good").getByText("Proof", { exact: true }).waitFor();
    await cardIn("Done", "bad").getByText("Failed", { exact: true }).waitFor();
    await cardIn("Done", "hostile").getByText("Claim", { exact: true }).waitFor();
    expect(await lane("Done").getByRole("heading").textContent()).toContain(String(MANY + 3));
    await lane("Done").getByRole("heading").getByText("1 failed").waitFor();
    // What it asks is what the card is called.
    expect(await card(asked.runId).locator(".card-title").textContent()).toBe("Sow now?");
    expect(await card(asked.runId).locator(".card-name").textContent()).toBe("test/p");
    expect(await card(asked.runId).locator(".card-why").count()).toBe(0);
    await cardIn("Needs you", asked.runId).getByRole("link", { name: "Sow now?" }).click();
    await page.waitForURL(`**/questions/${asked.id}`);
    await page.goBack();
    // All of a card leads to its run, also where nothing is written.
    await card("good").click({ position: { x: 4, y: 4 } });
    await page.waitForURL("**/runs/good");
  });

  it("B7: of many runs only those that are shown are on the page, and more come when asked for", async () => {
    await open("?process=nightly");
    expect(await page.locator(".card").count()).toBe(20);
    const more = page.getByRole("button", { name: "Show more of Done" });
    for (let shown = 40; shown <= 60; shown += 20) {
      await more.click();
      await page.waitForFunction((count) => document.querySelectorAll(".card").length === count, shown);
    }
    await more.click();
    await page.waitForFunction((count) => document.querySelectorAll(".card").length === count, MANY);
    await more.waitFor({ state: "detached" });
  });

  it("B7: what is searched for and chosen is in the address, survives a reload, and is taken away again", async () => {
    await open();
    await page.getByRole("searchbox").fill("KumQuat");
    await page.waitForURL("**/runs?search=KumQuat");
    await page.getByRole("status").filter({ hasText: "1 run matches." }).waitFor();
    await card("good").waitFor();
    expect(await page.locator(".card").count()).toBe(1);
    await page.getByRole("searchbox").fill("spoilt");
    await page.getByLabel("State").selectOption("failed");
    await page.waitForURL("**/runs?search=spoilt&state=failed");
    await page.reload();
    await card("bad").waitFor();
    expect(await page.locator(".card").count()).toBe(1);
    expect(await page.getByRole("searchbox").inputValue()).toBe("spoilt");
    expect(await page.getByLabel("State").inputValue()).toBe("failed");
    await page.getByRole("button", { name: /^State: Failed/u }).click();
    await page.waitForURL("**/runs?search=spoilt");
    await page.getByLabel("Day").fill("2001-02-03");
    await page.getByText("No run matches", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Clear all" }).click();
    await page.waitForURL("**/runs");
    await card(asked.runId).waitFor();
    expect(await page.getByRole("searchbox").inputValue()).toBe("");
  });

  it("B7: a filter that the server refuses is said, and can be taken away", async () => {
    await open("?state=made-up");
    await page
      .getByRole("alert")
      .getByText(/"state" must be one of/u)
      .waitFor();
    await page.getByRole("button", { name: /^State: made-up/u }).click();
    await card(asked.runId).waitFor();
    expect(await page.getByRole("alert").count()).toBe(0);
  });

  it("B7: hostile titles do nothing, and what is hidden in them is visible", async () => {
    await open();
    const title = card("hostile").locator(".card-title");
    expect(await title.textContent()).toContain("<img src=");
    expect(await title.locator(".hidden-character").count()).toBeGreaterThan(0);
    expect(await foreignMarkup(page, "bdi")).toEqual([]);
    expect(await notedIn(page)).toEqual([]);
    expect(seen.events).toEqual([]);
    expect([...seen.addresses, ...seen.pages].filter((address) => !address.startsWith(inbox.origin))).toEqual([]);
  });

  it("B7: with the keyboard alone: go there, move, pick two, compare, open, search", async () => {
    await page.goto(inbox.origin);
    await settled(page);
    for (const key of ["g", "u"]) await page.keyboard.press(key);
    await page.waitForURL("**/runs");
    await card(asked.runId).waitFor();
    await page.keyboard.press("j");
    expect(await focused()).toBe(asked.runId);
    expect(await focusProblem(page)).toBeUndefined();
    await page.keyboard.press("j");
    expect(await focused()).toBe("works");
    await page.keyboard.press("k");
    await page.keyboard.press("Enter");
    await page.waitForURL(`**/runs/${asked.runId}`);
    await page.goBack();
    await open("?process=nightly");
    for (const key of ["j", "x", "j", "x"]) await page.keyboard.press(key);
    const compare = page.getByRole("region", { name: "Compare" }).getByRole("button", { name: "Compare" });
    await compare.focus();
    await page.keyboard.press("Enter");
    await page.waitForURL("**/compare?left=old-0&right=old-1");
    await open();
    await page.keyboard.press("/");
    expect(await page.getByRole("searchbox").evaluate((field) => field === document.activeElement)).toBe(true);
  });

  it("B7: on a phone it is one list without sideways scrolling, and a picker leads to each lane", async () => {
    const phone = await newPerson(browser, { viewport: { width: 390, height: 844 } });
    const small = await inbox.signIn(phone);
    await open("", small);
    expect(await sideways(small)).toEqual([]);
    expect(await smallTargets(small)).toEqual([]);
    for (const colorScheme of ["light", "dark"] as const) {
      await small.emulateMedia({ colorScheme });
      await small.waitForFunction(() => document.getAnimations().length === 0);
      expect(await axeFindings(small)).toEqual([]);
    }
    await card("good", small).getByText("Compare", { exact: true }).waitFor();
    await small
      .getByRole("navigation", { name: "Lanes" })
      .getByRole("button", { name: /1 failed\s*Done$/u })
      .click();
    await small.waitForFunction(() => {
      const top = document.querySelector("#lane-done")?.getBoundingClientRect().top ?? Number.POSITIVE_INFINITY;
      return top >= 0 && top < 150;
    });
    await phone.close();
  });
});

describe("what stands where", () => {
  const places = (): Promise<[number, number][]> =>
    page
      .locator(".lane")
      .evaluateAll((lanes) =>
        lanes.map((one) => one.getBoundingClientRect()).map(({ x, width }) => [Math.round(x), Math.round(width)]),
      );

  it("lanes have the same places, however many runs stand in them", async () => {
    try {
      for (const [width, columns] of [
        [1_600, 5],
        [1_024, 3],
        [768, 2],
      ] as const) {
        await page.setViewportSize({ width, height: 1_000 });
        await open();
        const full = await places();
        expect([width, new Set(full.map(([x]) => x)).size]).toEqual([width, columns]);
        expect([width, new Set(full.map(([, wide]) => wide)).size]).toEqual([width, 1]);
        await open("?process=nightly");
        expect(await places()).toEqual(full);
        expect(await sideways(page)).toEqual([]);
      }
    } finally {
      await page.setViewportSize({ width: 1_600, height: 1_000 });
    }
  });

  it("while nothing is known yet nothing is counted, and a failure says what cannot be shown", async () => {
    const phone = await newPerson(browser, { viewport: { width: 390, height: 844 } });
    const small = await inbox.signIn(phone);
    await small.route(/\/api\/runs\?/u, () => undefined);
    await small.goto(`${inbox.origin}/runs`);
    const picker = small.getByRole("navigation", { name: "Lanes" });
    await picker.getByText("–").first().waitFor();
    expect(await picker.textContent()).not.toMatch(/\d/u);
    await small.unroute(/\/api\/runs\?/u);
    const error = { code: "SYSTEM_REFUSED", message: "The disk is full." };
    await small.route(/\/api\/runs\?/u, (route) => route.fulfill({ status: 503, json: { error } }));
    await small.goto(`${inbox.origin}/runs`);
    await small.getByRole("alert").getByText("The runs cannot be shown. The disk is full.").waitFor();
    expect(await small.getByRole("searchbox").count()).toBe(0);
    await small.unroute(/\/api\/runs\?/u);
    await small.getByRole("button", { name: "Try again" }).click();
    await card(asked.runId, small).waitFor();
    await small.getByRole("searchbox").waitFor();
    await phone.close();
  });
});

describe("live", () => {
  it("B7: a run that ends moves on in all tabs, but not away from under whoever has the focus in it", async () => {
    const other = await person.newPage();
    await open("", other);
    await page.bringToFront();
    await open();
    await page.keyboard.press("j");
    await page.keyboard.press("j");
    expect(await focused()).toBe("works");
    inbox.project.write({ "first-is-done": "" });
    await cardIn("Working", "works").getByText("Now: Done").waitFor();
    await cardIn("Working", "works").getByText("Proof", { exact: true }).waitFor();
    await lane("Done")
      .getByRole("heading")
      .getByText(String(MANY + 4))
      .waitFor();
    await lane("Working").getByRole("heading").getByText("0").waitFor();
    expect(await focused()).toBe("works");
    await cardIn("Done", "works", other).waitFor();
    await page.keyboard.press(".");
    await cardIn("Done", "works").waitFor();
    await page.waitForFunction(() => document.activeElement?.closest(".card[data-id=works]") !== null);
    await other.close();
  });

  it("B7: where nobody is at the cards a new run appears by itself, and waits behind a button otherwise", async () => {
    await open();
    const second = await inbox.ask({ question: "Second?" });
    await cardIn("Needs you", second.runId).waitFor();
    await card(second.runId).hover({ position: { x: 4, y: 4 } });
    const third = await inbox.ask({ question: "Third?" });
    const news = page.getByRole("button", { name: "1 new" });
    await news.waitFor();
    expect(await card(third.runId).count()).toBe(0);
    await news.click();
    await cardIn("Needs you", third.runId).waitFor();
  });

  it("while the server does not answer the board says how old it is", async () => {
    await open();
    expect(await page.getByText(/^Last updated/u).count()).toBe(0);
    await inbox.kill();
    await page.getByText(/^Last updated \d\d:\d\d$/u).waitFor();
    expect(await page.getByText("drafts").count()).toBe(0);
    await inbox.startAgain();
    await page.getByText(/^Last updated/u).waitFor({ state: "detached" });
  });
});

it("B7: cards with the same title tell their runs apart by name, and the age stays in the first line", async () => {
  const alone = await WebInbox.start(STEPS);
  const one = await newPerson(browser, { viewport: { width: 1280, height: 800 } });
  try {
    const goal = "Validate the form";
    const names = ["signup-form-of-the-public-website", "01M6Q7X4TTAB36RS1H6Y8A7CDE"];
    const happens = [{ what: "turn" as const, usd: 1.2 }];
    await addNight(
      alone.project,
      names.map((name) => ({ name, at: MORNING - 60, goal, happens })),
    );
    const title = "May the validation of the signup form be published?";
    const asks = await alone.ask({ question: "Publish it?", title }, { processId: "publish-the-website" });
    const tab = await alone.signIn(one);
    for (const width of [1280, 390, 320]) {
      await tab.setViewportSize({ width, height: 800 });
      await open("", tab, alone.origin);
      for (const name of names) {
        await card(name, tab).locator(".card-title").getByText(goal, { exact: true }).waitFor();
        expect(await card(name, tab).locator(".card-names").textContent()).toContain(name);
      }
      expect(await card(asks.runId, tab).locator(".card-names").textContent()).toContain(asks.runId);
      for (const id of [...names, asks.runId]) {
        const state = await card(id, tab).locator(".card-state").boundingBox();
        const age = await card(id, tab).locator(".card-age time").boundingBox();
        const middle = (age?.y ?? 0) + (age?.height ?? 0) / 2;
        expect(middle).toBeGreaterThan(state?.y ?? Number.NaN);
        expect(middle).toBeLessThan((state?.y ?? Number.NaN) + (state?.height ?? 0));
      }
      expect([width, await sideways(tab)]).toEqual([width, []]);
    }
  } finally {
    await Promise.all([one.close(), alone.end()]);
  }
});
