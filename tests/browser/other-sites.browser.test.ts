/** What pages of other sites try with the inbox, in a real browser. */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { READING, type Target, WRITING } from "../fixtures/browser/attacks.js";
import { newPerson, REBOUND_NAME, startChrome } from "../fixtures/browser/chrome.js";
import { OtherSite } from "../fixtures/browser/other-site.js";
import { type Asked, WebInbox } from "../fixtures/browser/web-inbox.js";

const SECRET = "Release the payroll file?";

let browser: Browser;
let inbox: WebInbox;
let site: OtherSite;
let asked: Asked;

beforeAll(async () => {
  [browser, inbox, site] = await Promise.all([startChrome(), WebInbox.start(), OtherSite.start()]);
  // A question that everybody on this machine may decide: only the browser's request gives a page away.
  asked = await inbox.ask({ question: SECRET, options: ["later"] });
});
afterAll(async () => {
  await Promise.all([browser.close(), inbox.end(), site.close()]);
});

/** A page of the other site; closed with its browser. */
async function otherPage(): Promise<Page> {
  const person = await newPerson(browser);
  const page = await person.newPage();
  await page.goto(site.origin);
  return page;
}

type Address = "for programs" | "for people";
const ADDRESSES: Address[] = ["for programs", "for people"];

function targets(): Record<Address, Target> {
  const { id } = asked;
  const words = JSON.stringify({ decision: "approve", shown: null });
  return {
    "for programs": {
      origin: `http://localhost:${inbox.apiPort}`,
      reads: ["/health", "/api/breakpoints", `/api/breakpoints/${id}`],
      writes: [
        ...["feedback", "reject", "cancel", "expire"].map((verb) => ({
          path: `/api/breakpoints/${id}/${verb}`,
          body: '{"release":true,"reason":"x"}',
        })),
        { path: "/api/breakpoints", body: '{"question":"From elsewhere?"}' },
      ],
    },
    "for people": {
      origin: inbox.origin,
      token: inbox.token(),
      reads: ["/api/questions", `/api/questions/${id}`, "/api/me", "/api/channels", "/api/live"],
      writes: [
        { path: `/api/questions/${id}/decision`, body: words },
        { path: `/api/questions/${id}/comments`, body: '{"text":"From elsewhere"}' },
        { path: `/api/questions/${id}/challenge`, body: words },
        { path: "/api/passkeys/challenge", body: "{}" },
        { path: "/api/sign-in", body: JSON.stringify({ link: inbox.access.makeLink("x").link, name: "x" }) },
      ],
    },
  };
}

async function expectUntouched(): Promise<void> {
  expect(await asked.isOpen()).toBe(true);
  const shown = await inbox.request({ path: `/api/breakpoints/${asked.id}`, port: inbox.apiPort });
  expect(shown.json()).toMatchObject({ state: "open", comments: [] });
  const all = await inbox.request({ path: "/api/breakpoints?status=all", port: inbox.apiPort });
  expect(all.json()["breakpoints"]).toHaveLength(1);
}

describe.each(ADDRESSES)("a page at another port of localhost, at the address %s", (name) => {
  it.each(Object.entries(READING))("B8: reads nothing: %s", async (_, attack) => {
    const page = await otherPage();
    const got = await page.evaluate(attack, targets()[name]);
    expect(got.length).toBeGreaterThan(0);
    expect(got.filter((one) => one !== "failed" && one !== "nothing")).toEqual([]);
  });

  it("B8: decides nothing, comments nothing, asks nothing, signs nobody in", async () => {
    const page = await otherPage();
    const target = targets()[name];
    const devices = inbox.access.devices().length;
    for (const [attack, run] of Object.entries(WRITING)) {
      const got = await page.evaluate(run, target);
      expect([attack, got.filter((one) => one !== "failed" && one !== "nothing")]).toEqual([attack, []]);
    }
    // What was sent by a page that goes away arrives, or never does.
    await page.context().close();
    await expectUntouched();
    expect(inbox.access.devices()).toHaveLength(devices);
  });
});

describe("a name that was made to lead here", () => {
  it.each(ADDRESSES)("B8: its page gets nothing from the address %s", async (name) => {
    const { origin, reads, writes, token } = targets()[name];
    const rebound = origin.replace("localhost", REBOUND_NAME);
    const page = await (await newPerson(browser)).newPage();
    const refused = await page.goto(rebound + (reads[0] ?? ""));
    expect(refused?.status()).toBe(421);
    // Loaded from the attacker before the name changed its meaning: now the page and the inbox are of one origin.
    await page.route(`${rebound}/attack`, (route) => route.fulfill({ contentType: "text/html", body: "attack" }));
    await page.goto(`${rebound}/attack`);
    const seen = await page.evaluate(
      async ({ gets, posts, bearer }) => {
        const headers = { "Content-Type": "application/json", Authorization: `Bearer ${bearer}` };
        // A refused connection may be gone before a body has been sent.
        const told = (answer: Promise<Response>): Promise<string> =>
          answer.then(
            async (response) => `${response.status} ${await response.text()}`,
            () => "failed",
          );
        return {
          got: await Promise.all(gets.map((path) => told(fetch(path, { headers })))),
          posted: await Promise.all(
            posts.map(({ path, body }) => told(fetch(path, { method: "POST", headers, body }))),
          ),
        };
      },
      { gets: reads, posts: writes, bearer: token ?? "x" },
    );
    expect(seen.got).toHaveLength(reads.length);
    for (const answer of seen.got) expect(answer).toMatch(/^421 \{"error"/u);
    expect(seen.posted).toHaveLength(writes.length);
    for (const answer of seen.posted) expect(answer).toMatch(/^(?:421 \{"error"|failed)/u);
    expect(JSON.stringify(seen)).not.toContain(SECRET);
    await expectUntouched();
  });
});

describe("the inbox's pages, seen from another site", () => {
  it.each(["iframe", "embed", "object"])("B8: no %s shows them, whatever their address", async (element) => {
    const page = await otherPage();
    for (const address of ["/", `/questions/${asked.id}`, "/assets/none.js", "/api/questions", "/sign-in"]) {
      const answer = page.waitForResponse((response) => response.url() === inbox.origin + address);
      await page.evaluate(
        ({ name, source }) => {
          const frame = document.createElement(name);
          frame.setAttribute(name === "object" ? "data" : "src", source);
          document.body.replaceChildren(frame);
        },
        { name: element, source: inbox.origin + address },
      );
      const response = await answer;
      const headers = await response.allHeaders();
      expect(headers["content-security-policy"]).toContain("frame-ancestors 'none'");
      expect(headers["x-frame-options"]).toBe("DENY");
    }
    // What a browser shows in its place has no address of the inbox.
    expect(page.frames().filter((frame) => frame !== page.mainFrame() && frame.url().startsWith(inbox.origin))).toEqual(
      [],
    );
  });

  it("B8: a window that another site opens belongs to the inbox alone", async () => {
    const person = await newPerson(browser);
    await (await inbox.signIn(person)).close();
    const page = await person.newPage();
    await page.goto(site.origin);
    const opening = person.waitForEvent("page");
    await page.evaluate((address) => {
      Object.assign(window, { opened: window.open(address) });
    }, `${inbox.origin}/questions/${asked.id}`);
    const opened = await opening;
    await opened.getByRole("heading", { name: SECRET }).waitFor();
    const held = await page.evaluate(() => {
      const { opened: other } = window as unknown as { opened: Window };
      const tried = (act: () => unknown): string => {
        try {
          return String(act());
        } catch {
          return "refused";
        }
      };
      for (const data of ["approve", { decision: "approve" }, { kind: "event", event: { event: "hello", data: {} } }])
        tried(() => other.postMessage(data, "*"));
      return { closed: other.closed, address: tried(() => other.location.href) };
    });
    // The browser has cut them apart: the other site holds a window that is gone.
    expect(held).toEqual({ closed: true, address: "refused" });
    expect(await opened.evaluate(() => window.opener === null)).toBe(true);
    await expectUntouched();
  });

  it("B8: the numbers of this machine lead to its name; the interface does not answer to them", async () => {
    const page = await (await newPerson(browser)).newPage();
    for (const host of ["127.0.0.1", "[::1]"]) {
      const other = inbox.origin.replace("localhost", host);
      await page.goto(`${other}/questions/${asked.id}?search=x`);
      expect(page.url()).toBe(`${inbox.origin}/questions/${asked.id}?search=x`);
      expect((await page.goto(`${other}/api/questions`))?.status()).toBe(421);
    }
  });
});
