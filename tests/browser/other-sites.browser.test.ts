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
      reads: ["/api/questions", `/api/questions/${id}`, "/api/me", "/api/live"],
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
