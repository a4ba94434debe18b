/** The worker with a channel that does whatever it wants. */
import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { DeliveryProblem, type Heard } from "../../packages/breakpoints/src/channels/channel.js";
import { resolved, taskRequested, writeEvents } from "../fixtures/breakpoints/many-questions.js";
import { NotifyScene } from "../fixtures/notify/notify-scene.js";
import { playChannel } from "../fixtures/notify/played-channel.js";
import { until } from "../fixtures/processes.js";
import { copyRuns } from "../fixtures/runs/copy-runs.js";

describe("a channel", () => {
  it("B9: that cannot send yet has everything wait, and nothing counts as failed", async () => {
    const scene = new NotifyScene();
    const { channel } = playChannel(scene);
    channel.whyNot = "no chat is bound";
    const id = await scene.ask("run-1");
    await scene.receipt(id, "queued");
    let looks = 0;
    channel.beforeLook = () => void (looks += 1);
    await until(() => looks === 5);
    expect([channel.sent, scene.receipts(id)[0]?.state]).toEqual([[], "queued"]);
    channel.whyNot = undefined;
    await scene.receipt(id, "accepted");
    expect(channel.sent).toHaveLength(1);
  });

  it("B9: that throws something else has a message in doubt, and what it says is told to nobody", async () => {
    const scene = new NotifyScene();
    const { channel, log } = playChannel(scene);
    channel.onSend = () => Promise.reject(new TypeError("fetch failed: https://token@secret"));
    expect(await scene.receipt(await scene.ask("run-1"), "unknown")).toMatchObject({ why: "an unexpected error" });
    await until(() => scene.state().problems.has("webhook"));
    expect(JSON.stringify([log, [...scene.state().problems]])).not.toContain("secret");
  });

  it("that does not listen to its signal keeps nobody from ending", async () => {
    const scene = new NotifyScene();
    const { channel, worker } = playChannel(scene);
    channel.onPoll = () => new Promise(() => undefined);
    channel.onSend = () => new Promise(() => undefined);
    const id = await scene.ask("run-1");
    await scene.receipt(id, "sending");
    scene.channels.disable("webhook");
    expect(await scene.receipt(id, "unknown")).toMatchObject({
      why: expect.stringContaining("it was to end") as string,
    });
    await worker.stop();
    expect(worker.status()).toBe("none");
  });

  it("B4: what is heard is dealt with one after the other, tried three times, and remembered", async () => {
    const scene = new NotifyScene();
    const { channel, log, worker } = playChannel(scene);
    const dealt: string[] = [];
    const heard = (cursor: string, deal: () => Promise<void> = async () => undefined): Heard => ({
      cursor,
      deal: async () => {
        dealt.push(cursor);
        await deal();
      },
    });
    const cursors: (string | undefined)[] = [];
    const wait = channel.onPoll;
    let polls = 0;
    channel.onPoll = async (cursor, signal) => {
      cursors.push(cursor);
      polls += 1;
      if (polls > 1) return wait(cursor, signal);
      return [heard("1"), heard("2", () => Promise.reject(new Error("poison https://secret"))), heard("3")];
    };
    await until(() => scene.state().cursors.get("webhook") === "3" && cursors.length === 2);
    expect([dealt, cursors]).toEqual([
      ["1", "2", "2", "2", "3"],
      [undefined, "3"],
    ]);
    expect(log.filter((line) => line.includes("skipped"))).toEqual([
      "webhook: something that was heard is skipped after 3 attempts: an unexpected Error",
    ]);
    await worker.stop();
    const again = playChannel(scene);
    again.channel.onPoll = async (cursor, signal) => {
      cursors.push(cursor);
      return wait(cursor, signal);
    };
    await until(() => cursors.length === 3);
    expect(cursors[2]).toBe("3");
  });

  it("B4: what is being dealt with when the worker ends comes again", async () => {
    const scene = new NotifyScene();
    const { channel, worker } = playChannel(scene);
    let isDealing = false;
    const deal = (): Promise<void> => {
      isDealing = true;
      return new Promise(() => undefined);
    };
    channel.onPoll = async () => [
      { cursor: "1", deal: async () => undefined },
      { cursor: "2", deal },
    ];
    await until(() => isDealing);
    await worker.stop();
    expect(scene.state().cursors.get("webhook")).toBe("1");
  });

  it("B9: nothing is sent about a question that was decided a moment ago, before anybody has noticed", async () => {
    const scene = new NotifyScene();
    const { channel } = playChannel(scene);
    channel.whyNot = "not yet";
    const id = await scene.ask("run-1");
    await scene.receipt(id, "queued");
    const elsewhere = path.join(scene.project.root, "elsewhere");
    copyRuns(scene.project.runDir("run-1"), path.join(elsewhere, "run-1"));
    await writeEvents(elsewhere, "run-1", [resolved("run-1", 0)]);
    // In the same turn as the plan, so that nothing that watches the run can have told of it.
    channel.beforeLook = () => {
      if (channel.whyNot === undefined) return;
      channel.whyNot = undefined;
      fs.cpSync(path.join(elsewhere, "run-1", "journal"), path.join(scene.project.runDir("run-1"), "journal"), {
        recursive: true,
      });
    };
    await scene.receipt(id, "dropped");
    expect(channel.sent).toEqual([]);
  });

  it("B9: what was sent while the disk is full is recorded as soon as it can be, and not sent again", async () => {
    const scene = new NotifyScene();
    const { channel, log } = playChannel(scene);
    const file = path.join(scene.home, "inbox", "outbox.jsonl");
    channel.onSend = async ({ id }) => {
      fs.renameSync(file, `${file}.away`);
      fs.mkdirSync(file);
      return { ref: id };
    };
    const id = await scene.ask("run-1");
    await until(() => log.some((line) => line.includes("cannot be written to")));
    fs.rmdirSync(file);
    fs.renameSync(`${file}.away`, file);
    expect(await scene.receipt(id, "accepted")).toMatchObject({ repeated: false });
    channel.onSend = async () => ({ ref: "r" });
    await scene.accepted(await scene.ask("run-2"));
    expect(channel.sent.map(({ repeat, subjects }) => [repeat, subjects.length])).toEqual([
      [false, 1],
      [false, 1],
    ]);
  });

  it("B9: whose messages cannot be changed any more is left alone; where it fails for a moment, it is tried again later", async () => {
    const scene = new NotifyScene();
    const { channel } = playChannel(scene);
    const problems = [new DeliveryProblem("refused", "too old"), new DeliveryProblem("not-sent", "down")];
    for (const [n, problem] of problems.entries()) {
      channel.onEdit = () => Promise.reject(problem);
      await scene.accepted(await scene.ask(`run-${n}`));
      await scene.decide(`run-${n}`);
      await until(() => channel.edited.length === n + 1);
      await scene.accepted(await scene.ask(`other-${n}`));
    }
    expect(channel.edited.map(({ heading, items }) => [heading, items[0]?.outcome])).toEqual([
      ["The question is answered", "Approved by mia in the inbox."],
      ["The question is answered", "Approved by mia in the inbox."],
    ]);
    expect(scene.messages().map(({ shows }) => shows !== undefined)).toEqual([true, false, false, false]);
  });

  it("B9: is told of a run that is blocked, and that it went on", async () => {
    const scene = new NotifyScene();
    const { channel } = playChannel(scene);
    await scene.ask("run-1");
    await until(() => channel.sent.length === 1);
    const payload = { processHead: 1, codeHash: "other", report: {}, iteration: 1 };
    const timestamp = new Date().toISOString();
    await writeEvents(scene.project.runsDir, "run-1", [{ type: "RUN_BLOCKED", timestamp, payload }]);
    await until(() => channel.sent.length === 2);
    expect(channel.sent[1]).toMatchObject({ kind: "trouble", subjects: [`run:run-1@${Date.parse(timestamp)}`] });
    await writeEvents(scene.project.runsDir, "run-1", [taskRequested("run-1", 5)]);
    await until(() => channel.edited.length === 1);
    expect(channel.edited[0]).toMatchObject({
      heading: "The run no longer needs you",
      items: [{ outcome: "It resumed." }],
    });
  });

  it("B9: is told of the report at its time, and acknowledges what was tapped", async () => {
    const now = new Date();
    const reportAt = now.toTimeString().slice(0, 5);
    const scene = new NotifyScene({ notify: { reportAt } });
    const { channel } = playChannel(scene);
    scene.enable("webhook", {}, { since: new Date(now.getTime() - 120_000).toISOString() });
    await until(() => channel.sent.length === 1);
    expect(channel.sent[0]).toMatchObject({ kind: "report", lines: ["Nothing is wrong."], heading: "Your report" });
    const [subject = ""] = channel.sent[0]?.subjects ?? [];
    channel.parts?.acknowledge([subject], "a button");
    expect(scene.outbox.receipts(subject)).toMatchObject([{ state: "acknowledged", why: "a button" }]);
  });
});
