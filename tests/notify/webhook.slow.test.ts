/** Slack, Discord and webhooks of one's own: what they are sent, and what is known afterwards. */
import { createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { Channel } from "../../packages/breakpoints/src/channels/channel.js";
import { type Limits, USUAL_LIMITS } from "../../packages/breakpoints/src/channels/http-delivery.js";
import { discordChannel, slackChannel, webhookChannel } from "../../packages/breakpoints/src/channels/webhook.js";
import { HOSTILE } from "../fixtures/hostile-text.js";
import { noStop, outcomeOf, outgoing, partsOf, SUBJECT } from "../fixtures/notify/channel-bench.js";
import { FakeWebhook, WEBHOOK_SECRET } from "../fixtures/notify/fake-webhook.js";
import { type Behaviour, kept } from "../fixtures/notify/faults.js";

const KINDS = ["slack", "discord", "webhook"] as const;
type Kind = (typeof KINDS)[number];
const OPENERS = { slack: slackChannel, discord: discordChannel, webhook: webhookChannel };
/** Only where nothing is ever answered: a machine may be slow. */
const limitsFor = (behaviour: Behaviour): Limits =>
  behaviour === "hang" ? { ...USUAL_LIMITS, timeMs: 200 } : USUAL_LIMITS;

async function opened(
  kind: Kind,
  settings: Record<string, string> = {},
  limits = USUAL_LIMITS,
): Promise<{ fake: FakeWebhook; channel: Channel }> {
  const fake = await FakeWebhook.start(kind);
  return { fake, channel: OPENERS[kind](partsOf(kind, { url: fake.url, ...settings }), limits) };
}

describe.each(KINDS)("%s", (kind) => {
  it("B9: takes a message, and proves no more than that", async () => {
    const { fake, channel } = await opened(kind);
    await channel.send(outgoing(), noStop());
    expect(fake.messages).toHaveLength(1);
    expect(channel.proves).toBe("accepted");
    expect(channel).not.toHaveProperty("poll");
  });

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
  ])("B9: after %s the message is %s, whether people see it or not", async (behaviour, outcome) => {
    const { fake, channel } = await opened(kind, {}, limitsFor(behaviour));
    fake.faults.next(behaviour, kept(behaviour));
    for (const seen of [0, 1]) {
      expect(await outcomeOf(channel.send(outgoing(), noStop()))).toMatchObject({ outcome });
      expect(fake.messages).toHaveLength(seen);
    }
    await OPENERS[kind](partsOf(kind, { url: fake.url })).send(outgoing(), noStop());
    expect(fake.messages).toHaveLength(2);
  });

  it("B9: a service that says yes and loses it has accepted it: nobody can know better", async () => {
    const { fake, channel } = await opened(kind);
    fake.faults.next("lost");
    expect(await outcomeOf(channel.send(outgoing(), noStop()))).toBe("delivered");
    expect(fake.messages).toEqual([]);
  });

  it("waits as long as it is asked to", async () => {
    const { fake, channel } = await opened(kind);
    fake.faults.next("429");
    fake.faults.retryAfter = "7";
    expect(await outcomeOf(channel.send(outgoing(), noStop()))).toMatchObject({ retryAfterMs: 7_000 });
  });

  it("B9: a service that is down has got nothing, and is found again", async () => {
    const { fake, channel } = await opened(kind);
    await fake.service.down();
    expect(await outcomeOf(channel.send(outgoing(), noStop()))).toMatchObject({ outcome: "not-sent" });
    await fake.service.up();
    expect(await outcomeOf(channel.send(outgoing(), noStop()))).toBe("delivered");
  });

  it("tells the secret part of its address to nobody but the service", async () => {
    const { fake, channel } = await opened(kind);
    const told = [channel.target];
    for (const behaviour of ["400", "403", "429", "500", "cut", "garbage", "redirect"] as const) {
      fake.faults.next(behaviour);
      told.push(JSON.stringify(await outcomeOf(channel.send(outgoing(), noStop()))));
    }
    await fake.service.down();
    told.push(JSON.stringify(await outcomeOf(channel.send(outgoing(), noStop()))));
    expect(told.filter((text) => text.includes(WEBHOOK_SECRET) || text.includes("hooks/"))).toEqual([]);
    expect(told[0]).toBe(new URL(fake.url).host);
  });

  it("survives hostile text in every field", async () => {
    const { fake, channel } = await opened(kind);
    const attack = `${HOSTILE} @everyone @here <!channel> <@U1> <#C1> <https://evil.test|x> **b** [l](https://evil.test) &lt;!here&gt;`;
    const item = {
      subject: attack,
      question: attack,
      title: attack,
      details: [{ name: "run" as const, text: attack }],
      link: attack,
      outcome: attack,
    };
    const hostile = outgoing({ heading: attack, items: [item], lines: [attack, attack.repeat(100)], link: attack });
    expect(await outcomeOf(channel.send(hostile, noStop()))).toBe("delivered");
    expect(fake.messages).toHaveLength(1);
  });

  it("an address that cannot be used is refused without being quoted", async () => {
    for (const url of [
      "",
      "nothing",
      "http://127.0.0.1:6000/secret",
      "ftp://127.0.0.1/secret",
      "http://u:secret@127.0.0.1/",
    ]) {
      const channel = OPENERS[kind](partsOf(kind, { url }));
      const outcome = await outcomeOf(channel.send(outgoing(), noStop()));
      expect(outcome).toMatchObject({ outcome: "refused" });
      expect(JSON.stringify(outcome)).not.toContain("secret");
    }
  });
});

describe.each(["slack", "discord"] as const)("an answer of %s", (kind) => {
  it.each<Behaviour>(["garbage", "half", "flood"])(
    "B9: that cannot be read leaves it in doubt: %s",
    async (behaviour) => {
      const { fake, channel } = await opened(kind);
      fake.faults.next(behaviour);
      expect(await outcomeOf(channel.send(outgoing(), noStop()))).toMatchObject({ outcome: "in-doubt" });
    },
  );
});

describe("Slack", () => {
  it("is sent text in which nothing is a mention or a link but our own", async () => {
    const { fake, channel } = await opened("slack");
    const link = "https://inbox.test/q?a=1&b=<!channel>";
    await channel.send(
      outgoing({ heading: "<!channel> & <@U1>", lines: ["<https://evil.test|here>"], link }),
      noStop(),
    );
    const [{ document }] = fake.messages as [FakeWebhook["messages"][number]];
    expect(document).toEqual({
      text: [
        "&lt;!channel&gt; &amp; &lt;@U1&gt;",
        "Deploy to production?",
        "run: deploy-7",
        "project: shop",
        "",
        "&lt;https://evil.test|here&gt;",
        "<https://inbox.test/q?a=1&amp;b=%3C!channel%3E>",
      ].join("\n"),
      mrkdwn: false,
      link_names: false,
      unfurl_links: false,
      unfurl_media: false,
    });
  });

  it("cannot change a message", async () => {
    expect((await opened("slack")).channel).not.toHaveProperty("edit");
  });
});

describe("Discord", () => {
  it("is sent text in which nothing is a mark, a mention or a link but our own", async () => {
    const { fake, channel } = await opened("discord");
    const heading = "# @everyone <@1> **b** [x](https://evil.test) :smile: ||s|| `c`";
    await channel.send(outgoing({ heading, items: [], lines: ["1. - one"], link: "https://inbox.test/q" }), noStop());
    const [{ document, request }] = fake.messages as [FakeWebhook["messages"][number]];
    expect(document).toEqual({
      content: [
        String.raw`\# \@everyone \<\@1\> \*\*b\*\* \[x\]\(https\://evil.test\) \:smile\: \|\|s\|\| \`c\``,
        String.raw`1\. \- one`,
        "<https://inbox.test/q>",
      ].join("\n"),
      allowed_mentions: { parse: [] },
      flags: 4,
    });
    expect(request.query.get("wait")).toBe("true");
  });

  it("is sent no more than it takes, with the link in any case", async () => {
    const { fake, channel } = await opened("discord");
    const lines = Array.from({ length: 100 }, (_, at) => `${at} ${"*👨‍👩‍👧‍👦".repeat(20)}`);
    await channel.send(outgoing({ lines, link: "https://inbox.test/q" }), noStop());
    const content = fake.messages[0]?.document["content"] as string;
    expect(content.length).toBeGreaterThan(1_900);
    expect(content).toMatch(/…\n<https:\/\/inbox\.test\/q>$/u);
    expect(content).not.toMatch(/\p{Cs}/u);
  });

  it("B9: changes the message that it has sent, in the same thread", async () => {
    const { fake, channel } = await opened("discord");
    const parts = partsOf("discord", { url: `${fake.url}?thread_id=5` });
    const threaded = discordChannel(parts);
    const { ref } = await channel.send(outgoing(), noStop());
    const [item] = outgoing().items;
    const decided = outgoing({ items: [{ ...(item as NonNullable<typeof item>), outcome: "Approved by mia" }] });
    await threaded.edit(ref, decided, noStop());
    const [message] = fake.messages;
    expect(message?.document["content"]).toContain("Approved by mia");
    expect([fake.messages.length, message?.before.length]).toEqual([1, 1]);
    expect(fake.service.requests.at(-1)?.query.get("thread_id")).toBe("5");
  });

  it.each<[Behaviour, string]>([
    ["404", "refused"],
    ["429", "not-sent"],
    ["500", "answered-with-error"],
    ["hang", "in-doubt"],
    ["cut", "in-doubt"],
  ])("after %s a change is %s", async (behaviour, outcome) => {
    const { fake, channel } = await opened("discord");
    const { ref } = await channel.send(outgoing(), noStop());
    fake.editing.next(behaviour);
    const patient = discordChannel(partsOf("discord", { url: fake.url }), limitsFor(behaviour));
    expect(await outcomeOf(patient.edit(ref, outgoing(), noStop()))).toMatchObject({ outcome });
  });

  it.each([undefined, null, "../../channels/1", 5, "1/../../x", {}])(
    "does not change what it has no name for: %j",
    async (ref) => {
      const { fake, channel } = await opened("discord");
      const edit = (channel as ReturnType<typeof discordChannel>).edit(ref, outgoing(), noStop());
      expect(await outcomeOf(edit)).toMatchObject({ outcome: "refused" });
      expect(fake.service.requests).toEqual([]);
    },
  );
});

describe("a webhook of one's own", () => {
  it("is sent a document with everything in it, and a name to tell repeats apart", async () => {
    const { fake, channel } = await opened("webhook");
    await channel.send(outgoing({ repeat: true, lines: ["a\nb"], link: "https://inbox.test/" }), noStop());
    const [{ document, request }] = fake.messages as [FakeWebhook["messages"][number]];
    expect(document).toEqual({
      version: 1,
      id: "01MESSAGE",
      kind: "questions",
      repeat: true,
      heading: "A question is waiting for you",
      subjects: [SUBJECT],
      items: [
        {
          subject: SUBJECT,
          question: "run-1/effect-1",
          title: "Deploy to production?",
          details: [
            { name: "run", text: "deploy-7" },
            { name: "project", text: "shop" },
          ],
          link: null,
          outcome: null,
        },
      ],
      lines: ["a\nb"],
      link: "https://inbox.test/",
    });
    expect([request.headers["babysitter-message"], request.headers["babysitter-signature"]]).toEqual([
      "01MESSAGE",
      undefined,
    ]);
  });

  it("signs what it sends, byte for byte", async () => {
    const { fake, channel } = await opened("webhook", { secret: "our secret" });
    await channel.send(outgoing({ heading: "Grüße 👋" }), noStop());
    const [{ request }] = fake.messages as [FakeWebhook["messages"][number]];
    const expected = createHmac("sha256", "our secret").update(request.body).digest("hex");
    expect(request.headers["babysitter-signature"]).toBe(`sha256=${expected}`);
  });

  it("B9: takes whatever is answered with a 2xx for accepted", async () => {
    const { fake, channel } = await opened("webhook");
    fake.faults.next(kept("garbage"), kept("flood"), kept("half"));
    for (let n = 1; n <= 3; n += 1) expect(await outcomeOf(channel.send(outgoing(), noStop()))).toBe("delivered");
    expect(fake.messages).toHaveLength(3);
  });

  it("never gives away what a tap would be", async () => {
    for (const kind of KINDS) {
      const { fake, channel } = await opened(kind);
      await channel.send(outgoing({ tap: "tap-secret" }), noStop());
      expect(fake.service.requests[0]?.body).not.toContain("tap-secret");
    }
  });
});
