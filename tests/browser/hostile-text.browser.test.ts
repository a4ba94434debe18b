/** Text that wants to be more than text, wherever the inbox shows text of others. */
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newPerson, startChrome } from "../fixtures/browser/chrome.js";
import { ALL_HOSTILE, HOSTILE_MARKUP } from "../fixtures/browser/hostile-markup.js";
import { settled } from "../fixtures/browser/settled.js";
import { foreignMarkup, notedIn, type Seen, watch } from "../fixtures/browser/watched-page.js";
import { type Asked, WebInbox } from "../fixtures/browser/web-inbox.js";

const NAME = "<img src=x onerror=ran('name')>";
const FILES = {
  [`${NAME}.md`]: ALL_HOSTILE,
  "hostile.js": ALL_HOSTILE,
  "hostile.html": ALL_HOSTILE,
  "hostile.log": ALL_HOSTILE,
  "hostile.svg": '<svg xmlns="http://www.w3.org/2000/svg" onload="ran(1)"><script>ran("svg")</script></svg>',
};

let browser: Browser;
let inbox: WebInbox;
let person: BrowserContext;
let page: Page;
let seen: Seen;

beforeAll(async () => {
  [browser, inbox] = await Promise.all([startChrome(), WebInbox.start(FILES, NAME)]);
  await inbox.commitFiles();
  inbox.project.write({ "hostile.js": `${ALL_HOSTILE}\n${ALL_HOSTILE}` });
  person = await newPerson(browser);
  seen = await watch(person);
  page = await inbox.signIn(person);
});
afterAll(async () => {
  await Promise.all([browser.close(), inbox.end()]);
});

/** One text in every field of a question that has a place for it. */
function everywhere(text: string): object {
  return {
    question: `${text}\n\n${text}`,
    title: text,
    risk: text,
    options: [text, { id: text, label: `${text} `, reject: true }],
    consequences: { approve: text, reject: text },
    context: { [text]: text, list: [text], deep: { [text]: { [text]: text } } },
  };
}

async function post(path: string, body: object): Promise<Record<string, unknown>> {
  const headers = { "Content-Type": "application/json" };
  const reply = await inbox.request({ port: inbox.apiPort, method: "POST", path, headers, body: JSON.stringify(body) });
  if (reply.status >= 300) throw new Error(reply.text);
  return reply.json();
}

async function expectHarmless(): Promise<void> {
  await settled(page);
  expect(await notedIn(page)).toEqual([]);
  expect(page.frames()).toHaveLength(1);
  expect(await foreignMarkup(page, ".prose, bdi, .markdown, .rendered, .code-text, pre")).toEqual([]);
  expect(await page.locator("[onerror], [onload], [onfocus], [onclick], [href^='javascript' i]").count()).toBe(0);
}

function expectNothingLeft(): void {
  expect(seen.events).toEqual([]);
  expect(seen.pages.filter((address) => !address.startsWith(`${inbox.origin}/`))).toEqual([]);
  const own = new RegExp(`^(?:${inbox.origin}/(?:assets|api)/|data:)`, "u");
  expect(seen.addresses.filter((address) => !own.test(address))).toEqual([]);
}

describe("what others have written", () => {
  it(`B8: ${Object.keys(HOSTILE_MARKUP).length} hostile texts in every field of a question: nothing runs, nothing is loaded`, async () => {
    const ids: string[] = [];
    for (const text of Object.values(HOSTILE_MARKUP)) {
      const { breakpointId } = await post("/api/breakpoints", everywhere(text));
      ids.push(String(breakpointId));
    }
    await page.goto(inbox.origin);
    await page.locator(`[data-id="${ids.at(-1)}"]`).waitFor();
    await expectHarmless();
    for (const id of ids) {
      await page.locator(`[data-id="${id}"]`).click();
      await page.waitForURL(`**/questions/${id}*`);
      await page.locator("h1#question").waitFor();
      await expectHarmless();
    }
    expectNothingLeft();
  });

  it("B8: names, comments, reasons and answers of others, in the question, the list and the history", async () => {
    const asked = await inbox.ask({
      question: "Ship it?",
      options: [ALL_HOSTILE],
      context: { files: Object.keys(FILES) },
    });
    for (const author of [NAME, ALL_HOSTILE.slice(0, 150)])
      await post(`/api/breakpoints/${asked.id}/feedback`, { author, comment: ALL_HOSTILE.slice(0, 8_000) });
    await show(asked);
    await post(`/api/breakpoints/${asked.id}/reject`, { author: NAME, reason: ALL_HOSTILE.slice(0, 8_000) });
    await page.getByRole("region", { name: "Decision" }).getByText("Rejected").first().waitFor();
    await expectHarmless();
    await show(asked);
    await page.goto(`${inbox.origin}/history?search=${encodeURIComponent(NAME)}`);
    await expectHarmless();
    await page.goto(`${inbox.origin}/history`);
    await page.locator(`[data-id="${asked.id}"]`).waitFor();
    await expectHarmless();
    inbox.access.signIn(inbox.access.makeLink("x").link, ALL_HOSTILE.slice(0, 150));
    await page.goto(`${inbox.origin}/settings`);
    await page.getByText("Signed-in browsers").waitFor();
    await expectHarmless();
    for (const address of [
      `/questions/${encodeURIComponent(NAME)}`,
      `/${encodeURIComponent(NAME)}`,
      "/?search=%22%3E%3Cscript%3E",
    ]) {
      await page.goto(inbox.origin + address);
      await expectHarmless();
    }
    expectNothingLeft();
  });

  it("B8: every view of every hostile file", async () => {
    const asked = await inbox.ask({ question: "The files?", context: { files: Object.keys(FILES) } });
    await show(asked);
    const marks = page.getByRole("checkbox", { name: /^Viewed/u });
    await marks.first().waitFor();
    let views = 0;
    for (const file of await page.getByRole("listitem").filter({ has: marks }).all()) {
      await file.getByRole("button").click();
      await expectHarmless();
      for (const tab of await page.getByRole("tab").all()) {
        await tab.click();
        await expectHarmless();
        views += 1;
      }
    }
    expect(views).toBeGreaterThan(Object.keys(FILES).length);
    expectNothingLeft();
  });

  it("B8: the page's own protection is in force: strings do not become markup, and no policy can be added", async () => {
    await page.goto(inbox.origin);
    const refused = await page.evaluate(() => {
      const tried = (act: () => unknown): string => {
        try {
          act();
          return "done";
        } catch (error) {
          return error instanceof TypeError ? "refused" : String(error);
        }
      };
      const { trustedTypes } = window as unknown as {
        trustedTypes: { createPolicy: (name: string, rules: object) => unknown };
      };
      const probe = document.createElement("div");
      const script = document.createElement("script");
      return {
        innerHTML: tried(() => (probe.innerHTML = "<b>x</b>")),
        insert: tried(() => probe.insertAdjacentHTML("beforeend", "<b>x</b>")),
        script: tried(() => (script.src = "/assets/x.js")),
        frame: tried(() => document.createElement("iframe").setAttribute("srcdoc", "<b>x</b>")),
        policy: tried(() => trustedTypes.createPolicy("mine", { createHTML: (text: string) => text })),
      };
    });
    expect(refused).toEqual({
      innerHTML: "refused",
      insert: "refused",
      script: "refused",
      frame: "refused",
      policy: "refused",
    });
    const stopped = await page.evaluate(async () => {
      const outcome = (name: string, attributes: object): Promise<string> =>
        new Promise((resolve) => {
          const element = Object.assign(document.createElement(name), attributes);
          element.addEventListener("error", () => resolve("stopped"));
          element.addEventListener("load", () => resolve("loaded"));
          document.body.append(element);
        });
      return {
        image: await outcome("img", { src: "http://elsewhere.test/x.png" }),
        style: await outcome("link", { rel: "stylesheet", href: "http://elsewhere.test/x.css" }),
        request: await fetch("http://elsewhere.test/").then(
          () => "answered",
          () => "stopped",
        ),
      };
    });
    expect(stopped).toEqual({ image: "stopped", style: "stopped", request: "stopped" });
    const noted = await notedIn(page);
    for (const directive of ["require-trusted-types-for", "trusted-types", "img-src", "connect-src"])
      expect(noted.join("\n")).toContain(`against the policy: ${directive}`);
  });
});

async function show({ id }: Asked): Promise<void> {
  await page.goto(`${inbox.origin}/questions/${id}`);
  await page.locator("h1#question").waitFor();
  await expectHarmless();
}
