/** An exported run, opened from the disk: without a server, without a network, under its own policy. */
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newPerson, startChrome } from "../fixtures/browser/chrome.js";
import { ALL_HOSTILE } from "../fixtures/browser/hostile-markup.js";
import { settled } from "../fixtures/browser/settled.js";
import { foreignMarkup, notedIn, type Seen, watch } from "../fixtures/browser/watched-page.js";
import { Project } from "../fixtures/project.js";
import { makeTempDir, removeTempDir } from "../fixtures/temp-dir.js";

const PROCESS = `const shell = (title, command) => ({ kind: "shell", title, shell: { command } });
export async function process(inputs, ctx) {
  await ctx.task(shell(inputs.text.slice(0, 300), "cat hostile.txt; cat hostile.txt >&2"));
  ctx.log(inputs.text);
  await ctx.task(shell("test", "echo broken; cat hostile.txt; exit 3"), { args: inputs.text });
  return inputs;
}
`;
const PARTS = ["steps", "events", "logs", "files", "criteria", "transcripts"];

const root = makeTempDir();
const project = new Project({ "p.mjs": PROCESS, "hostile.txt": ALL_HOSTILE }, "project", root);
let browser: Browser;
let person: BrowserContext;
let seen: Seen;
const printed: string[] = [];

beforeAll(async () => {
  browser = await startChrome();
  await project.run([
    "run",
    "p.mjs",
    "--run-id",
    "bad",
    "--no-hooks",
    "--input",
    `text=${JSON.stringify(ALL_HOSTILE)}`,
  ]);
  const artifacts = path.join(project.runDir("bad"), "artifacts");
  fs.mkdirSync(artifacts, { recursive: true });
  for (const name of ["plan.md", "page.html", "<img src=x onerror=ran('name')>.txt"])
    fs.writeFileSync(path.join(artifacts, name), ALL_HOSTILE);
  for (const more of [
    ["--out", "bad.html"],
    ["--redact", "--out", "redacted.html"],
  ]) {
    const { code, stderr } = await project.run(["run:export", "bad", "--html", ...more]);
    if (code !== 0) throw new Error(stderr);
  }
  person = await newPerson(browser, { offline: true });
  seen = await watch(person);
  person.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) printed.push(message.text());
  });
});
afterAll(async () => {
  await browser.close();
  removeTempDir(root);
});

async function open(name: string, hash = ""): Promise<Page> {
  const page = await person.newPage();
  await page.goto(`${pathToFileURL(project.path(name)).href}${hash}`);
  await page.getByText("Exported run").waitFor();
  await settled(page);
  return page;
}

async function expectHarmless(page: Page): Promise<void> {
  await settled(page);
  expect(await notedIn(page)).toEqual([]);
  expect(page.frames()).toHaveLength(1);
  expect(await foreignMarkup(page, ".prose, bdi, .markdown, .rendered, .code-text")).toEqual([]);
  expect(await page.locator("[onerror], [onload], [onfocus], [onclick], [href^='javascript' i]").count()).toBe(0);
}

describe("an exported run", () => {
  it("B7 C21: opens from the disk, offline, and says when and by what it was made, and whether it was whole", async () => {
    const page = await open("bad.html");
    expect(await page.title()).toBe("bad · Babysitter");
    const head = page.locator(".export-head");
    for (const text of ["Exported run", "Babysitter 0.", "Journal was whole", "Not redacted"])
      expect(await head.textContent()).toContain(text);
    await page.locator("h1").first().waitFor();
    expect(await page.locator("main").textContent()).toContain("bad");
    await expectHarmless(page);
    await page.close();
    const redacted = await open("redacted.html");
    expect(await redacted.locator(".export-head .chip").allTextContents()).toEqual(["Journal was whole", "Redacted"]);
    await redacted.close();
  });

  it.each(PARTS)("B7: hostile texts everywhere do nothing, in the part %s, which the address names", async (part) => {
    const page = await open("bad.html", `#part=${part}&at=4&event=2`);
    expect(new URL(page.url()).hash).toBe(`#part=${part}&at=4&event=2`);
    await expectHarmless(page);
    await page.close();
  });

  it("B7: links inside the file work, and going back does", async () => {
    const page = await open("bad.html");
    await page.evaluate(() => (location.hash = "#part=events&event=3"));
    await expectHarmless(page);
    await page.goBack();
    expect(new URL(page.url()).hash).toBe("");
    await expectHarmless(page);
    await page.close();
  });

  it("B7: a file that was cut off says that it cannot be shown", async () => {
    const html = project.read("bad.html");
    const at = html.indexOf('id="document">') + 1_000;
    project.write({ "cut.html": html.slice(0, at) + html.slice(html.indexOf("</script>", at)) });
    const page = await person.newPage();
    await page.goto(pathToFileURL(project.path("cut.html")).href);
    await page.getByText("This file cannot be shown").waitFor();
    expect(await page.locator("main").count()).toBe(0);
    await page.close();
  });

  it("B7: at 390 pixels nothing scrolls sideways", async () => {
    const page = await open("bad.html");
    await page.setViewportSize({ width: 390, height: 844 });
    await settled(page);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
    await page.close();
  });

  it("B7: nothing was asked for but the files themselves, and nothing was complained about", () => {
    const own = pathToFileURL(project.dir).href;
    expect(
      [...seen.pages, ...seen.addresses].filter((address) => !address.startsWith(own) && address !== "data:,"),
    ).toEqual([]);
    expect(seen.addresses.filter((address) => address !== "data:,")).toEqual([]);
    expect([seen.events, printed]).toEqual([[], []]);
  });

  it("B7: without JavaScript a sentence says what it is", async () => {
    const plain = await newPerson(browser, { javaScriptEnabled: false, offline: true });
    const page = await plain.newPage();
    await page.goto(pathToFileURL(project.path("bad.html")).href);
    expect(await page.locator("noscript").textContent()).toContain("It needs JavaScript");
    await plain.close();
  });
});
