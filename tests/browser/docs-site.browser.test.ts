/** The documentation as a site, built and opened from the disk in a real browser. */
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import axe from "axe-core";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newPerson, startChrome } from "../fixtures/browser/chrome.js";
import { makeTempDir, removeTempDir } from "../fixtures/temp-dir.js";

const TOOL = fileURLToPath(new URL("../../tools/site.mjs", import.meta.url));
const PHONE = { width: 390, height: 844 };
const SIZES = [{ width: 1400, height: 900 }, PHONE];

/** Words of text that stand on two lines, and whether the page is wider than its window. Code may be broken. */
function broken(): string[] {
  const found = document.documentElement.scrollWidth > innerWidth ? ["is too wide"] : [];
  const range = document.createRange();
  const isBroken = (): boolean => new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1;
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
    if (node.parentElement?.closest("code, script") !== null) continue;
    range.selectNodeContents(node);
    // Most texts have one line.
    if (!isBroken()) continue;
    for (const { 0: word, index } of (node.nodeValue ?? "").matchAll(/[\p{L}\p{N}]+/gu)) {
      range.setStart(node, index);
      range.setEnd(node, index + word.length);
      if (isBroken()) found.push(word);
    }
  }
  return found;
}

let browser: Browser;
let site: string;

beforeAll(async () => {
  site = path.join(makeTempDir(), "site");
  execFileSync(process.execPath, [TOOL, site]);
  browser = await startChrome();
});

afterAll(async () => {
  await browser?.close();
  removeTempDir(path.dirname(site));
});

/** With everything that it asks others for, or complains about. */
async function open(file: string, options: object = {}): Promise<{ page: Page; trouble: string[] }> {
  const page = await (await newPerson(browser, options)).newPage();
  const trouble: string[] = [];
  page.on("request", (request) => {
    if (!request.url().startsWith("file:")) trouble.push(`asks for ${request.url()}`);
  });
  page.on("requestfailed", (request) => void trouble.push(`failed: ${request.url()}`));
  page.on("console", (message) => void trouble.push(message.text()));
  page.on("pageerror", (error) => void trouble.push(error.message));
  await page.goto(pathToFileURL(path.join(site, file)).href);
  return { page, trouble };
}

function pagesOfSite(): string[] {
  return fs.readdirSync(site, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".html"));
}

let searchPage: { page: Page } | undefined;

/** One page for everything that is typed. */
async function searching(): Promise<{ page: Page }> {
  searchPage ??= await open("index.html", { viewport: SIZES[0] });
  return searchPage;
}

/** The addresses of what is found, best first. */
async function hitsFor(typed: string): Promise<string[]> {
  const { page } = await searching();
  await page.fill("#query", "");
  await page.locator("#found").waitFor({ state: "hidden" });
  await page.fill("#query", typed);
  await page.locator("#found").waitFor();
  return page.locator("#hits a").evaluateAll((links) => links.map((link) => link.getAttribute("href") ?? ""));
}

/** What would keep people from reading it. */
async function offences(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate<{ violations: { id: string; nodes: { html: string }[] }[] }>(
    "axe.run(document, { runOnly: ['wcag2a', 'wcag2aa'] })",
  );
  return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
}

describe("the documentation as a site", () => {
  it("D2: every link and picture on every page leads to a file of the site, or out of it", () => {
    const files = pagesOfSite();
    const dead = files.flatMap((file) => {
      const html = fs.readFileSync(path.join(site, file), "utf8");
      return [...html.matchAll(/\s(?:href|src)="(?<target>[^"#]+)(?:#[^"]*)?"/gu)]
        .map(({ groups }) => (groups?.["target"] ?? "").replaceAll("&amp;", "&"))
        .filter((target) => !/^https?:/u.test(target))
        .filter((target) => !fs.existsSync(path.join(site, path.dirname(file), decodeURI(target))))
        .map((target) => `${file}: ${target}`);
    });
    expect(files.length).toBeGreaterThan(30);
    expect(files).not.toContain("AGENTS.html");
    expect(dead).toEqual([]);
  });

  it("D2: search finds sections and leads there, from the disk, without any network", async () => {
    const { page, trouble } = await open("docs/guide/loops.html");
    await page.keyboard.press("/");
    await page.keyboard.type("exit codes");
    await page.locator("#hits a").first().waitFor();
    await page.keyboard.press("Enter");
    await page.waitForURL(/#exit-codes$/u);
    expect(trouble).toEqual([]);
  });

  it.each([
    ["retry", "docs/guide/tasks.html"],
    ["resume", "docs/guide/loops.html"],
    ["stuck", "docs/guide/troubleshooting.html"],
    ['"stuck"', "docs/guide/troubleshooting.html"],
    ["telegram", "docs/guide/notifications.html"],
    ["CI", "docs/guide/ci.html"],
    ["timeout", "docs/guide/agents.html"],
    ["secret", "docs/guide/security.html"],
    ["uninstall", "docs/guide/upgrade.html"],
    ["ralph", "docs/coming-from-ralph.html"],
    ["stop hook", "docs/guide/loops.html"],
    ["stop-hook", "docs/guide/loops.html"],
    ["virtual clock", "docs/guide/testing.html"],
    ["permission", "docs/guide/claude-code.html"],
    ["budget", "docs/guide/loops.html"],
    ["run:list", "docs/reference/cli.html"],
    ["hung", "docs/guide/troubleshooting.html"],
    ["corrupt", "docs/guide/troubleshooting.html"],
    ["phone", "docs/guide/notifications.html"],
  ])("D2: whoever types %s finds %s first", async (typed, expected) => {
    const [first = ""] = await hitsFor(typed);
    expect(first.replace(/#.*/u, "")).toBe(expected);
  });

  it("D2: search matches words from their beginning, with a part of what was typed if need be", async () => {
    // De-ci-sions are no CI.
    expect((await hitsFor("CI")).join(" ")).not.toContain("loop-decisions");
    const { page } = await searching();
    const note = page.locator("#said");
    await page.fill("#query", "telegram qqqqzz");
    await note.getByText("No section has all of these words.").waitFor();
    expect(await page.locator("#hits a").first().textContent()).toContain("Telegram");
    await page.fill("#query", "qqqqzz");
    await note.getByText("Nothing found.").waitFor();
    expect(await page.locator("#hits a").count()).toBe(0);
    await page.fill("#query", "glossary");
    // The page says its name once.
    const glossary = page.locator('#hits a[href="docs/glossary.html#glossary"]');
    await glossary.waitFor();
    expect(await glossary.locator("small").count()).toBe(0);
    await page.fill("#query", "retries");
    await page.locator("#hits mark", { hasText: "retry" }).first().waitFor();
  });

  it("D2: what was found can be walked with arrow keys, and there is more of it", async () => {
    const { page } = await open("index.html");
    const focused = (): Promise<string | null> =>
      page.evaluate(() => document.activeElement?.id || (document.activeElement?.getAttribute("href") ?? null));
    await page.fill("#query", "run");
    const links = page.locator("#hits a");
    await links.nth(11).waitFor();
    expect(await links.count()).toBe(12);
    await page.focus("#query");
    await page.keyboard.press("ArrowDown");
    expect(await focused()).toBe(await links.first().getAttribute("href"));
    await page.keyboard.press("ArrowDown");
    expect(await focused()).toBe(await links.nth(1).getAttribute("href"));
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("ArrowUp");
    expect(await focused()).toBe("query");
    await page.keyboard.press("ArrowUp");
    expect(await focused()).toBe("more");
    await page.keyboard.press("Enter");
    await links.nth(23).waitFor();
    expect(await focused()).toBe(await links.nth(12).getAttribute("href"));
    await page.keyboard.press("Escape");
    expect([await focused(), await page.locator("#found").isVisible()]).toEqual(["query", false]);
    await page.keyboard.press("End");
    await page.keyboard.type(" list");
    await page.locator("#hits strong", { hasText: "run:list" }).waitFor();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.waitForURL(/#runlist$/u);
  });

  it("D2: on a phone what was found is as wide as the window", async () => {
    const { page } = await open("docs/guide/loops.html", { viewport: PHONE });
    await page.fill("#query", "retry");
    await page.locator("#hits a").first().waitFor();
    expect((await page.locator("#found").boundingBox())?.width).toBe(PHONE.width);
  });

  it("D2: a heading's link is seen where the pointer or the focus is, and moves nothing", async () => {
    const { page } = await open("docs/guide/loops.html", { viewport: PHONE });
    const heading = page.locator("main h2").first();
    const link = heading.locator(".anchor");
    const opacity = (): Promise<string> => link.evaluate((element) => getComputedStyle(element).opacity);
    expect(await opacity()).toBe("0");
    await heading.hover();
    expect(await opacity()).toBe("1");
    await page.mouse.move(0, 0);
    expect(await opacity()).toBe("0");
    await page.locator("main h1 .anchor").focus();
    while (!(await link.evaluate((element) => element === document.activeElement))) await page.keyboard.press("Tab");
    expect(await opacity()).toBe("1");
    const [whole, sign] = [await heading.boundingBox(), await link.boundingBox()];
    expect(sign?.x).toBeGreaterThanOrEqual(0);
    expect((sign?.x ?? 0) + (sign?.width ?? 0)).toBeLessThanOrEqual(whole?.x ?? 0);
  });

  it("D2: no word is broken, and no page is wider than its window, at 1280 and 390 px", async () => {
    const { page } = await open("index.html");
    const problems: string[] = [];
    for (const file of pagesOfSite()) {
      await page.goto(pathToFileURL(path.join(site, file)).href);
      for (const width of [1280, PHONE.width]) {
        await page.setViewportSize({ width, height: 900 });
        problems.push(...(await page.evaluate(broken)).map((what) => `${file}, ${width} px: ${what}`));
      }
    }
    expect(problems).toEqual([]);
  });

  it("D2: the navigation leads to the pages of the index", async () => {
    const { page, trouble } = await open("index.html", { viewport: SIZES[0] });
    await page.getByRole("link", { name: "Command line", exact: true }).click();
    await page.waitForURL(/docs\/reference\/cli\.html/u);
    expect(await page.locator("nav [aria-current]").textContent()).toBe("Command line");
    expect(trouble).toEqual([]);
  });

  it.each(SIZES.flatMap((viewport) => (["light", "dark"] as const).map((colorScheme) => ({ viewport, colorScheme }))))(
    "D2: fits and can be read: $viewport.width px, $colorScheme",
    async (options) => {
      for (const file of ["index.html", "docs/reference/cli.html", "docs/guide/tasks.html"]) {
        const { page } = await open(file, options);
        const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        const found = file === "docs/guide/tasks.html" ? await offences(page) : [];
        expect([file, over, found]).toEqual([file, 0, []]);
        await page.context().close();
      }
    },
  );
});
