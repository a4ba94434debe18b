/** ntfy: what a phone shows, what its tap proves, and what is known when something goes wrong. */
import { createHash, randomBytes } from "node:crypto";
import type { InboxDesk } from "@a5c-ai/babysitter-sdk/operate";
import { describe, expect, it } from "vitest";
import type { Channel, Heard, Outgoing } from "../../packages/breakpoints/src/channels/channel.js";
import { USUAL_LIMITS } from "../../packages/breakpoints/src/channels/http-delivery.js";
import { ntfyChannel, type Pace } from "../../packages/breakpoints/src/channels/ntfy.js";
import { HOSTILE } from "../fixtures/hostile-text.js";
import { newDesk, noStop, outcomeOf, outgoing, partsOf, SUBJECT } from "../fixtures/notify/channel-bench.js";
import { FakeNtfy, type Phone } from "../fixtures/notify/fake-ntfy.js";
import { type Behaviour, kept } from "../fixtures/notify/faults.js";

const TOPIC = "topic-0123456789abcdef";
const REPLIES = "replies-0123456789abcdef";
const SECRETS = [TOPIC, REPLIES, "tk_main", "tk_reply"];
/** Where nothing is to be heard. */
const IMPATIENT: Partial<Pace> = { listenMs: 50, pauseMs: 0 };

interface Scene {
  fake: FakeNtfy;
  phone: Phone;
  desk: InboxDesk;
  channel: ReturnType<typeof ntfyChannel>;
  /** Sends as the worker does: the intent first. */
  send: (message?: Partial<Outgoing>) => ReturnType<Channel["send"]>;
  /** Hears and deals as the worker does; answers how many there were. */
  hear: (signal?: AbortSignal) => Promise<number>;
  receipt: (subject?: string) => string | undefined;
}

async function scene(pace: Partial<Pace> = {}, settings: Record<string, string> = {}): Promise<Scene> {
  const fake = await FakeNtfy.start();
  const desk = newDesk();
  const parts = partsOf("ntfy", { server: fake.url, topic: TOPIC, replyTopic: REPLIES, ...settings }, desk);
  const channel = ntfyChannel(parts, pace);
  const send = async (more: Partial<Outgoing> = {}): ReturnType<Channel["send"]> => {
    const tap = randomBytes(24).toString("base64url");
    const message = outgoing({ id: randomBytes(4).toString("hex"), tap, ...more });
    const { id, kind, repeat, subjects } = message;
    const due = new Date().toISOString();
    for (const subject of subjects) desk.outbox.note({ type: "QUEUED", channel: "ntfy", subject, due });
    const hash = createHash("sha256")
      .update(message.tap ?? "")
      .digest("hex");
    desk.outbox.note({ type: "SENDING", message: id, channel: "ntfy", kind, subjects, attempt: 1, repeat, tap: hash });
    const { ref } = await channel.send(message, noStop());
    desk.outbox.note({ type: "ACCEPTED", message: id, ...(ref === undefined ? {} : { ref }) });
    return { ref };
  };
  const deal = async ({ deal: act, cursor }: Heard): Promise<void> => {
    await act();
    desk.outbox.note({ type: "HEARD", channel: "ntfy", cursor });
  };
  const hear = async (signal = noStop()): Promise<number> => {
    const heard = await channel.poll(desk.outbox.state().cursors.get("ntfy"), signal);
    for (const one of heard) await deal(one);
    return heard.length;
  };
  const receipt = (subject = SUBJECT): string | undefined => desk.outbox.receipts(subject)[0]?.state;
  return { fake, phone: fake.phone(TOPIC), desk, channel, send, hear, receipt };
}

describe("what a phone shows", () => {
  it("B9: one message with its link, and an action that answers to the second topic", async () => {
    const { fake, phone, send } = await scene();
    await send({ tap: "the-tap", link: "https://inbox.test/q/1" });
    const [shown] = phone.shown;
    expect(shown).toMatchObject({
      topic: TOPIC,
      title: "A question is waiting for you",
      message: "Deploy to production?\nrun: deploy-7\nproject: shop\nhttps://inbox.test/q/1",
      tags: ["question"],
      priority: 4,
      click: "https://inbox.test/q/1",
      actions: [
        {
          action: "http",
          label: "Got it",
          url: `${fake.url}/${REPLIES}`,
          method: "POST",
          body: "the-tap",
          clear: true,
        },
      ],
    });
    expect(phone.shown).toHaveLength(1);
  });

  it("B9: a repeat says that it is one", async () => {
    const { phone, send } = await scene();
    await send({ repeat: true });
    expect(phone.shown[0]?.message).toMatch(/^You may have received this before\.\n/u);
  });

  it("as much as the server takes, in whole characters, whatever it is made of", async () => {
    const { phone, send } = await scene();
    for (const part of ["a", '"', "\\", "é", "👨‍👩‍👧‍👦", HOSTILE]) {
      const lines = Array.from({ length: 60 }, () => part.repeat(Math.ceil(400 / part.length)));
      await send({ heading: part.repeat(500), lines, link: "https://inbox.test/q/1" });
      const { message = "" } = phone.shown.at(-1) ?? {};
      expect(message).toMatch(/…\nhttps:\/\/inbox\.test\/q\/1$/u);
      expect(message).not.toMatch(/\p{Cs}|\ufffd/u);
      expect(Buffer.byteLength(message)).toBeGreaterThan(2_000);
    }
    expect(phone.shown).toHaveLength(6);
  });

  it("text of others on lines of their own", async () => {
    const { phone, send } = await scene();
    const item = {
      subject: SUBJECT,
      title: HOSTILE,
      details: [{ name: "run" as const, text: HOSTILE }],
      outcome: HOSTILE,
    };
    await send({ heading: HOSTILE, items: [item], lines: [HOSTILE], link: HOSTILE });
    const { message = "", title = "", click } = phone.shown[0] ?? {};
    expect([message.split("\n").filter((line) => line !== "").length, title.includes("\n"), click]).toEqual([
      4,
      false,
      undefined,
    ]);
  });

  it("B9: what came of the question, in the place of the same message", async () => {
    const { phone, channel, send } = await scene();
    const { ref } = await send();
    const [item] = outgoing().items as [Outgoing["items"][number]];
    await channel.edit(ref, outgoing({ items: [{ ...item, outcome: "Approved by mia ✓" }] }), noStop());
    expect(phone.shown).toHaveLength(1);
    expect(phone.shown[0]).toMatchObject({ title: "A question is waiting for you", priority: 2, tags: ["question"] });
    expect(phone.shown[0]?.message).toContain("Approved by mia ✓");
    expect(phone.shown[0]?.actions).toBeUndefined();
  });

  it("B9: no second message on a server that cannot replace one", async () => {
    const { fake, phone, channel, send } = await scene();
    fake.canReplace = false;
    const { ref } = await send();
    expect(await outcomeOf(channel.edit(ref, outgoing(), noStop()))).toMatchObject({ outcome: "refused" });
    expect(await outcomeOf(channel.edit("../x", outgoing(), noStop()))).toMatchObject({ outcome: "refused" });
    expect(phone.shown).toHaveLength(1);
  });
});

describe("what is known after sending", () => {
  it.each<[Behaviour, string]>([
    ["400", "refused"],
    ["403", "refused"],
    ["404", "refused"],
    ["429", "not-sent"],
    ["500", "answered-with-error"],
    ["503", "answered-with-error"],
    ["redirect", "not-sent"],
    ["hang", "in-doubt"],
    ["cut", "in-doubt"],
    ["half", "in-doubt"],
    ["garbage", "in-doubt"],
    ["flood", "in-doubt"],
  ])("B9: after %s: %s, whether it is shown or not", async (behaviour, outcome) => {
    const limits = behaviour === "hang" ? { ...USUAL_LIMITS, timeMs: 200 } : USUAL_LIMITS;
    const { fake, phone, channel } = await scene({ limits });
    fake.faults.next(behaviour, kept(behaviour));
    for (const shown of [0, 1]) {
      expect(await outcomeOf(channel.send(outgoing(), noStop()))).toMatchObject({ outcome });
      expect(phone.shown).toHaveLength(shown);
    }
  });

  it("B9: a server that says yes and loses it has accepted it, and no tap ever comes", async () => {
    const { fake, phone, send, hear, receipt } = await scene(IMPATIENT);
    fake.faults.next("lost");
    await send();
    expect([phone.shown.length, await hear(), receipt()]).toEqual([0, 0, "accepted"]);
  });

  it("B9: a server that is down has got nothing, and is found again", async () => {
    const { fake, channel } = await scene();
    await fake.service.down();
    expect(await outcomeOf(channel.send(outgoing(), noStop()))).toMatchObject({ outcome: "not-sent" });
    expect(await outcomeOf(channel.poll(undefined, noStop()))).toMatchObject({ outcome: "not-sent" });
    await fake.service.up();
    expect(await outcomeOf(channel.send(outgoing(), noStop()))).toBe("delivered");
  });

  it("no topic and no token is told to anybody", async () => {
    const { fake, channel } = await scene({}, { token: "tk_main", replyToken: "tk_reply" });
    const told = [channel.target];
    for (const behaviour of ["400", "403", "404", "429", "500", "cut", "half", "garbage", "redirect"] as const) {
      fake.faults.next(behaviour);
      fake.hearing.next(behaviour);
      told.push(JSON.stringify(await outcomeOf(channel.send(outgoing({ tap: "t" }), noStop()))));
      told.push(JSON.stringify(await outcomeOf(channel.poll(undefined, noStop()))));
    }
    await fake.service.down();
    told.push(JSON.stringify(await outcomeOf(channel.send(outgoing(), noStop()))));
    const broken = ntfyChannel(
      partsOf("ntfy", { server: fake.url, topic: TOPIC, replyTopic: REPLIES, token: "tk_main\nx" }),
    );
    told.push(JSON.stringify(await outcomeOf(broken.send(outgoing(), noStop()))));
    expect(told.at(-1)).toContain("refused");
    expect(told.filter((text) => SECRETS.some((secret) => text.includes(secret)))).toEqual([]);
  });
});

describe("a tap", () => {
  it("B9: on the phone acknowledges what the message was about, and nothing else", async () => {
    const { phone, send, hear, receipt } = await scene();
    await send();
    await send({ items: [{ subject: "question:other", title: "Other?", details: [] }] });
    expect(receipt()).toBe("accepted");
    const [first] = await phone.shows(2);
    const heard = hear();
    expect(await phone.tap(first as NonNullable<typeof first>)).toBe(200);
    expect(await heard).toBe(1);
    expect([receipt(), receipt("question:other")]).toEqual(["acknowledged", "accepted"]);
  });

  it("B9: that came while nobody listened is heard later", async () => {
    const { phone, desk, send, hear, receipt } = await scene(IMPATIENT);
    await send();
    await phone.tap((await phone.shows(1))[0] as never);
    expect([await hear(), receipt()]).toEqual([1, "acknowledged"]);
    expect(desk.outbox.receipts(SUBJECT)[0]?.why).toBe("the action in ntfy");
    expect(await hear()).toBe(0);
  });

  it("B9: that comes twice, again after a crash, or out of order does no harm", async () => {
    const { fake, phone, desk, channel, send, hear, receipt } = await scene(IMPATIENT);
    const subjects = ["question:a", "question:b", "question:c"];
    for (const subject of subjects) await send({ items: [{ subject, title: subject, details: [] }] });
    const shown = await phone.shows(3);
    for (const message of [...shown, ...shown]) await phone.tap(message);
    fake.order = (messages) => messages.toReversed();
    // The worker dies after it has dealt with the first, and before it has saved the cursor.
    const [first] = await channel.poll(undefined, noStop());
    await first?.deal();
    await hear();
    await hear();
    expect(subjects.map(receipt)).toEqual(["acknowledged", "acknowledged", "acknowledged"]);
    fake.forgetsIds = true;
    expect(await hear()).toBe(0);
    expect(desk.outbox.state().notices.size).toBe(3);
  });

  it("is dealt with again if dealing with it failed", async () => {
    const { fake, phone, desk, send, receipt } = await scene();
    await send();
    await phone.tap((await phone.shows(1))[0] as never);
    let isFull = true;
    const parts = partsOf("ntfy", { server: fake.url, topic: TOPIC, replyTopic: REPLIES }, desk);
    const channel = ntfyChannel({
      ...parts,
      acknowledge: (...given) => {
        if (isFull) throw new Error("ENOSPC");
        parts.acknowledge(...given);
      },
    });
    await expect((await channel.poll(undefined, noStop()))[0]?.deal()).rejects.toThrow("ENOSPC");
    isFull = false;
    await (await channel.poll(undefined, noStop()))[0]?.deal();
    expect(receipt()).toBe("acknowledged");
  });

  it("on a server with tokens uses the one that may only write there", async () => {
    const { fake, phone, send } = await scene({}, { token: "tk_main", replyToken: "tk_reply" });
    fake.token = "tk_main";
    await send();
    const [shown] = phone.shown;
    expect(shown?.actions?.[0]?.headers).toEqual({ Authorization: "Bearer tk_reply" });
    expect(JSON.stringify(shown)).not.toContain("tk_main");
  });
});

describe("anything else in the second topic", () => {
  it("B9: acknowledges nothing and decides nothing", async () => {
    const { fake, desk, send, hear, receipt } = await scene(IMPATIENT);
    await send({ tap: "the-tap" });
    const hash = createHash("sha256").update("the-tap").digest("hex");
    const said = [
      "approve",
      "yes",
      "1",
      "/approve",
      SUBJECT,
      hash,
      "the-tap!",
      "",
      "the-ta",
      HOSTILE,
      '{"tap":"the-tap"}',
    ];
    for (const text of said) fake.say(REPLIES, text);
    fake.say(TOPIC, "the-tap");
    // The last one is told, so that the next answer begins after it.
    expect(await hear()).toBe(1);
    expect(await hear()).toBe(0);
    expect(receipt()).toBe("accepted");
    expect(desk.outbox.state().cursors.get("ntfy")).toBe(fake.messages(REPLIES).at(-1)?.id);
  });

  it("B9: a tap of another channel's message is none", async () => {
    const { fake, desk, hear } = await scene(IMPATIENT);
    const tap = createHash("sha256").update("the-tap").digest("hex");
    for (const channel of ["slack", "ntfy"]) desk.outbox.note({ type: "QUEUED", channel, subject: SUBJECT, due: "" });
    const sent = { message: "m", channel: "slack", kind: "questions", attempt: 1 } as const;
    desk.outbox.note({ type: "SENDING", ...sent, subjects: [SUBJECT], repeat: false, tap });
    fake.say(REPLIES, "the-tap");
    await hear();
    expect(desk.outbox.receipts(SUBJECT).map(({ state }) => state)).toEqual(["sending", "queued"]);
  });

  it("does not hide a tap, however much of it there is", async () => {
    const { fake, phone, send, hear, receipt } = await scene(IMPATIENT);
    await send();
    for (let n = 0; n < 200; n += 1) fake.say(REPLIES, `${n} ${"x".repeat(4_000)}`);
    await phone.tap((await phone.shows(1))[0] as never);
    let rounds = 0;
    while (receipt() !== "acknowledged") rounds += await hear();
    expect(rounds).toBeLessThan(20);
  });
});

describe("listening", () => {
  it("ends when the worker stops", async () => {
    const { fake, hear } = await scene();
    const stop = new AbortController();
    const heard = hear(stop.signal);
    await fake.service.asked(2);
    stop.abort();
    expect(await heard).toBe(0);
  });

  it("asks again only after a pause, even of a server that ends every answer at once", async () => {
    const { fake, hear } = await scene({ listenMs: 60_000, pauseMs: 60_000 });
    fake.hearing.next("ok", "garbage");
    const stop = new AbortController();
    const heard = hear(stop.signal);
    await fake.service.asked(2);
    const first = await Promise.race([heard, new Promise((resolve) => setTimeout(resolve, 200, "waits"))]);
    stop.abort();
    expect([first, await heard, fake.service.requests.length]).toEqual(["waits", 0, 2]);
  });

  it.each<Behaviour>(["403", "429", "500", "cut", "half", "redirect", "garbage"])(
    "says what is wrong: %s",
    async (behaviour) => {
      const { fake, channel } = await scene();
      fake.hearing.next(behaviour);
      expect(await outcomeOf(channel.poll(undefined, noStop()))).toHaveProperty("reason");
    },
  );

  it("begins after what it has heard, and with everything if that is no name of a message", async () => {
    const { fake, channel } = await scene(IMPATIENT);
    await channel.poll("abcdefghijkl", noStop());
    await channel.poll("x&since=all#/../", noStop());
    await channel.poll(undefined, noStop());
    const since = fake.service.requests.map(({ query }) => query.getAll("since").join());
    expect(since).toEqual(["abcdefghijkl", "abcdefghijkl", "all", "all", "all", "all"]);
  });
});
