/** A whole night: an agent works headless, asks at eleven, is answered from a phone at seven, and finishes. */
import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { Channels, USUAL_FIELDS } from "../../packages/sdk/src/notify/channels.js";
import { Chats } from "../../packages/sdk/src/notify/chats.js";
import { InboxServer } from "../fixtures/breakpoints/inbox-server.js";
import { FakeTelegram } from "../fixtures/notify/fake-telegram.js";
import { SetClock } from "../fixtures/notify/set-clock.js";
import { until } from "../fixtures/processes.js";
import { driven } from "./rig/driven-host.js";
import type { HostProject } from "./rig/host-run.js";
import { NEWEST_HOST } from "./rig/install-hosts.js";
import { iterates, looks, posts, proves } from "./rig/process-agent.js";
import { inTurn, says } from "./rig/scripted-model.js";
import { newShippedProject } from "./rig/shipped-plugin.js";

const PROCESS = `export async function process(inputs, ctx) {
  const notes = await ctx.task({ kind: "agent", title: "write the notes", agent: { prompt: "Write the notes." } });
  const { approved, respondedBy } = await ctx.breakpoint({ title: "Release", question: "Ship it to everybody?" });
  return { notes, approved, respondedBy };
}
`;

const SETTINGS = { notify: { afterSeconds: 0, remindMinutes: 60, quietHours: "23:30-06:30", reportAt: "07:30" } };

/** Telegram is enabled, and the chat of the person is bound. */
async function reachableBy(telegram: FakeTelegram, project: HostProject, since: string): Promise<void> {
  const home = path.join(project.home, ".a5c");
  const [fields, settings] = [[...USUAL_FIELDS], telegram.settings()];
  const topics = ["questions", "trouble", "report"] as const;
  new Channels({ home }).enable("telegram", { since, fields, files: false, topics: [...topics], settings });
  fs.mkdirSync(path.join(project.home, ".config", "babysitter"), { recursive: true });
  fs.writeFileSync(path.join(project.home, ".config", "babysitter", "config.json"), JSON.stringify(SETTINGS));
  const chats = new Chats({ home, now: () => new Date(since) });
  telegram.phone.start(chats.makeLink("telegram").link);
  await until(() => chats.bound("telegram") !== undefined);
}

describe.each(NEWEST_HOST)("a night with Claude Code %s and a phone", (version) => {
  test("B9 B4 P8: asked at 23:00, answered on the phone at 07:00, finished with no key pressed, and one report in the morning", async (context) => {
    const project = newShippedProject(version, { "p.mjs": PROCESS });
    const clock = new SetClock(project.root, "2027-03-02T22:58:00Z");
    const telegram = await FakeTelegram.start(context);
    await InboxServer.start(project, { env: { ...clock.env, WORKER_POLL_MS: "100", REPO_ROOT: project.dir } });
    await reachableBy(telegram, project, "2027-03-02T22:58:00Z");
    clock.set("2027-03-02T23:00:00Z");
    const { driver, model } = await driven(project, ["p.mjs", "--run-id", "r"], {
      plugin: true,
      env: clock.env,
      scenario: inTurn([iterates, posts('"All tests pass."'), iterates, says("It waits."), iterates, looks, proves]),
    });
    const { phone } = telegram;
    await until(() => project.runs().includes("r") && project.count("r", "BREAKPOINT_OPENED") === 1);
    const asked = await phone.message(/Release/u);

    // Quiet hours are over: one reminder, however many were due.
    clock.set("2027-03-03T06:45:00Z");
    const reminder = await phone.message(/Release/u, asked);
    clock.set("2027-03-03T07:00:00Z");
    phone.tap(asked, "Approve");

    const { code, doc } = await driver.finished;
    expect(model.problem).toBeUndefined();
    expect([code, doc.state]).toEqual([0, "completed"]);
    expect(doc.output).toMatchObject({ notes: "All tests pass.", approved: true });
    expect(project.events("r", "EFFECT_RESOLVED").at(-1)?.payload).toMatchObject({
      result: { value: { approved: true, via: "telegram", verified: true } },
    });

    clock.set("2027-03-03T07:30:00Z");
    const report = await phone.message(/1 finished/u, reminder);
    clock.set("2027-03-03T11:00:00Z");
    await telegram.idle();
    const sent = phone.messages().filter(({ id }) => id >= asked.id);
    expect(sent.map(({ id }) => id)).toEqual([asked.id, reminder.id, report.id]);
    // Each is changed once, whoever hears of the decision first.
    expect(sent.map(({ edits }) => edits)).toEqual([1, 1, 0]);
    expect(sent.map(({ buttons }) => buttons.map(({ label }) => label))).toEqual([[], [], ["Got it"]]);
  });
});
