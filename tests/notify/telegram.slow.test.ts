/** Decisions by the buttons of a Telegram chat, in the journals of real runs. */
import { execFileSync } from "node:child_process";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import type { ShownMessage } from "../fixtures/notify/fake-telegram.js";
import { type AskedQuestion, TelegramScene } from "../fixtures/notify/telegram-scene.js";

const BY_MIA = { respondedBy: "@mia", via: "telegram", verified: true };

/** What a person does with the message of a question, and the one decision that follows from it. */
interface Row {
  payload: unknown;
  act: (scene: TelegramScene, message: ShownMessage) => Promise<string>;
  decision: object;
  toast: string;
}

const labels = ({ rows }: ShownMessage): string[][] => rows.map((row) => row.map(({ label }) => label));

const ROWS: Record<string, Row> = {
  approve: {
    payload: { question: "Ship it?", title: "Release 1.0" },
    act: async (scene, message) => scene.phone.tap(message, "Approve"),
    decision: { approved: true, ...BY_MIA },
    toast: "Approved by you, via Telegram.",
  },
  "approve in the preview": {
    payload: "Ship it?",
    act: async (scene, message) => {
      scene.phone.tap(message, "Details");
      await scene.hear();
      return scene.phone.tap(await scene.phone.message(/Ship it/u, message), "Approve");
    },
    decision: { approved: true, ...BY_MIA },
    toast: "Approved by you, via Telegram.",
  },
  "reject, with the reason as a reply to the prompt": {
    payload: "Ship it?",
    act: async (scene, message) => {
      scene.phone.tap(message, "Reject…");
      await scene.hear();
      const prompt = await scene.phone.message(/Why are you rejecting it/u);
      expect(prompt).toMatchObject({ asksForReply: true, replyTo: message.id });
      scene.phone.reply(prompt, "The tests <fail> & burn");
      await scene.hear();
      const shown = await scene.phone.message(/Reject with this reason/u);
      expect(shown.text).toContain("The tests <fail> & burn");
      return scene.phone.tap(shown, "Reject");
    },
    decision: { approved: false, feedback: "The tests <fail> & burn", ...BY_MIA },
    toast: "Rejected by you, via Telegram: The tests <fail> & burn",
  },
  "an option": {
    payload: { question: "When?", options: ["now", "later"] },
    act: async (scene, message) => {
      expect(labels(message)).toEqual([["Answer: now"], ["Answer: later"], ["Details"], ["Reject…"]]);
      return scene.phone.tap(message, "Answer: later");
    },
    decision: { approved: true, option: "later", ...BY_MIA },
    toast: "Approved (later) by you, via Telegram.",
  },
  "an option that rejects, without a reason": {
    payload: { question: "When?", options: [{ label: "Now" }, { label: "Never", id: "never", reject: true }] },
    act: async (scene, message) => {
      expect(labels(message)).toEqual([["Answer: Now"], ["Details"], ["Answer: Never"]]);
      return scene.phone.tap(message, "Answer: Never");
    },
    decision: { approved: false, option: "never", ...BY_MIA },
    toast: "Rejected (never) by you, via Telegram: Never",
  },
  "an answer in words, as a reply": {
    payload: "Which colour?",
    act: async (scene, message) => {
      scene.phone.reply(message, "blue");
      await scene.hear();
      const shown = await scene.phone.message(/You wrote:/u);
      expect(labels(shown)).toEqual([["Approve with this answer"], ["Add as a comment"], ["Reject with this reason"]]);
      return scene.phone.tap(shown, "Approve with this answer");
    },
    decision: { approved: true, response: "blue", ...BY_MIA },
    toast: "Approved by you, via Telegram: blue",
  },
  "“NO!” as a reply, which is a reason once they say so": {
    payload: "Which colour?",
    act: async (scene, message) => {
      scene.phone.reply(message, "NO!");
      await scene.hear();
      return scene.phone.tap(await scene.phone.message(/You wrote:/u), "Reject with this reason");
    },
    decision: { approved: false, feedback: "NO!", ...BY_MIA },
    toast: "Rejected by you, via Telegram: NO!",
  },
  "an option with a text": {
    payload: { question: "When?", options: ["now", { label: "never", reject: true }] },
    act: async (scene, message) => {
      scene.phone.reply(message, "because I say so");
      await scene.hear();
      const shown = await scene.phone.message(/You wrote:/u);
      expect(labels(shown)).toEqual([
        ["Answer: now"],
        ["Add as a comment"],
        ["Answer: never"],
        ["Reject with this reason"],
      ]);
      return scene.phone.tap(shown, "Answer: never");
    },
    decision: { approved: false, option: "never", feedback: "because I say so", ...BY_MIA },
    toast: "Rejected (never) by you, via Telegram: because I say so",
  },
  "high risk, by a second tap that repeats the action": {
    payload: {
      question: "Drop the table?",
      title: "Drop users",
      risk: "high",
      consequences: { approve: "All is gone" },
    },
    act: async (scene, message) => {
      const first = scene.phone.tap(message, "Approve");
      await scene.hear();
      expect((await scene.phone.toast(first)).text).toBe("Not decided yet: please confirm.");
      const shown = await scene.phone.message(/Really approve\?[^]*What happens next: All is gone/u);
      expect(labels(shown)).toEqual([["Approve: Drop users"], ["Leave it open"]]);
      return scene.phone.tap(shown, "Approve: Drop users");
    },
    decision: { approved: true, ...BY_MIA },
    toast: "Approved by you, via Telegram.",
  },
};

async function asked(scene: TelegramScene, payload: unknown): Promise<[AskedQuestion, ShownMessage]> {
  const question = await scene.ask(payload);
  return [question, await scene.notify(question)];
}

ROWS["high risk, rejected by a second tap as well"] = {
  payload: { question: "Drop the table?", title: "Drop users", risk: "high" },
  act: async (scene, message) => {
    scene.phone.reply(message, "Never");
    await scene.hear();
    scene.phone.tap(await scene.phone.message(/You wrote:/u), "Reject with this reason");
    await scene.hear();
    const shown = await scene.phone.message(/Really reject\?[^]*Never/u);
    return scene.phone.tap(shown, "Reject: Drop users");
  },
  decision: { approved: false, feedback: "Never", ...BY_MIA },
  toast: "Rejected by you, via Telegram: Never",
};

const ALL_FIELDS = { record: { fields: ["title", "question", "run", "project", "link", "options", "risk"] as const } };
const showingAll = { record: { ...ALL_FIELDS.record, fields: [...ALL_FIELDS.record.fields] } };

const CLI = fileURLToPath(new URL("../../packages/sdk/bin/babysitter.cjs", import.meta.url));

/** As another program does, and waits for it. */
function reject(cwd: string, effectId: string): void {
  const env = { PATH: process.env["PATH"], HOME: path.dirname(cwd) };
  execFileSync(process.execPath, [CLI, "breakpoint:reject", effectId, "--reason", "Faster"], { cwd, env });
}

describe("deciding", () => {
  it.each(Object.entries(ROWS))(
    "B4: %s is one decision, verified, by whoever the chat is bound to; all messages say so",
    async (_, { payload, act, decision, toast }) => {
      const { onTestFinished } = await import("vitest");
      const scene = await TelegramScene.bound({ onTestFinished }, showingAll);
      const [question, message] = await asked(scene, payload);
      const tap = await act(scene, message);
      await scene.hear();
      expect((await scene.phone.toast(tap)).text).toBe(toast);
      expect(await scene.decisions(question)).toMatchObject([decision]);
      const about = scene.phone.messages().filter(({ text, id }) => id >= message.id && !/Why are you/u.test(text));
      for (const { text, buttons } of about) {
        expect(text).toContain(toast);
        expect(buttons).toEqual([]);
      }
      expect(scene.acknowledged.length).toBeGreaterThan(0);
      for (const { subjects } of scene.acknowledged) expect(subjects).toEqual([`question:${question.id}`]);
    },
  );

  it("B4: a double tap decides once, and the second is told so", async (test) => {
    const scene = await TelegramScene.bound(test);
    const [question, message] = await asked(scene, "Ship it?");
    const taps = [scene.phone.tap(message, "Approve"), scene.phone.press(message, message.buttons[0]?.data ?? "")];
    await scene.hear();
    const texts = await Promise.all(taps.map(async (tap) => (await scene.phone.toast(tap)).text));
    expect(texts).toEqual(["Approved by you, via Telegram.", "Already approved by you, via Telegram."]);
    expect(await scene.decisions(question)).toMatchObject([{ approved: true, ...BY_MIA }]);
  });

  it("B4: an update that is dealt with twice decides once", async (test) => {
    const scene = await TelegramScene.bound(test);
    const [question, message] = await asked(scene, "Ship it?");
    scene.phone.tap(message, "Approve");
    const [heard] = await scene.hear();
    await heard?.deal();
    expect(await scene.decisions(question)).toMatchObject([{ approved: true, ...BY_MIA }]);
  });

  it("B4: whoever was a second too late is told who decided what, and where; the message says so, too", async (test) => {
    const scene = await TelegramScene.bound(test);
    const [question, message] = await asked(scene, "Ship it?");
    const { shown } = await scene.look(question.id);
    const evidence = { kind: "local", author: "jo" } as const;
    await scene.questions.decide(question.id, { decision: "reject", feedback: "Too early", shown }, evidence);
    const tap = scene.phone.tap(message, "Approve");
    await scene.hear();
    expect((await scene.phone.toast(tap)).text).toBe("Already rejected by jo, in the inbox: Too early");
    expect(scene.phone.last().text).toBe("1 · Ship it?\nRejected by jo, in the inbox: Too early");
    expect(scene.phone.last().buttons).toEqual([]);
    expect(await scene.decisions(question)).toMatchObject([{ approved: false, respondedBy: "jo", via: "web" }]);
  });

  it("B4: of two channels at once one decides, and both end up saying the same", async (test) => {
    const scene = await TelegramScene.bound(test);
    // Whoever comes first, and at whichever moment.
    for (let round = 0; round < 8; round += 1) {
      const [question, message] = await asked(scene, `Ship ${round}?`);
      const { shown } = await scene.look(question.id);
      const elsewhere = { kind: "local", author: "jo" } as const;
      const tap = scene.phone.tap(message, "Approve");
      const hearing = scene.hear();
      await scene.telegram.until(() => scene.telegram.callsOf("getUpdates").length > round + 1);
      await Promise.allSettled([
        hearing,
        scene.questions.decide(question.id, { decision: "reject", feedback: "No", shown }, elsewhere),
      ]);
      const decisions = await scene.decisions(question);
      expect(decisions).toHaveLength(1);
      const isApproved = decisions[0]?.approved === true;
      const outcome = isApproved ? "Approved by you, via Telegram." : "Rejected by jo, in the inbox: No";
      expect(message.text).toContain(outcome);
      expect((await scene.phone.toast(tap)).text.toLowerCase()).toContain(outcome.toLowerCase());
    }
  });

  it("B4: whoever is overtaken while their tap is being recorded is told so", async (test) => {
    const scene = await TelegramScene.bound(test);
    const [question, message] = await asked(scene, "Ship it?");
    const effectId = await question.run.effectId();
    const { chats } = scene.desk;
    let looks = 0;
    // The second time that the button is looked at, its question was open a moment ago: then another program decides it.
    const tapped = chats.tapped.bind(chats);
    chats.tapped = (tap) => {
      looks += 1;
      if (looks === 2) reject(question.run.project, effectId);
      return tapped(tap);
    };
    const tap = scene.phone.tap(message, "Approve");
    await scene.hear();
    expect((await scene.phone.toast(tap)).text).toMatch(/^Already rejected by \S+, in a terminal: Faster$/u);
    expect(message.text).toContain("Faster");
    expect(message.buttons).toEqual([]);
    expect(await scene.decisions(question)).toMatchObject([{ approved: false, feedback: "Faster", via: "cli" }]);
  });

  it("B4: a tap is answered also when something goes wrong that nobody has thought of", async (test) => {
    const scene = await TelegramScene.bound(test);
    const [question, message] = await asked(scene, "Ship it?");
    const tap = scene.phone.tap(message, "Approve");
    scene.questions.look = () => Promise.reject(new TypeError("no such thing"));
    await scene.hear();
    expect((await scene.phone.toast(tap)).text).toMatch(/^Not done: something went wrong/u);
    expect(scene.logs.at(-1)).toMatch(/could not be handled: TypeError: no such thing/u);
    expect(await scene.decisions(question)).toEqual([]);
  });

  it("B4: a first tap on high risk decides nothing, however often; leaving it open takes the button away", async (test) => {
    const scene = await TelegramScene.bound(test);
    const [question, message] = await asked(scene, { question: "Drop it?", risk: "high" });
    scene.phone.tap(message, "Approve");
    scene.phone.tap(message, "Approve");
    await scene.hear();
    expect(await scene.decisions(question)).toEqual([]);
    const confirmation = await scene.phone.message(/Really approve/u);
    const [repeat] = confirmation.buttons;
    scene.phone.tap(confirmation, "Leave it open");
    await scene.hear();
    expect(confirmation).toMatchObject({ text: "Left open. Nothing is decided.", buttons: [] });
    expect(repeat?.label).toBe("Approve: Drop it?");
    expect((await scene.look(question.id)).state).toBe("open");
  });

  it("B4: a text that is only a comment leaves the question open, and is in its journal", async (test) => {
    const scene = await TelegramScene.bound(test);
    const [question, message] = await asked(scene, "Ship it?");
    scene.phone.reply(message, "Have you seen <the logs>?");
    await scene.hear();
    scene.telegram.fail("editMessageText", { kind: "error", code: 500 });
    const tap = scene.phone.tap("Add as a comment");
    await scene.hear();
    expect(scene.telegram.toasts).toEqual([{ tap, text: "Comment added. The question is still open.", alert: false }]);
    const { state, comments } = await scene.look(question.id);
    expect(state).toBe("open");
    expect(comments).toMatchObject([{ text: "Have you seen <the logs>?", author: "@mia", verified: true }]);
  });

  it("B4: what a message was about is still known after a crash, from what was noted or from its buttons", async (test) => {
    const scene = await TelegramScene.bound(test);
    const [question, message] = await asked(scene, "Ship it?");
    await scene.reopen();
    scene.phone.tap(message, "Reject…");
    await scene.hear();
    await scene.reopen();
    scene.phone.reply(await scene.phone.message(/Why are you rejecting it/u), "No time");
    await scene.hear();
    await scene.reopen();
    scene.phone.tap("Reject");
    await scene.hear();
    expect(await scene.decisions(question)).toMatchObject([{ approved: false, feedback: "No time", ...BY_MIA }]);
    // A message whose arrival was never confirmed has no note, but it has buttons.
    const [other] = await asked(scene, "And this?");
    scene.telegram.fail("sendMessage", { kind: "cut", after: true });
    const sending = scene.channel.send(scene.outgoing(scene.open()), AbortSignal.timeout(20_000));
    await expect(sending).rejects.toMatchObject({ outcome: "in-doubt" });
    scene.phone.reply(scene.phone.last(), "fine");
    await scene.hear();
    scene.phone.tap("Approve with this answer");
    await scene.hear();
    expect(await scene.decisions(other)).toMatchObject([{ approved: true, response: "fine", ...BY_MIA }]);
  });
});

it("B4: no answer of a question looks like a button of ours, whatever it is called", async (test) => {
  const names = ["Approve", "Details", "Reject…", "Leave it open", "Add as a comment", "Got it", "Answer in words…"];
  const scene = await TelegramScene.bound(test, showingAll);
  const [, message] = await asked(scene, { question: "When?", options: names });
  expect(
    labels(message)
      .flat()
      .filter((label) => names.includes(label)),
  ).toEqual(["Details", "Reject…"]);
});

it("B4: answers that may not be said unasked are shown to whoever asks for them", async (test) => {
  const scene = await TelegramScene.bound(test);
  const [question, message] = await asked(scene, { question: "Secret?", title: "Release", options: ["top secret"] });
  expect(JSON.stringify([message.text, message.buttons])).not.toMatch(/secret/iu);
  scene.phone.tap(message, "Details and answers");
  await scene.hear();
  scene.phone.tap("Answer: top secret");
  await scene.hear();
  expect(await scene.decisions(question)).toMatchObject([{ approved: true, option: "top secret", ...BY_MIA }]);
});

describe("a message about several questions", () => {
  it("B4: has a button for each, which opens it; every tap acknowledges all of them", async (test) => {
    const scene = await TelegramScene.bound(test);
    const [one, two] = [await scene.ask("Ship it?"), await scene.ask({ question: "Long text", title: "Second" })];
    const message = await scene.notify(one, two);
    expect(labels(message)).toEqual([["1 · Ship it?"], ["2 · Second"]]);
    const tap = scene.phone.tap(message, /Second/u);
    await scene.hear();
    await scene.phone.toast(tap);
    const all = [one, two].map(({ id }) => `question:${id}`);
    expect(scene.acknowledged.map(({ subjects }) => subjects.toSorted())).toEqual([all.toSorted()]);
    scene.phone.tap(scene.phone.last(), "Approve");
    await scene.hear();
    expect(await scene.decisions(two)).toMatchObject([{ approved: true, ...BY_MIA }]);
    expect(await scene.decisions(one)).toEqual([]);
    scene.phone.reply(message, "yes");
    await scene.hear();
    expect(scene.phone.last().text).toContain("Which question is this about?");
    expect(await scene.decisions(one)).toEqual([]);
  });

  it("B4: is changed when one of them is decided: who, what, where; its preview as well", async (test) => {
    const scene = await TelegramScene.bound(test);
    const [one, two] = [await scene.ask("Ship it?"), await scene.ask("And this?")];
    const rows = scene.open();
    const signal = AbortSignal.timeout(20_000);
    const { ref } = await scene.channel.send(scene.outgoing(rows), signal);
    const message = scene.phone.last();
    scene.phone.tap(message, /Ship it/u);
    await scene.hear();
    const preview = scene.phone.last();
    const [first, second] = scene.outgoing(rows).items;
    if (first === undefined || second === undefined || ref === undefined) throw new Error("Nothing was sent.");
    const decided = { ...first, outcome: "Approved by jo, in the inbox." };
    const changed = {
      ...scene.outgoing(rows),
      heading: "1 of 2 questions are still waiting",
      items: [decided, second],
    };
    await scene.channel.edit?.(ref, changed, signal);
    await scene.channel.edit?.(ref, changed, signal);
    expect(message.text).toContain("Approved by jo, in the inbox.");
    expect(labels(message)).toEqual([[`2 · ${second.title}`]]);
    expect(preview).toMatchObject({ buttons: [] });
    expect(preview.text).toContain("Approved by jo, in the inbox.");
    expect([one.id, two.id]).toContain(second.question);
    // A message that its person has deleted is nothing to worry about.
    await scene.channel.edit?.({ chat: "42", message: 99_999 }, changed, signal);
  });
});
