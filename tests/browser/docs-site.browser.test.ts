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
const SIZES = [
  { width: 1400, height: 900 },
  { width: 390, height: 844 },
];

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
    const files = fs.readdirSync(site, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".html"));
    const dead = files.flatMap((file) => {
      const html = fs.readFileSync(path.join(site, file), "utf8");
      return [...html.matchAll(/\s(?:href|src)="(?<target>[^"#]+)(?:#[^"]*)?"/gu)]
        .map(({ groups }) => (groups?.["target"] ?? "").replaceAll("&amp;", "&"))
        .filter((target) => !/^https?:/u.test(target))
        .filter((target) => !fs.existsSync(path.join(site, path.dirname(file), decodeURI(target))))
        .map((target) => `${file}: ${target}`);
    });
    expect(files.length).toBeGreaterThan(30);
    expect(dead).toEqual([]);
  });

  it("D2: search finds sections and leads there, from the disk, without any network", async () => {
    const { page, trouble } = await open("docs/guide/loops.html");
    await page.keyboard.press("/");
    await page.keyboard.type("exit codes");
    const first = page.locator("#found a").first();
    await first.waitFor();
    expect(await first.textContent()).toContain("Errors and exit codes");
    await page.keyboard.press("Enter");
    await page.waitForURL(/docs\/reference\/errors\.html/u);
    expect(await page.locator("h1").textContent()).toContain("Errors and exit codes");
    await page.fill("#query", "qqqqzz");
    await page.getByText("Nothing found.").waitFor();
    expect(trouble).toEqual([]);
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
