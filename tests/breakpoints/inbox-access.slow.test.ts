/** Who gets into the inbox, and who may decide there. */
import path from "node:path";
import { describe, expect, it } from "vitest";
import type {
  ChallengeReply,
  Me,
  NewPasskeyOptions,
  WireAssertion,
} from "../../packages/breakpoints/src/wire/inbox-wire.js";
import { InboxAccess } from "../../packages/sdk/src/inbox/inbox-access.js";
import { InboxScene } from "../fixtures/breakpoints/inbox-scene.js";
import { Browser, InboxServer, type Reply } from "../fixtures/breakpoints/inbox-server.js";
import { Authenticator } from "../fixtures/inbox/authenticator.js";
import { Project } from "../fixtures/project.js";

const HOUR = 60 * 60_000;
const scene = new InboxScene({ "plan.md": "plan" });

/** A browser whose session ends soon. */
function endingSoon(ms: number): Browser {
  const home = path.join(scene.project.home, ".a5c");
  const access = new InboxAccess({ home, now: () => new Date(Date.now() - 12 * HOUR + ms) });
  const { token, device } = access.signIn(access.makeLink("test").link, "tired");
  return new Browser(scene.server, token, device);
}

describe("signing in", () => {
  it("a link signs one browser in, once; what it gets is told to nobody else", async () => {
    const { link } = scene.server.access.makeLink("test");
    const anyone = new Browser(scene.server, "");
    const first = await anyone.post("/api/sign-in", { link, name: "Firefox" });
    expect(first.json()).toEqual({
      token: expect.stringMatching(/^[\w-]{43}$/u) as string,
      device: expect.any(String) as string,
      expires: expect.any(String) as string,
    });
    expect(first.headers).not.toHaveProperty("set-cookie");
    for (const body of [
      { link, name: "again" },
      { link: "made-up", name: "x" },
    ]) {
      const reply = await anyone.post("/api/sign-in", body);
      expect([reply.status, reply.json()]).toMatchObject([401, { error: { code: "SIGN_IN_REFUSED" } }]);
    }
    for (const body of [
      {},
      { link },
      { link: 1, name: "x" },
      { link: "", name: "x" },
      { link, name: "x", admin: true },
    ])
      expect((await anyone.post("/api/sign-in", body)).status).toBe(400);
    const { token } = first.json() as { token: string };
    expect((await scene.browser.get("/api/me")).text).not.toContain(token);
  });

  it("without a token that counts there is nothing but the pages", async () => {
    const id = await scene.ask({ question: "Secret?", context: { files: ["plan.md"] } });
    const { token } = scene.browser;
    const wrong = [
      "",
      "x",
      token.slice(1),
      `${token}x`,
      token.toUpperCase(),
      `${token}, ${token}`,
      "é",
      "a".repeat(5_000),
    ];
    const headers = [
      {},
      ...wrong.map((text) => ({ Authorization: `Bearer ${Buffer.from(text).toString("latin1")}` })),
      { Authorization: `Basic ${token}` },
      { Authorization: token },
      { Cookie: `token=${token}` },
    ];
    for (const header of headers) {
      for (const target of [
        "/api/me",
        "/api/channels",
        "/api/questions",
        `/api/questions/${id}`,
        `/api/questions/${id}/files/0`,
        "/api/live",
        "/api/nothing",
        `/api/questions?token=${token}`,
      ]) {
        const reply = await scene.server.request({ port: scene.server.uiPort, path: target, headers: header });
        expect([header, target, reply.status]).toEqual([header, target, 401]);
        expect(reply.text).not.toContain("Secret");
      }
      for (const [method, target] of [
        ["POST", `/api/questions/${id}/decision`],
        ["POST", `/api/questions/${id}/comments`],
        ["POST", `/api/questions/${id}/seen`],
        ["POST", "/api/passkeys/challenge"],
        ["POST", "/api/passkeys"],
        ["POST", "/api/sign-out"],
        ["DELETE", `/api/devices/${scene.browser.device}`],
        ["DELETE", "/api/passkeys/x"],
      ] as const) {
        const all = { ...header, Origin: scene.server.origin, "Content-Type": "application/json" };
        const body = method === "POST" ? { body: '{"decision":"approve","shown":null}' } : {};
        const reply = await scene.server.request({
          port: scene.server.uiPort,
          method,
          path: target,
          headers: all,
          ...body,
        });
        expect([header, target, reply.status]).toEqual([header, target, 401]);
      }
    }
    expect(await scene.detail(id)).toMatchObject({ state: "open" });
  });

  it("signing out, being signed out elsewhere and the end of the time end the streams too", async () => {
    const leaving = await scene.server.signIn("leaving");
    const revoked = await scene.server.signIn("revoked");
    const elsewhere = await scene.server.signIn("elsewhere");
    const tired = endingSoon(1_500);
    const browsers = [leaving, revoked, elsewhere, tired];
    const streams = await Promise.all(browsers.map((browser) => browser.live()));
    for (const stream of streams) expect(await stream.next()).toMatchObject({ event: "hello" });
    expect((await leaving.post("/api/sign-out", {})).status).toBe(200);
    expect((await scene.browser.delete(`/api/devices/${revoked.device}`)).status).toBe(200);
    scene.server.access.signOut(elsewhere.device);
    for (const stream of streams) await stream.over();
    for (const browser of browsers) expect((await browser.get("/api/me")).status).toBe(401);
    const { devices } = await scene.browser.read<Me>("/api/me");
    expect(devices.map(({ name }) => name)).not.toContain("revoked");
    expect((await scene.browser.delete(`/api/devices/${revoked.device}`)).status).toBe(404);
  });

  it("a browser has so many streams, and the oldest makes room for a new one", async () => {
    const busy = await scene.server.signIn("busy");
    const first = await busy.live();
    const others = await Promise.all(Array.from({ length: 8 }, () => busy.live()));
    await first.over();
    for (const stream of others) expect(await stream.next()).toMatchObject({ event: "hello" });
  });
});

describe("passkeys", () => {
  class KeyHolder {
    readonly server: InboxServer;
    readonly browser: Browser;
    constructor(server: InboxServer, browser: Browser) {
      this.server = server;
      this.browser = browser;
    }

    static async begin(): Promise<KeyHolder> {
      const project = new Project();
      const server = await InboxServer.start(project, { env: { REPO_ROOT: project.dir } });
      return new KeyHolder(server, await server.signIn());
    }

    async options(): Promise<NewPasskeyOptions> {
      return (await this.browser.post("/api/passkeys/challenge", {})).json() as unknown as NewPasskeyOptions;
    }

    sign(key: Authenticator, challenge: string, origin = this.server.origin): WireAssertion {
      return key.sign(challenge, { origin });
    }

    async add(
      key: Authenticator,
      more: { challenge?: string; proof?: WireAssertion; vouch?: WireAssertion } = {},
    ): Promise<Reply> {
      const { challenge = (await this.options()).challenge } = more;
      const { credentialId, publicKey } = key.key;
      const proof = this.sign(key, challenge);
      return this.browser.post("/api/passkeys", { name: "key", challenge, credentialId, publicKey, proof, ...more });
    }

    async ask(payload: object): Promise<string> {
      return (await this.server.post("/api/breakpoints", payload)).json()["breakpointId"] as string;
    }

    async challenge(id: string, words: object): Promise<ChallengeReply> {
      return (await this.browser.post(`/api/questions/${id}/challenge`, words)).json() as unknown as ChallengeReply;
    }
  }

  it("B2: a key is added with what it has signed, a second one only with the word of the first", async () => {
    const holder = await KeyHolder.begin();
    const first = new Authenticator();
    expect(await holder.options()).toMatchObject({
      existing: [],
      challenge: expect.stringMatching(/^[\w-]{43}$/u) as string,
    });
    expect((await holder.add(first)).status).toBe(201);
    const second = new Authenticator("ed25519");
    const { challenge, existing } = await holder.options();
    expect(existing).toEqual([first.key.credentialId]);
    expect((await holder.add(second)).status).toBe(403);
    const selfMade = holder.sign(second, challenge);
    expect((await holder.add(second, { challenge, vouch: selfMade })).status).toBe(403);
    // A challenge counts once, whatever came of it.
    expect((await holder.add(second, { challenge, vouch: holder.sign(first, challenge) })).status).toBe(403);
    const again = (await holder.options()).challenge;
    expect((await holder.add(second, { challenge: again, vouch: holder.sign(first, again) })).status).toBe(201);
    expect((await holder.browser.read<Me>("/api/me")).passkeys).toHaveLength(2);
    expect((await holder.browser.delete(`/api/passkeys/${first.key.credentialId}`)).status).toBe(200);
    expect((await holder.browser.delete(`/api/passkeys/${first.key.credentialId}`)).status).toBe(404);
    expect((await holder.browser.read<Me>("/api/me")).passkeys).toHaveLength(1);
  });

  it("a key is not added by what was signed for another page, for another challenge, by another browser, or not at all", async () => {
    const holder = await KeyHolder.begin();
    const key = new Authenticator();
    const { challenge } = await holder.options();
    const foreign = await holder.options();
    const other = new KeyHolder(holder.server, await holder.server.signIn("other"));
    for (const [by, more] of [
      [holder, { challenge, proof: holder.sign(key, challenge, "http://localhost:5173") }],
      [holder, { proof: holder.sign(key, challenge) }],
      [holder, { challenge: "made-up", proof: holder.sign(key, "made-up") }],
      [other, { challenge: foreign.challenge, proof: holder.sign(key, foreign.challenge) }],
      [holder, { proof: new Authenticator().sign(challenge) }],
    ] as const)
      expect((await by.add(key, more)).status).toBe(403);
    expect((await holder.browser.post("/api/passkeys", { name: "x" })).status).toBe(400);
    expect((await holder.browser.read<Me>("/api/me")).passkeys).toEqual([]);
  });

  it("B2: high risk with a key registered takes the key; what it signed counts for that decision only", async () => {
    const holder = await KeyHolder.begin();
    const key = new Authenticator();
    const id = await holder.ask({ question: "Deploy?", risk: "high", options: ["now", "later"] });
    const address = `/api/questions/${id}`;
    const needsOf = async (): Promise<unknown> => (await holder.browser.get(address)).json()["needs"];
    expect(await needsOf()).toBe("session");
    await holder.add(key);
    expect(await needsOf()).toBe("passkey");
    const { shown } = (await holder.browser.get(address)).json() as { shown: string };
    const bare = await holder.browser.post(`${address}/decision`, { decision: "approve", shown });
    expect([bare.status, bare.json()]).toMatchObject([403, { error: { code: "DECISION_NOT_ALLOWED" } }]);
    const { challenge, credentialIds } = await holder.challenge(id, { decision: { option: "later" } });
    expect(credentialIds).toEqual([key.key.credentialId]);
    const assertion = holder.sign(key, challenge);
    const second = await holder.ask({ question: "Deploy?", risk: "high", options: ["now", "later"] });
    for (const [question, body] of [
      [id, { decision: { option: "now" }, assertion }],
      [id, { decision: "reject", feedback: "no", assertion }],
      [second, { decision: { option: "later" }, assertion }],
      [id, { decision: { option: "later" }, assertion: holder.sign(key, challenge, "http://localhost:1") }],
      [id, { decision: { option: "later" }, assertion: holder.sign(new Authenticator(), challenge) }],
    ] as const) {
      const reply = await holder.browser.post(`/api/questions/${question}/decision`, { ...body, shown: null });
      expect([body, reply.status]).toEqual([body, 403]);
    }
    const decided = await holder.browser.post(`${address}/decision`, {
      decision: { option: "later" },
      shown,
      assertion,
    });
    expect([decided.status, decided.json()]).toMatchObject([
      200,
      { question: { state: "approved", decision: { option: "later", proof: "passkey", verified: true } } },
    ]);
  });
});
