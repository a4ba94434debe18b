/** The picture of a run in a real browser: with pointer and keys, live, long, narrow, and with hostile names. */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { JournalEvent } from "../../packages/sdk/src/view.js";
import { newPerson, startChrome } from "../fixtures/browser/chrome.js";
import { axeFindings, focusProblem, sideways, smallTargets } from "../fixtures/browser/looks.js";
import { serveWaterfall, type WaterfallPage } from "../fixtures/browser/waterfall-page.js";
import { HOSTILE } from "../fixtures/hostile-text.js";

const START = Date.UTC(2026, 10, 17, 21);
const HOUR = 3_600_000;

/** A journal by hand: the fields that a picture needs. */
class Story {
  readonly events: JournalEvent[] = [];

  constructor() {
    this.add(0, "RUN_CREATED", { runId: "r", processId: "release", entry: { path: "p.mjs", export: "process" } });
  }

  add(at: number, type: JournalEvent["type"], payload: object, effectId?: string): this {
    const effect = effectId === undefined ? {} : { effectId, taskId: effectId, invocationKey: `${effectId}:1` };
    const timestamp = new Date(START + at).toISOString();
    this.events.push({ seq: this.events.length + 1, type, timestamp, payload, ...effect } as unknown as JournalEvent);
    return this;
  }

  ask(at: number, id: string, title: string, more: { kind?: string; iteration?: number } = {}): this {
    return this.add(at, "EFFECT_REQUESTED", { kind: "shell", title, after: 1, iteration: 1, ...more }, id);
  }

  step([from, to]: [number, number], id: string, title: string, iteration = 1): this {
    return this.ask(from, id, title, { iteration })
      .add(from + 1, "EFFECT_STARTED", { attempt: 1 }, id)
      .end(to, id);
  }

  end(at: number, id: string, payload: object = {}): this {
    return this.add(at, "EFFECT_RESOLVED", { status: "ok", attempt: 1, result: { value: null }, ...payload }, id);
  }
}

/** Work, a night of waiting for somebody, a change of code, work that fails. */
function night(): Story {
  const error = { message: "exit 3\nand more" };
  return new Story()
    .step([0, 60_000], "build", "Build")
    .ask(60_000, "ask", "Ship it?", { kind: "breakpoint" })
    .end(9 * HOUR, "ask", { result: { value: { approved: true } } })
    .add(9 * HOUR, "CODE_CHANGED", {})
    .ask(9 * HOUR + 10, "ship", "Ship", { iteration: 2 })
    .add(9 * HOUR + 20, "EFFECT_STARTED", { attempt: 1 }, "ship")
    .add(9 * HOUR + 60_000, "EFFECT_RESOLVED", { status: "error", attempt: 1, error }, "ship")
    .step([9 * HOUR + 60_010, 9 * HOUR + 60_040], "undo", "Undo", 2)
    .step([9 * HOUR + 60_050, 9 * HOUR + 60_090], "tell", "Tell everybody", 2)
    .add(9 * HOUR + 60_100, "RUN_FAILED", {});
}

function long(steps: number): Story {
  const story = new Story();
  for (let n = 0; n < steps; n += 1)
    story.step([n * 1_000, n * 1_000 + 700], `e${n}`, `Step ${n}`, 1 + Math.floor(n / 100));
  return story;
}

let browser: Browser;
let served: WaterfallPage;
beforeAll(async () => {
  [browser, served] = await Promise.all([startChrome(), serveWaterfall()]);
});
afterAll(async () => {
  await browser.close();
  await served.end();
});

async function open({ events }: Story, width = 1_280, now = START + 10 * HOUR): Promise<Page> {
  Object.assign(served, { events, now });
  const person = await newPerson(browser, { viewport: { width, height: 844 } });
  const page = await person.newPage();
  await page.goto(served.origin);
  await page.getByRole("listbox", { name: "Steps" }).waitFor();
  return page;
}

const chosen = (page: Page): Promise<number[]> =>
  page.evaluate(() => (window as unknown as { shown: { chosen: number[] } }).shown.chosen);
const show = (page: Page, change: object): Promise<void> =>
  page.evaluate((more) => (window as unknown as { show: (more: object) => void }).show(more), change);
const part = async (page: Page): Promise<string | null> =>
  page.getByRole("slider", { name: "Visible part of the run" }).getAttribute("aria-valuetext");
/** Of the rows, as it is painted. */
const picture = (page: Page): Promise<string> =>
  page.evaluate(() => document.querySelector<HTMLCanvasElement>(".fall-rows canvas")?.toDataURL() ?? "");

describe("with keys", () => {
  it("B7: arrows go from step to step, Enter chooses its first event, with shift its last, and the focus is seen", async () => {
    const page = await open(night());
    await page.getByRole("option").first().focus();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Shift+Enter");
    expect(await chosen(page)).toEqual([5, 10]);
    const last = page.getByRole("option", { name: "Ship", exact: false }).last();
    expect([await last.getAttribute("aria-selected"), await last.getAttribute("tabindex")]).toEqual(["true", "0"]);
    expect(await focusProblem(page)).toBeUndefined();
    await page.context().close();
  });

  it("B7: the window over the run moves, grows, and shows all again; flags choose their event", async () => {
    const page = await open(night());
    const whole = await part(page);
    await page.getByRole("button", { name: "Zoom in" }).click();
    const middle = await part(page);
    expect(middle).not.toBe(whole);
    await page.getByRole("slider", { name: "Visible part of the run" }).focus();
    await page.keyboard.press("ArrowRight");
    const moved = await part(page);
    await page.keyboard.press("Shift+ArrowRight");
    expect(new Set([whole, middle, moved, await part(page)]).size).toBe(4);
    await page.keyboard.press("Escape");
    expect(await part(page)).toBe(whole);
    await page.getByRole("button", { name: /code changed/u }).press("Enter");
    expect(await chosen(page)).toEqual([7]);
    await page.context().close();
  });
});

describe("with a pointer", () => {
  it("B7: dragging over the small picture shows that part, a wheel with control zooms, a double click shows a step", async () => {
    const page = await open(night());
    const whole = await part(page);
    const strip = await page.locator(".fall-strip").boundingBox();
    if (strip === null) throw new Error("There is no small picture.");
    await page.mouse.move(strip.x + strip.width * 0.3, strip.y + 20);
    await page.mouse.down();
    await page.mouse.move(strip.x + strip.width * 0.6, strip.y + 20, { steps: 4 });
    await page.mouse.up();
    const dragged = await part(page);
    expect(dragged).not.toBe(whole);
    await page.getByRole("button", { name: "All" }).click();
    await page.getByRole("option").nth(2).hover();
    await page.keyboard.down("Control");
    await page.mouse.wheel(0, -300);
    await page.keyboard.up("Control");
    await expect.poll(() => part(page)).not.toBe(whole);
    await page.getByRole("button", { name: "All" }).click();
    await page.getByRole("option").first().dblclick();
    expect(await part(page)).not.toBe(whole);
    expect((await chosen(page)).at(-1)).toBe(2);
    await page.context().close();
  });

  it("B7: what is under it is told with its state, its time, and the first line of its error", async () => {
    const page = await open(night());
    await page.getByRole("option").nth(2).hover();
    const told = await page.getByRole("tooltip").innerText();
    expect(told).toContain("Failed");
    expect(told).toContain("exit 3");
    expect(told).not.toContain("and more");
    await page.context().close();
  });
});

describe("what it shows", () => {
  it("B7: a night of waiting is shortened and says so, unless it is wanted in full", async () => {
    const page = await open(night());
    const words = page.getByText("8 h 59 min waiting on you");
    expect(await words.isVisible()).toBe(true);
    const shortened = await picture(page);
    await page.getByRole("button", { name: "Shorten waits" }).click();
    expect(await words.count()).toBe(0);
    expect(await picture(page)).not.toBe(shortened);
    await page.context().close();
  });

  it("of a run that is over two steps are seen at a glance: there is nothing to zoom", async () => {
    const story = new Story()
      .step([0, 5_000], "a", "Build")
      .step([5_000, 9_000], "b", "Test")
      .add(9_001, "RUN_COMPLETED", {});
    const page = await open(story, 1_280, START + 20_000);
    await page.getByRole("option").nth(1).waitFor();
    expect(await page.getByRole("button", { name: "Compact" }).count()).toBe(0);
    await page.context().close();
  });

  it("B7: a running run has a marker for now, and grows while it is looked at", async () => {
    const story = new Story()
      .step([0, 5_000], "a", "Build")
      .ask(5_000, "b", "Test")
      .add(5_100, "EFFECT_STARTED", { attempt: 1 }, "b");
    const page = await open(story, 1_280, START + 20_000);
    expect(await page.locator(".fall-now").isVisible()).toBe(true);
    // More steps may come, and tools that came with them would push these away.
    expect(await page.getByRole("button", { name: "Compact" }).count()).toBe(1);
    expect(await page.getByRole("option").nth(1).innerText()).toContain("Running");
    const before = await picture(page);
    await show(page, { at: START + 60_000 });
    await expect.poll(() => picture(page)).not.toBe(before);
    await page.context().close();
  });

  it("B7: an event that is chosen elsewhere brings its step into view, in 20,000 of which few are on the page", async () => {
    const page = await open(long(20_000));
    expect(await page.getByRole("option").count()).toBeLessThan(60);
    await show(page, { selected: 3 * 15_000 + 3 });
    const step = page.getByRole("option", { selected: true });
    await expect.poll(async () => (await step.count()) > 0 && (await step.innerText())).toContain("Step 15000");
    const [box, row] = [await page.locator(".fall-box").boundingBox(), await step.boundingBox()];
    expect(row !== null && box !== null && row.y >= box.y && row.y + row.height <= box.y + box.height + 1).toBe(true);
    await page.getByRole("button", { name: "Compact" }).click();
    expect(await page.getByRole("option").count()).toBeLessThan(60);
    await page.context().close();
  });

  it("B2: colours follow the theme", async () => {
    const page = await open(night());
    const light = await picture(page);
    await page.emulateMedia({ colorScheme: "dark" });
    await expect.poll(() => picture(page)).not.toBe(light);
    await page.context().close();
  });

  it.each([390, 1_280])("B2: at %i pixels it fits, fingers hit it, and axe finds nothing serious", async (width) => {
    const page = await open(night(), width);
    const problems: string[] = [];
    // As it is, with one of them pressed, with both, and with the other.
    for (const colorScheme of ["light", "dark"] as const)
      for (const press of ["Compact", "Shorten waits", "Compact", "Shorten waits"]) {
        await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
        problems.push(...(await sideways(page)), ...(await axeFindings(page)));
        if (width === 390) problems.push(...(await smallTargets(page)));
        await page.getByRole("button", { name: press }).click();
      }
    expect(problems).toEqual([]);
    await page.context().close();
  });

  it.each([390, 1_280])("B2: at %i pixels titles begin at one edge, in whichever direction they run", async (width) => {
    const page = await open(new Story().step([0, 500], "a", "Build").step([500, 900], "b", "שלום עולם"), width);
    const lefts = await page.locator(".fall-title").evaluateAll((titles) =>
      titles.map((title) => {
        const text = document.createRange();
        text.selectNodeContents(title);
        return Math.round(text.getBoundingClientRect().left);
      }),
    );
    expect(lefts).toEqual([lefts[0], lefts[0]]);
    await page.context().close();
  });

  it("B8: hostile names and errors stay text", async () => {
    const text = `${HOSTILE}<img src=x onerror="document.title='bad'">`;
    const story = new Story().ask(0, "a", text, { kind: text }).add(1, "EFFECT_STARTED", { attempt: 1 }, "a");
    story.add(500, "EFFECT_RESOLVED", { status: "error", attempt: 1, error: { message: text } }, "a");
    const page = await open(story, 390);
    await page.getByRole("option").first().hover();
    expect(await page.locator("main img").count()).toBe(0);
    expect(await page.title()).toBe("Run");
    expect(await page.getByRole("option").first().innerText()).not.toMatch(/[\u202a-\u202e\u2066-\u2069\u200b]/u);
    expect(await sideways(page)).toEqual([]);
    await page.context().close();
  });
});
