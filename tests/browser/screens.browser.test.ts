/** Every screen with nothing, with something, with far too much and from right to left: does it fit, and can it be read. */
import type { Browser, BrowserContext, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { program } from "../fixtures/browser/channels.js";
import { newPerson, startChrome } from "../fixtures/browser/chrome.js";
import { axeFindings, distance, sideways, smallTargets } from "../fixtures/browser/looks.js";
import { makeScene, SCREENS, type Scene } from "../fixtures/browser/scenes.js";
import { settled } from "../fixtures/browser/settled.js";

const PHONE = { width: 390, height: 844 };
/** The narrowest that there is, and what a phone with large letters comes to. */
const SMALL_PHONE = { width: 320, height: 640 };
const LAPTOP = { width: 1280, height: 800 };
const LOOKS = [PHONE, LAPTOP].flatMap((viewport) =>
  (["light", "dark"] as const).map((scheme) => ({ viewport, scheme })),
);

let browser: Browser;
beforeAll(async () => {
  browser = await startChrome();
});
afterAll(() => browser.close());

describe.each(["empty", "one", "long", "rtl"] as const)("an inbox with: %s", (state) => {
  // An inbox without questions has none to show.
  const screens = Object.entries(SCREENS).filter(([name]) => state !== "empty" || !/question|decided/u.test(name));
  let scene: Scene;
  let person: BrowserContext;
  let page: Page;
  beforeAll(async () => {
    scene = await makeScene(state);
    person = await newPerson(browser, { viewport: PHONE });
    page = await scene.inbox.signIn(person);
  });
  afterAll(async () => {
    await person.close();
    await scene.inbox.end();
  });

  async function show(addressOf: (scene: Scene) => string | undefined): Promise<void> {
    await page.setViewportSize(PHONE);
    await page.goto(`${scene.inbox.origin}${addressOf(scene)}`);
    await settled(page);
  }

  it.each(screens)(
    "B2: %s fits a narrow window and a wide one, and axe finds nothing serious",
    async (_, addressOf) => {
      await show(addressOf);
      const problems: string[] = [];
      // Colours are the same whatever there is to show; what is wide or long is not.
      const looks =
        state === "one" ? LOOKS : LOOKS.filter(({ viewport, scheme }) => (viewport === PHONE) === (scheme === "light"));
      for (const { viewport, scheme: colorScheme } of looks) {
        await page.setViewportSize(viewport);
        await page.emulateMedia({ colorScheme });
        await settled(page);
        const found = [...(await sideways(page)), ...(await axeFindings(page))];
        problems.push(...found.map((one) => `${viewport.width} ${colorScheme}: ${one}`));
      }
      expect(problems).toEqual([]);
    },
  );

  it.each(screens)("B2: %s has controls that a finger hits", async (_, addressOf) => {
    await show(addressOf);
    expect(await smallTargets(page)).toEqual([]);
  });
});

async function edges(element: Locator): Promise<{ left: number; right: number }> {
  const box = await element.boundingBox();
  if (box === null) throw new Error("Not on the screen.");
  return { left: box.x, right: box.x + box.width };
}

describe("on a phone", () => {
  let scene: Scene;
  beforeAll(async () => {
    scene = await makeScene("one");
  });
  afterAll(() => scene.inbox.end());

  it("B2: yes and no are far apart, on the screen without scrolling, in every step", async () => {
    const asked = await scene.inbox.ask({ question: "Ship it?" });
    const person = await newPerson(browser, { viewport: PHONE });
    const page = await scene.inbox.signIn(person);
    await page.goto(`${scene.inbox.origin}/questions/${asked.id}`);
    const bar = page.getByRole("region", { name: "Decision" });
    const yes = bar.getByRole("button", { name: /^Approve/u });
    const no = bar.getByRole("button", { name: /^Reject/u });
    await yes.waitFor();
    await settled(page);
    expect(await distance(yes, no)).toBeGreaterThanOrEqual(96);
    for (const button of [yes, no]) {
      const box = await button.boundingBox();
      expect(box?.y).toBeGreaterThanOrEqual(0);
      expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(PHONE.height);
    }
    await page.setViewportSize(SMALL_PHONE);
    expect(await distance(yes, no)).toBeGreaterThanOrEqual(96);
    expect(await sideways(page)).toEqual([]);
    await page.setViewportSize(PHONE);
    await bar.getByRole("button", { name: "Answer in words" }).click();
    await bar.getByLabel("Your answer").fill("no");
    await bar.getByRole("button", { name: /^Approve with this answer/u }).click();
    await bar.getByText("This sounds like a no.").waitFor();
    expect(await distance(yes, no)).toBeGreaterThanOrEqual(96);
    expect(await sideways(page)).toEqual([]);
    expect(await smallTargets(page)).toEqual([]);
    await bar.getByRole("button", { name: "Cancel" }).click();
    await no.click();
    expect(await smallTargets(page)).toEqual([]);
    expect(await sideways(page)).toEqual([]);
    await person.close();
  });

  it("B2: questions of one process are told apart by their runs, and no name pushes out the age", async () => {
    const long = `notes-${"with-a-long-name-".repeat(6)}end`;
    const asking = { question: "Write NOTES.md?", risk: "high" };
    const short = await scene.inbox.ask(asking, { runId: "notes-2" });
    const other = await scene.inbox.ask(asking, { runId: long });
    const decided = await scene.inbox.ask({ question: asking.question }, { runId: `decided-${long}` });
    await program(scene.inbox).decide(decided, { kind: "reject", reason: "It has been written already." });
    const person = await newPerson(browser, { viewport: PHONE });
    const page = await scene.inbox.signIn(person);
    const row = (id: string) => page.locator(`.row[data-id="${id}"]`);
    for (const [address, ids] of [
      ["/", [short.id, other.id]],
      ["/history", [decided.id]],
    ] as const) {
      await page.goto(`${scene.inbox.origin}${address}`);
      for (const id of ids) {
        await row(id).waitFor();
        for (const viewport of [PHONE, SMALL_PHONE]) {
          await page.setViewportSize(viewport);
          await settled(page);
          const [name, age] = [await edges(row(id).locator(".run-name")), await edges(row(id).locator("time"))];
          expect(name.right - name.left).toBeGreaterThan(24);
          expect(name.right).toBeLessThanOrEqual(age.left);
          expect(age.right).toBeLessThanOrEqual(viewport.width - 8);
        }
      }
    }
    expect(await row(decided.id).textContent()).toContain(long);
    await page.goto(scene.inbox.origin);
    expect(await row(short.id).textContent()).toContain("notes-2");
    expect(await row(short.id).getByText("Run is waiting").boundingBox()).toMatchObject({ width: 1, height: 1 });
    for (const { id, runId } of [short, other]) {
      await page.goto(`${scene.inbox.origin}/questions/${id}`);
      const link = page.locator(".where").getByRole("link", { name: runId });
      await link.waitFor();
      expect(await link.getAttribute("href")).toBe(`/runs/${runId}`);
      expect(await sideways(page)).toEqual([]);
    }
    await person.close();
  });

  it("the rest of a line that is cut can be hit", async () => {
    scene.inbox.project.write({ "wide.txt": `${"x".repeat(3_000)}\n` });
    const asked = await scene.inbox.ask({ question: "Is it too wide?", context: { files: ["wide.txt"] } });
    const person = await newPerson(browser, { viewport: PHONE });
    const page = await scene.inbox.signIn(person);
    await page.goto(`${scene.inbox.origin}/questions/${asked.id}`);
    await page.getByRole("button", { name: "… 1,000 more characters" }).waitFor();
    expect(await smallTargets(page)).toEqual([]);
    await person.close();
  });

  it("B2: the door of the inbox, and a page that is not there", async () => {
    const person = await newPerson(browser, { viewport: PHONE });
    const page = await person.newPage();
    const look = async (): Promise<void> => {
      await settled(page);
      expect(await sideways(page)).toEqual([]);
      expect(await smallTargets(page)).toEqual([]);
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme });
        expect(await axeFindings(page)).toEqual([]);
      }
    };
    await page.goto(scene.inbox.origin);
    await look();
    await page.goto(`${scene.inbox.origin}/sign-in#made-up`);
    await page.getByText("This link does not work").waitFor();
    await look();
    await person.close();
    const signedIn = await newPerson(browser, { viewport: PHONE });
    const inside = await scene.inbox.signIn(signedIn);
    await inside.goto(`${scene.inbox.origin}/nowhere`);
    await inside.getByText("There is no such page").waitFor();
    expect(await sideways(inside)).toEqual([]);
    expect(await axeFindings(inside)).toEqual([]);
    await signedIn.close();
  });
});
