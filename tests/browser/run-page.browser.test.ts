/** The page of a run: long ones, travel in time, live ones, two tabs, and the keyboard alone. */
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  type JournalEvent,
  type RunStatus,
  type RunSummary,
  stateAfter,
  statusOf,
} from "../../packages/sdk/src/view.js";
import { newPerson, startChrome } from "../fixtures/browser/chrome.js";
import { randomFrom, writeLongRun } from "../fixtures/browser/long-run.js";
import { focusProblem } from "../fixtures/browser/looks.js";
import { addNight } from "../fixtures/browser/night.js";
import { button, chip, RunPages, tabTo } from "../fixtures/browser/run-pages.js";
import { STEP_PROCESS, StepRuns, until } from "../fixtures/browser/step-runs.js";
import { WebInbox } from "../fixtures/browser/web-inbox.js";
import { MORNING } from "../fixtures/runs/nights.js";

const LENGTH = 5_000;
const POSITIONS = 50;
/** Of the run that is gone through by keys. */
const KEYED = 60;

let browser: Browser;
let inbox: WebInbox;
let runs: StepRuns;
let pages: RunPages;
let person: BrowserContext;
let page: Page;
let long: JournalEvent[];

beforeAll(async () => {
  [browser, inbox] = await Promise.all([startChrome(), WebInbox.start(STEP_PROCESS)]);
  runs = new StepRuns(inbox);
  pages = new RunPages(inbox);
  long = await writeLongRun(inbox.project.runsDir, "long", LENGTH);
  await writeLongRun(inbox.project.runsDir, "keyed", KEYED);
  await addNight(inbox.project, [
    { name: "loop", at: MORNING - 30, goal: "Make it fast", happens: [{ what: "turn", usd: 1 }] },
    { name: "ends", at: MORNING - 20, goal: "Make it slow", happens: [{ what: "turn", usd: 1 }] },
  ]);
  person = await newPerson(browser);
  page = await inbox.signIn(person);
});
afterAll(async () => {
  await Promise.all([browser.close(), inbox.end()]);
});

const slider = (on = page) => on.getByRole("slider", { name: "Show the run after event" });
const line = (text: string) => page.locator(".log .code-text").getByText(text, { exact: true });

const WORDS: Readonly<Record<RunStatus, string>> = {
  created: "Created",
  running: "Running",
  waiting: "Waiting",
  blocked: "Blocked",
  paused: "Paused",
  completed: "Completed",
  failed: "Failed",
  cancelled: "Cancelled",
};

/** What a page has to say about a run that stood like this. */
function wordsFor(state: RunSummary): { state: string; why: string } {
  const pending = Object.values(state.pending);
  const kinds = new Set(pending.map(({ kind }) => kind));
  const waits = kinds.has("breakpoint")
    ? "Needs you"
    : kinds.size === 1 && kinds.has("sleep")
      ? "Waiting for time"
      : "";
  const isWaiting = statusOf(state) === "waiting" && waits !== "";
  const names = pending.slice(0, 5).map(({ title }) => title);
  if (pending.length > 5) names.push(`${pending.length - 5} more`);
  const { requested, ok, error } = state.counts;
  return {
    state: isWaiting ? waits : WORDS[statusOf(state)],
    why: `${names.length === 0 ? "Nothing was pending." : `Waiting for: ${names.join(", ")}.`} ${requested} asked for, ${ok} done, ${error} failed; iteration ${state.iterations}.`,
  };
}

describe("a long run", () => {
  it("B7: of 5,000 events opens, with all of them in the picture and in the list", async () => {
    await pages.open(page, "long");
    await page.getByText(`${LENGTH.toLocaleString("en")} / ${LENGTH.toLocaleString("en")}`).waitFor();
    await page.getByRole("listbox", { name: "Steps" }).getByText("Step 0", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Integrity verified" }).waitFor();
    await page.keyboard.press("2");
    await page.locator("#run-tab-events[aria-selected=true]").waitFor();
    const row = (seq: number) =>
      page.locator(".event-row").filter({ has: page.getByText(String(seq), { exact: true }) });
    await row(1).waitFor();
    await pages.open(page, "long", { part: "events", query: `&event=${LENGTH}` });
    await row(LENGTH).waitFor();
    await page.getByRole("complementary", { name: "The chosen event" }).getByText(`Event ${LENGTH}`).waitFor();
    expect(await page.locator(".event-row").count()).toBeLessThan(300);
  });

  it("B7: the slider shows exactly what the fold of the events up to there says", async () => {
    const seed = Date.now() % 1_000_000;
    console.log(`slider: seed ${seed}`);
    const random = randomFrom(seed);
    await pages.open(page, "long");
    for (let n = 0; n < POSITIONS; n += 1) {
      const at = 1 + random(LENGTH - 1);
      await slider().fill(String(at));
      await page.locator(".travel-banner").getByText(`after event ${at} of ${LENGTH}`).waitFor();
      const shown = await page.evaluate(() => ({
        state: document.querySelector(".run-head .run-state")?.textContent,
        why: document.querySelector(".run-why")?.textContent,
      }));
      expect({ at, ...shown }).toEqual({ at, ...wordsFor(stateAfter(long.slice(0, at), at) as RunSummary) });
    }
    await button(page, "Back to now").click();
    await page.locator(".travel-banner").waitFor({ state: "detached" });
    expect(await slider().inputValue()).toBe(String(LENGTH));
  });
});

describe("live", () => {
  it("B7: new steps arrive by themselves and push nothing away, and the log of a running task grows, also after a reload", async () => {
    const { project } = inbox;
    runs.drive("live", {
      steps: [
        { title: "first", command: until("go-1") },
        // So many that the picture has tools.
        ...Array.from({ length: 4 }, (_, n) => ({ title: `quick ${n}`, command: "true" })),
        { title: "talks", command: `seq 1 300; ${until("go-2")}; echo and-more; ${until("go-3")}; echo the-last` },
      ],
    });
    await pages.open(page, "live");
    await chip(page, "Working").waitFor();
    const steps = page.getByRole("listbox", { name: "Steps" });
    await steps.getByText("first", { exact: true }).waitFor();
    expect(await steps.getByText("talks", { exact: true }).count()).toBe(0);
    const places = () =>
      page.evaluate(() =>
        [".run-head", ".run-tabs", ".fall-box [role=option]"].map(
          (name) => document.querySelector(name)?.getBoundingClientRect().top,
        ),
      );
    await page.evaluate(() => Object.assign(window, { neverReloaded: true }));
    const before = await places();
    project.write({ "go-1": "" });
    await steps.getByText("talks", { exact: true }).waitFor();
    await steps.getByRole("option").nth(5).getByText("Running").waitFor();
    expect(await places()).toEqual(before);
    expect(await page.evaluate(() => "neverReloaded" in window)).toBe(true);

    await pages.open(page, "live", { part: "logs" });
    await line("300").waitFor();
    await page.locator(".log-foot").getByText("Following").waitFor();
    project.write({ "go-2": "" });
    await line("and-more").waitFor();
    await page.getByRole("searchbox", { name: "Search this log" }).fill("150");
    await page.waitForURL(/find=150/u);
    const address = page.url();
    await page.reload();
    await page.locator(".log .is-current").getByText("150", { exact: true }).waitFor();
    expect(page.url()).toBe(address);
    await button(page, "Jump to end").click();
    await line("and-more").waitFor();
    project.write({ "go-3": "" });
    await line("the-last").waitFor();
    await page.locator(".log-foot").getByText("End of log").waitFor();
    await chip(page, "Completed").waitFor();
  });

  it("B7: whoever reads further up in the events is told of new ones, and not moved", async () => {
    const events = page.locator(".event-list");
    runs.drive("grows", {
      steps: [
        ...Array.from({ length: 12 }, (_, n) => ({ title: `step ${n}`, command: "true" })),
        { title: "waits", command: until("grow") },
        { title: "after it", command: "true" },
      ],
    });
    await pages.open(page, "grows", { part: "events" });
    const started = () => inbox.project.events("grows", "EFFECT_STARTED").length;
    await expect.poll(started, { timeout: 30_000 }).toBe(13);
    const known = inbox.project.events("grows").length;
    await page.getByText(`${known} / ${known}`).waitFor();
    await events.hover();
    await events.evaluate((element) => element.scrollTo({ top: 0 }));
    inbox.project.write({ grow: "" });
    await chip(page, "Completed").waitFor();
    const fresh = page.getByRole("button", { name: /new events?$/u });
    await fresh.waitFor();
    expect(await events.evaluate(({ scrollTop }) => scrollTop)).toBe(0);
    await fresh.click();
    await events.getByText("RUN_COMPLETED").waitFor();
  });
});

describe("two tabs", () => {
  it("B7: both follow one run, and what is done in one is seen in the other", async () => {
    const other = await person.newPage();
    await pages.open(page, "loop");
    await pages.open(other, "loop", { part: "events" });
    await button(page, "Pause").click();
    await page.getByText("The loop is paused.").waitFor();
    await chip(other, "Paused").waitFor();
    await other.locator(".event-row").getByText("LOOP_PAUSED").waitFor();
    await button(other, "Resume").click();
    await other.getByText("The loop is resumed.").waitFor();
    await button(page, "Pause").waitFor();
    expect(await button(page, "Resume").count()).toBe(0);
    await pages.open(other, "ends");
    await pages.open(page, "ends");
    await button(other, "Cancel run…").click();
    await other.getByLabel("Reason").fill("enough of it");
    await button(other, "Cancel the run").click();
    await chip(page, "Cancelled").waitFor();
    await page.getByText("enough of it").first().waitFor();
    expect(await button(page, "Cancel run…").count()).toBe(0);
    await other.close();
    await page.bringToFront();
  });
});

describe("with the keyboard alone", () => {
  it("B7: from the board into a run, through its parts, its events and its time, to a fork, and back", async () => {
    await page.goto(`${inbox.origin}/runs?process=keyed`);
    await page.locator(".card[data-id=keyed]").waitFor();
    await page.keyboard.press("j");
    await page.keyboard.press("Enter");
    await page.waitForURL("**/runs/keyed");
    const tab = (name: string) => page.getByRole("tab", { name, exact: true });
    await page.getByText(`${KEYED.toLocaleString("en")} / ${KEYED.toLocaleString("en")}`).waitFor();
    await tabTo(page, tab("Steps"));
    expect(await focusProblem(page)).toBeUndefined();
    for (const name of ["Events", "Logs", "Files", "Criteria", "Transcripts"]) {
      await page.keyboard.press("ArrowRight");
      await page.waitForFunction((word) => document.activeElement?.textContent === word, name);
      expect(await tab(name).getAttribute("aria-selected")).toBe("true");
    }
    await page.keyboard.press("2");
    await page.waitForURL(/part=events/u);
    for (const key of ["j", "j", "k", "j"]) await page.keyboard.press(key);
    const chosen = page.getByRole("complementary", { name: "The chosen event" });
    await chosen.getByRole("heading", { name: "Event 2", exact: true }).waitFor();
    await tabTo(page, page.locator(".event-row[aria-current=true]"));
    await page.keyboard.press("ArrowDown");
    await chosen.getByRole("heading", { name: "Event 3", exact: true }).waitFor();
    await page.waitForURL(/event=3/u);
    await tabTo(page, slider(), "Shift+Tab");
    expect(await focusProblem(page)).toBeUndefined();
    await page.keyboard.press("ArrowLeft");
    await page
      .locator(".travel-banner")
      .getByText(`after event ${KEYED - 1} of ${KEYED}`)
      .waitFor();
    await page.keyboard.press("h");
    await page
      .locator(".travel-banner")
      .getByText(`after event ${KEYED - 2} of ${KEYED}`)
      .waitFor();
    await page.waitForURL(new RegExp(`at=${KEYED - 2}`, "u"));
    await tabTo(page, button(page, "Fork from here"), "Shift+Tab");
    await page.keyboard.press("Enter");
    await page.getByText("The run was copied.").waitFor();
    await tabTo(page, page.getByRole("link", { name: /^Open the copy/u }));
    await page.keyboard.press("Enter");
    await page.getByText(`after event ${KEYED - 2}`).waitFor();
    await page.getByText(/^Forked from/u).waitFor();
    expect(new URL(page.url()).pathname).not.toBe("/runs/keyed");
    await page.goBack();
    await page.waitForURL(new RegExp(`/runs/keyed.*at=${KEYED - 2}`, "u"));
    await page.locator(".travel-banner").waitFor();
    await page.keyboard.press("Escape");
    await page.locator(".travel-banner").waitFor({ state: "detached" });
    for (const key of ["g", "u"]) await page.keyboard.press(key);
    await page.waitForURL("**/runs");
  });
});
