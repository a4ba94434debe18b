import path from "node:path";
import { describe, expect, it } from "vitest";
import { AskedRun, codedError } from "../../../../../tests/fixtures/runs/asked-run.js";
import { InboxAccess } from "../../inbox/inbox-access.js";
import { parseRunId } from "../../model/ids.js";
import { statusOf } from "../../model/run-state.js";
import { Chats } from "../../notify/chats.js";
import { decideBreakpoint } from "../../runs/decide-breakpoint.js";
import { RunJournal } from "../../runs/run-journal.js";
import { userName } from "../decision-source.js";
import { changeRun } from "./change-run.js";
import type { Desk } from "./desk.js";
import type { Evidence } from "./evidence.js";

const OF_AN_AGENT = { session: "session-1" };

/** A run that is asked something, and the inbox of a person. */
class Inbox {
  readonly run: AskedRun;
  readonly desk: Desk;

  private constructor(run: AskedRun) {
    this.run = run;
    const home = path.join(run.root, "home");
    const own = { home, now: () => new Date() };
    this.desk = { access: new InboxAccess(own), chats: new Chats(own), env: { HOME: home } };
  }

  static async begin(options: Parameters<typeof AskedRun.begin>[0]): Promise<Inbox> {
    return new Inbox(await AskedRun.begin(options));
  }

  session(): Evidence & { kind: "session" } {
    const { access } = this.desk;
    return { kind: "session", token: access.signIn(access.makeLink("mia").link, "Firefox").token };
  }

  async change(name: keyof typeof changeRun, evidence: Evidence): Promise<unknown> {
    const journal = await this.run.journal();
    const order = { evidence, from: { at: 1 }, step: await this.run.effectId().catch(() => undefined) };
    return (changeRun[name] as (desk: Desk, journal: RunJournal, order: object) => Promise<unknown>)(
      this.desk,
      journal,
      order,
    );
  }

  async reject(): Promise<string> {
    const effectId = await this.run.effectId();
    const source = { via: "web", verified: true } as const;
    await decideBreakpoint(await this.run.journal(), {
      effectId,
      decision: "reject",
      feedback: "no",
      by: "mia",
      source,
    });
    return effectId;
  }
}

describe("who changes a run is found out from what they show", () => {
  it.each(Object.keys(changeRun) as (keyof typeof changeRun)[])(
    "%s of an agent's run: without evidence, or with forged evidence, nothing happens",
    async (name) => {
      const inbox = await Inbox.begin(OF_AN_AGENT);
      const { token } = inbox.session();
      for (const { device } of inbox.desk.access.devices()) inbox.desk.access.signOut(device);
      const before = (await inbox.run.journal()).summary.head;
      const local = await codedError(inbox.change(name, { kind: "local", author: "The CEO" }));
      expect([local.code, local.hint]).toEqual(["ONLY_FOR_PEOPLE", expect.stringContaining(`run:${name} asked`)]);
      const forged = [
        { kind: "session", token: "made up" },
        { kind: "session", token },
        { kind: "passkey", token, assertion: {} },
        { kind: "person", token: inbox.session().token },
        { source: { via: "cli", terminal: true }, verified: true },
        undefined,
      ];
      for (const evidence of forged)
        expect((await codedError(inbox.change(name, evidence as never))).code).toBe("SIGN_IN_REFUSED");
      expect((await inbox.run.journal()).summary.head).toEqual(before);
    },
  );

  it("cancel: the run has ended, by whom it was", async () => {
    const inbox = await Inbox.begin(OF_AN_AGENT);
    const evidence = inbox.session();
    const journal = await inbox.run.journal();
    const order = { reason: "no longer needed", evidence };
    expect(await changeRun.cancel(inbox.desk, journal, order)).toMatchObject({ cancelled: true, tasks: [] });
    expect(await changeRun.cancel(inbox.desk, journal, order)).toMatchObject({ cancelled: false });
    expect(statusOf((await inbox.run.journal()).summary)).toBe("cancelled");
    const [event] = await inbox.run.events("RUN_CANCELLED");
    const source = { by: userName(), via: "web", verified: true };
    expect(event?.payload).toEqual({ reason: "no longer needed", source });
  });

  it("a run that is nobody's session is changed by whoever can reach it, and that is what is recorded", async () => {
    const inbox = await Inbox.begin({});
    const evidence = { kind: "local", author: "The CEO" } as const;
    await changeRun.cancel(inbox.desk, await inbox.run.journal(), { evidence });
    const [event] = await inbox.run.events("RUN_CANCELLED");
    expect(event?.payload).toEqual({ source: { by: "The CEO", via: "web", verified: false } });
  });

  it("retry: a question that was answered with no is asked again, and the process does not run for that", async () => {
    let played = 0;
    const inbox = await Inbox.begin({
      ...OF_AN_AGENT,
      process: async (_, ctx) => {
        played += 1;
        return ctx.breakpoint("Deploy?");
      },
    });
    const effectId = await inbox.reject();
    const before = played;
    const order = { step: effectId, evidence: inbox.session() };
    const { reopened } = await changeRun.retry(inbox.desk, await inbox.run.journal(), order);
    expect(reopened).toMatchObject([{ effectId, attempt: 2 }]);
    const [event] = await inbox.run.events("EFFECT_RETRIED");
    expect(event?.payload).toMatchObject({ source: { by: userName(), via: "web", verified: true } });
    expect(played).toBe(before);
  });

  it("fork: at an event or before a step, as a run of its own that has not run", async () => {
    let played = 0;
    const inbox = await Inbox.begin({
      ...OF_AN_AGENT,
      process: async (_, ctx) => {
        played += 1;
        return ctx.breakpoint("Deploy?");
      },
    });
    const effectId = await inbox.reject();
    const before = played;
    const evidence = inbox.session();
    const journal = await inbox.run.journal();
    const order = { from: { at: 1 }, forkId: "copy", evidence };
    expect(await changeRun.fork(inbox.desk, journal, order)).toMatchObject({ forkedFrom: { runId: "asked", at: 1 } });
    const copy = await RunJournal.open(inbox.run.ports, parseRunId("copy"));
    expect(copy.summary).toMatchObject({ created: OF_AN_AGENT, pending: {} });
    const again = await changeRun.fork(inbox.desk, journal, { from: { step: effectId }, forkId: "again", evidence });
    expect(again).toMatchObject({ runId: "again" });
    expect(played).toBe(before);
    await expect(changeRun.fork(inbox.desk, journal, { from: { at: 99 }, evidence })).rejects.toThrow("events 1 to");
    await expect(changeRun.fork(inbox.desk, journal, { from: { step: "none" }, evidence })).rejects.toThrow("none");
  });

  it("only loops are paused and resumed", async () => {
    const inbox = await Inbox.begin(OF_AN_AGENT);
    for (const name of ["pause", "resume"] as const)
      expect((await codedError(inbox.change(name, inbox.session()))).code).toBe("NO_LOOP");
  });
});
