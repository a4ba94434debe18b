import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { Authenticator } from "../../../../../tests/fixtures/inbox/authenticator.js";
import { AskedRun, START } from "../../../../../tests/fixtures/runs/asked-run.js";
import { InboxAccess } from "../../inbox/inbox-access.js";
import { sha256 } from "../../journal/rules/chain.js";
import type { Assertion, SignedDecision } from "../../model/signed-decision.js";
import { Chats } from "../../notify/chats.js";
import { challengeOf, type DecisionAnswer, type DecisionWords } from "../../runs/decide-breakpoint.js";
import { retryRun } from "../../runs/retry-run.js";
import { checkSignedDecisions } from "../check-signed-decisions.js";
import { comment, decide } from "./decide-with-evidence.js";
import type { Desk } from "./desk.js";
import type { Evidence } from "./evidence.js";

const OF_AN_AGENT = { session: "session-1" };
const RISKY = { payload: { question: "Deploy?", risk: "high" } };

class Asked {
  readonly run: AskedRun;
  readonly desk: Desk;

  constructor(run: AskedRun) {
    this.run = run;
    const home = path.join(run.root, "home");
    const own = { home, now: () => new Date() };
    this.desk = { access: new InboxAccess(own), chats: new Chats(own), env: { HOME: home } };
  }

  static async begin(options: Parameters<typeof AskedRun.begin>[0]): Promise<Asked> {
    const run = await AskedRun.begin(options);
    await run.open();
    return new Asked(run);
  }

  session(): Evidence {
    const { access } = this.desk;
    return { kind: "session", token: access.signIn(access.makeLink("mia").link, "Firefox").token };
  }

  async words(words: Partial<DecisionWords> = {}): Promise<DecisionWords> {
    return { effectId: await this.run.effectId(), decision: "approve", ...words };
  }

  async decide(evidence: Evidence, words: Partial<DecisionWords> = {}): Promise<DecisionAnswer> {
    return decide(this.desk, await this.run.journal(), { ...(await this.words(words)), evidence });
  }

  async signed(by: Authenticator, words: Partial<DecisionWords> = {}): Promise<Evidence> {
    const assertion = by.sign(await challengeOf(await this.run.journal(), await this.words(words)));
    return { ...this.session(), kind: "passkey", assertion } as Evidence;
  }
}

describe("who decides is found out from what they show", () => {
  it("a browser that is signed in decides for the agent's run, as a session", async () => {
    const asked = await Asked.begin(OF_AN_AGENT);
    const { result } = await asked.decide(asked.session());
    expect(result).toMatchObject({ approved: true, via: "web", verified: true, proof: "session" });
  });

  it("without a sign-in only a run that is not an agent's is decided, unverified, under the name that was given", async () => {
    const asked = await Asked.begin(OF_AN_AGENT);
    await expect(asked.decide({ kind: "local", author: "The CEO" })).rejects.toThrow("does not count");
    const free = await Asked.begin({});
    const { result } = await free.decide({ kind: "local", author: "The CEO" });
    expect(result).toMatchObject({ approved: true, via: "web", verified: false, respondedBy: "The CEO" });
    expect(result).not.toHaveProperty("proof");
  });

  it.each<Evidence>([
    { kind: "session", token: "" },
    { kind: "session", token: "made up" },
    { kind: "passkey", token: "made up", assertion: {} as never },
    { kind: "session" } as never,
    {} as never,
    undefined as never,
  ])("a token that was never given decides nothing: %j", async (evidence) => {
    const asked = await Asked.begin({});
    await expect(asked.decide(evidence)).rejects.toThrow("not signed in");
    await expect(
      comment(asked.desk, await asked.run.journal(), { effectId: await asked.run.effectId(), text: "x", evidence }),
    ).rejects.toThrow("not signed in");
  });

  it("another kind of evidence is none, whatever token comes with it", async () => {
    const asked = await Asked.begin(RISKY);
    asked.desk.access.addKey("device", new Authenticator().key);
    const evidence = { ...asked.session(), kind: "person" } as never;
    await expect(asked.decide(evidence)).rejects.toThrow("not signed in");
  });

  it("a browser that was signed out decides nothing", async () => {
    const asked = await Asked.begin({});
    const evidence = asked.session();
    for (const { device } of asked.desk.access.devices()) asked.desk.access.signOut(device);
    await expect(asked.decide(evidence)).rejects.toThrow("not signed in");
  });

  it("high risk: a session is enough until there is a passkey, and then it is not", async () => {
    const asked = await Asked.begin(RISKY);
    await expect(asked.decide({ kind: "local" })).rejects.toThrow("high risk");
    const authenticator = new Authenticator();
    asked.desk.access.addKey("device", authenticator.key);
    await expect(asked.decide(asked.session())).rejects.toThrow("you have a passkey");
    const { result, event } = await asked.decide(await asked.signed(authenticator));
    expect(result).toMatchObject({ approved: true, verified: true, proof: "passkey" });
    expect(event?.payload).toMatchObject({ metadata: { signed: { key: authenticator.key } } });
    const other = await Asked.begin(RISKY);
    expect((await other.decide(other.session())).result).toMatchObject({ approved: true, proof: "session" });
  });

  it("what was signed for one decision does not count for another one", async () => {
    const asked = await Asked.begin({ payload: { question: "Deploy?", options: ["now", "later"] } });
    const authenticator = new Authenticator();
    asked.desk.access.addKey("device", authenticator.key);
    const evidence = await asked.signed(authenticator, { decision: { option: "later" } });
    for (const words of [
      { decision: "approve" as const },
      { decision: { option: "now" } },
      { decision: "reject" as const, feedback: "no" },
      { decision: { option: "later" }, response: "and more" },
    ])
      await expect(asked.decide(evidence, words)).rejects.toThrow("it is about something else");
    expect((await asked.decide(evidence, { decision: { option: "later" } })).result.option).toBe("later");
  });

  it("what was signed for a question does not count when it is asked again, nor for a later run of the same name", async () => {
    const authenticator = new Authenticator();
    const begin = async (): Promise<Asked> => {
      const asked = await Asked.begin(RISKY);
      asked.desk.access.addKey("device", authenticator.key);
      return asked;
    };
    const asked = await begin();
    const words = { decision: "reject", feedback: "no" } as const;
    const evidence = await asked.signed(authenticator, words);
    const { effectId } = await asked.decide(evidence, words);
    const by = { by: "mia", via: "cli", verified: false } as const;
    const decider = { source: { via: "terminal", terminal: true }, answers: "bound", by } as const;
    await retryRun(await asked.run.journal(), { step: effectId, decider });
    await asked.run.iterate();
    await asked.run.open();
    expect(await asked.run.effectId()).toBe(effectId);
    await expect(asked.decide(evidence, words)).rejects.toThrow("it is about something else");
    expect((await asked.decide(await asked.signed(authenticator, words), words)).outcome).toBe("committed");
    expect(await checkSignedDecisions(await asked.run.journal())).toEqual({ signed: 2, findings: [] });
    const [first, later] = [await begin(), await Asked.begin({ ...RISKY, at: START + 1 })];
    later.desk.access.addKey("device", authenticator.key);
    const { assertion } = (await first.signed(authenticator)) as { assertion: Assertion };
    const replayed = { ...later.session(), kind: "passkey", assertion } as Evidence;
    await expect(later.decide(replayed)).rejects.toThrow("it is about something else");
  });

  it("whoever was shown nothing decides nothing that shows something", async () => {
    const asked = await Asked.begin({});
    const decideShown = async (shown: string | null): Promise<DecisionAnswer> =>
      decide(asked.desk, await asked.run.journal(), { ...(await asked.words()), shown, evidence: asked.session() });
    await expect(decideShown(null)).rejects.toThrow("has changed since it was asked");
    const { shown = null } = (await asked.run.journal()).summary.pending[await asked.run.effectId()] ?? {};
    expect((await decideShown(shown)).outcome).toBe("committed");
  });

  it("a key that nobody has registered, or that was removed, confirms nothing", async () => {
    const asked = await Asked.begin({});
    const authenticator = new Authenticator();
    await expect(asked.decide(await asked.signed(authenticator))).rejects.toThrow("it is not known here");
    asked.desk.access.addKey("device", authenticator.key);
    asked.desk.access.removeKey("device", authenticator.key.credentialId);
    await expect(asked.decide(await asked.signed(authenticator))).rejects.toThrow("it is not known here");
  });
});

describe("run:check looks at what passkeys have signed", () => {
  async function decidedBy(authenticator: Authenticator): Promise<Asked> {
    const asked = await Asked.begin(RISKY);
    asked.desk.access.addKey("device", authenticator.key);
    await asked.decide(await asked.signed(authenticator));
    return asked;
  }

  it("a decision that its key has signed is counted, also where the key is not known", async () => {
    const { run } = await decidedBy(new Authenticator());
    expect(await checkSignedDecisions(await run.journal())).toEqual({ signed: 1, findings: [] });
  });

  it.each<[string, (payload: Payload, other: Authenticator) => Payload, string]>([
    [
      "a yes that was made a no",
      (payload) => ({ ...payload, result: { value: { ...payload.result.value, approved: false } } }),
      "it is about something else",
    ],
    [
      "another hash of what was shown",
      (payload) => ({ ...payload, result: { value: { ...payload.result.value, shown: "0".repeat(64) } } }),
      "it is about something else",
    ],
    [
      "a key that has not signed it",
      (payload, other) => {
        const { assertion, key } = payload.metadata.signed;
        return {
          ...payload,
          metadata: { signed: { assertion, key: { ...other.key, credentialId: key.credentialId } } },
        };
      },
      "its signature is wrong",
    ],
    [
      "a signature that is none",
      (payload) => ({ ...payload, metadata: { signed: {} as SignedDecision } }),
      "it is damaged",
    ],
  ])("%s is found, by whoever has sealed the journal anew", async (_, forge, problem) => {
    const { run } = await decidedBy(new Authenticator());
    // The decision is the last event: with a checksum of its own the chain is whole again.
    const journal = path.join(run.runDir, "journal");
    const file = path.join(journal, fs.readdirSync(journal).toSorted().at(-1) as string);
    const { checksum: _checksum, ...body } = JSON.parse(fs.readFileSync(file, "utf8")) as {
      payload: Payload;
      checksum: string;
    };
    const forged = { ...body, payload: forge(body.payload, new Authenticator()) };
    fs.writeFileSync(file, JSON.stringify({ ...forged, checksum: sha256(JSON.stringify(forged)) }));
    const { findings } = await checkSignedDecisions(await run.journal());
    expect(findings).toMatchObject([{ problem: expect.stringContaining(problem) as string, harmless: false }]);
  });
});

interface Payload {
  result: { value: Record<string, unknown> };
  metadata: { signed: SignedDecision };
}
