/** Passkeys: what was decided with one can be proved, and nobody without it can decide a high risk. */
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newPerson, startChrome } from "../fixtures/browser/chrome.js";
import { OtherSite } from "../fixtures/browser/other-site.js";
import { makeKey, plugIn, type SignedByKey, signWithKey } from "../fixtures/browser/passkey.js";
import { QuestionPage } from "../fixtures/browser/question-page.js";
import { type Asked, type Reply, WebInbox } from "../fixtures/browser/web-inbox.js";

const RISKY = { question: "Rotate the signing key?", risk: "high" };

let browser: Browser;
let inbox: WebInbox;
let site: OtherSite;
let person: BrowserContext;
let page: Page;
let key: { unplug: () => Promise<void> };
/** As pages have one. Challenges for new keys are for the browser that has asked for them. */
let token: string;

beforeAll(async () => {
  [browser, inbox, site] = await Promise.all([startChrome(), WebInbox.start(), OtherSite.start()]);
  person = await newPerson(browser);
  page = await inbox.signIn(person);
  key = await plugIn(page);
  token = inbox.token();
  await addKey();
  await page.getByRole("button", { name: /^Remove/u }).waitFor();
});
afterAll(async () => {
  await Promise.all([browser.close(), inbox.end(), site.close()]);
});

/** As the inbox's own pages send it, with a token of theirs. */
async function post(path: string, body: object): Promise<Reply> {
  return inbox.request({
    method: "POST",
    path,
    headers: {
      Authorization: `Bearer ${token}`,
      Origin: inbox.origin,
      "Sec-Fetch-Site": "same-origin",
      "Content-Type": "application/json",
    },
    body: JSON.stringify(body),
  });
}

async function shownOf({ id }: Asked): Promise<unknown> {
  const headers = { Authorization: `Bearer ${token}` };
  return (await inbox.request({ path: `/api/questions/${id}`, headers })).json()["shown"];
}

async function challengeOf({ id }: Asked, words: object): Promise<{ challenge: string; credentialIds: string[] }> {
  return (await post(`/api/questions/${id}/challenge`, words)).json() as { challenge: string; credentialIds: string[] };
}

async function decide(asked: Asked, words: object, assertion?: SignedByKey): Promise<Reply> {
  return post(`/api/questions/${asked.id}/decision`, { ...words, shown: await shownOf(asked), assertion });
}

const YES = { decision: "approve" } as const;

async function addKey(): Promise<void> {
  await page.goto(`${inbox.origin}/settings`);
  await page.getByRole("button", { name: "Add a passkey" }).click();
}

describe("passkeys", () => {
  it("B2 B8: once there is one, a high risk takes it, and run:check verifies what it has signed", async () => {
    expect(inbox.access.keys()).toMatchObject([{ origin: inbox.origin }]);
    const asked = await inbox.ask(RISKY);
    const shown = await QuestionPage.open(page, inbox, asked);
    await shown.button(/^Approve/u).click();
    await shown.bar.getByText("You are approving exactly this").waitFor();
    expect(await asked.isOpen()).toBe(true);
    await shown.button("Approve with passkey").click();
    await shown.notice.filter({ hasText: "Approved" }).waitFor();
    expect(await asked.told()).toMatchObject({ approved: true });
    const [decision] = inbox.project.events(asked.runId, "EFFECT_RESOLVED");
    expect(decision?.payload).toMatchObject({ metadata: { signed: { key: { origin: inbox.origin } } } });
    const checked = await inbox.project.run(["run:check", asked.runId]);
    expect([checked.code, checked.stdout]).toEqual([0, expect.stringMatching(/passkey|signed/iu)]);
  });

  it("B2 B8: a rejection with a passkey is signed too, with its reason", async () => {
    const asked = await inbox.ask(RISKY);
    const shown = await QuestionPage.open(page, inbox, asked);
    await shown.button(/^Reject/u).click();
    await shown.bar.getByLabel("Why are you rejecting it?").fill("Not on a Friday");
    await shown.button(/^Reject/u).click();
    await shown.notice.filter({ hasText: "Rejected" }).waitFor();
    expect(await asked.told()).toMatchObject({ approved: false, feedback: "Not on a Friday" });
    expect((await inbox.project.run(["run:check", asked.runId])).code).toBe(0);
  });

  it("B8: without it, or with what it has signed for something else, a high risk is not decided", async () => {
    const [first, second] = [await inbox.ask(RISKY), await inbox.ask(RISKY)];
    expect((await decide(first, YES)).status).toBe(403);
    await page.goto(inbox.origin);
    const { challenge, credentialIds } = await challengeOf(first, YES);
    const signed = await signWithKey(page, challenge, credentialIds);
    expect((await decide(second, YES, signed)).status).toBe(403);
    const no = { decision: "reject", feedback: "turned around" };
    expect((await decide(first, no, signed)).status).toBe(403);
    expect((await decide(first, { ...YES, feedback: "and more" }, signed)).status).toBe(403);
    const bent = `${signed.signature.slice(0, -4)}${signed.signature.endsWith("AAAA") ? "BBBB" : "AAAA"}`;
    expect((await decide(first, YES, { ...signed, signature: bent })).status).toBe(403);
    expect([await first.isOpen(), await second.isOpen()]).toEqual([true, true]);
    expect((await decide(first, YES, signed)).status).toBe(200);
    expect(await first.told()).toMatchObject({ approved: true });
  });

  it("B8: what it has signed for another port of localhost counts for nothing", async () => {
    const asked = await inbox.ask(RISKY);
    const { challenge, credentialIds } = await challengeOf(asked, YES);
    await page.goto(site.origin);
    const signed = await signWithKey(page, challenge, credentialIds);
    const { origin } = JSON.parse(Buffer.from(signed.clientDataJSON, "base64url").toString()) as { origin: string };
    expect(origin).toBe(site.origin);
    const reply = await decide(asked, YES, signed);
    expect([reply.status, reply.text]).toEqual([403, expect.stringContaining("passkey")]);
    expect(await asked.isOpen()).toBe(true);
  });

  it("B8: a dialog that is closed decides nothing, and says so", async () => {
    const asked = await inbox.ask(RISKY);
    const shown = await QuestionPage.open(page, inbox, asked);
    await page.evaluate(() => {
      navigator.credentials.get = () => Promise.reject(new DOMException("closed", "NotAllowedError"));
    });
    await shown.button(/^Approve/u).click();
    await shown.button("Approve with passkey").click();
    await shown.bar.getByText("Nothing was decided").waitFor();
    expect(await asked.isOpen()).toBe(true);
  });

  it("B8: another key is added only with the first", async () => {
    const [known] = inbox.access.keys();
    await key.unplug();
    // A key of somebody else, in the same browser.
    key = await plugIn(page);
    await page.goto(inbox.origin);
    for (const vouches of [false, true]) {
      const { existing, ...body } = await newKey();
      expect(existing).toEqual([known?.credentialId]);
      const reply = await post("/api/passkeys", vouches ? { ...body, vouch: body.proof } : body);
      expect([reply.status, reply.text]).toEqual([
        403,
        expect.stringMatching(/DECISION_NOT_ALLOWED.*(?:registered|existing|already|another)/u),
      ]);
      expect(inbox.access.keys()).toEqual([known]);
    }
    // With the button, in a browser that does not have the first key.
    await addKey();
    await page.getByText(/^The passkey /u).waitFor();
    expect(inbox.access.keys()).toEqual([known]);
  });
});

/** What a page sends to add a key that it has just made. */
async function newKey(): Promise<{ existing: string[]; proof: SignedByKey }> {
  const { challenge, existing } = (await post("/api/passkeys/challenge", {})).json() as {
    challenge: string;
    existing: string[];
  };
  const made = await makeKey(page, challenge);
  const proof = await signWithKey(page, challenge, [made.credentialId]);
  return { name: "mine", challenge, ...made, proof, existing } as { existing: string[]; proof: SignedByKey };
}
