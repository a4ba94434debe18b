/** Every way to answer × every answer: the run is told exactly that. Browsers are in decisions.browser.test.ts. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ANSWERS, LINES, QUESTION, REMARKS, SOURCES } from "../fixtures/browser/answers.js";
import { type Channel, program, terminal } from "../fixtures/browser/channels.js";
import { WebInbox } from "../fixtures/browser/web-inbox.js";

let inbox: WebInbox;
beforeAll(async () => {
  inbox = await WebInbox.start(SOURCES);
  await inbox.commitFiles();
  inbox.project.write({ "src/rates.js": LINES.after });
});
afterAll(() => inbox.end());

const CHANNELS: [string, (inbox: WebInbox) => Channel][] = [
  ["terminal", terminal],
  ["program", program],
];

describe.each(CHANNELS)("by %s", (_, open) => {
  it.each(ANSWERS)("B5: the run is told exactly: $name", async ({ answer, told }) => {
    const asked = await inbox.ask(QUESTION);
    expect(await open(inbox).decide(asked, answer)).toBe("taken");
    expect(await asked.told()).toEqual({ comments: [], ...told });
  });

  it("B5: comments arrive with the decision, and with the lines they are about", async () => {
    const channel = open(inbox);
    const asked = await inbox.ask(QUESTION);
    const remarks = REMARKS.filter(({ remark }) => channel.knowsLines || remark.path === undefined);
    for (const { remark } of remarks) await channel.comment(asked, remark);
    expect(await asked.isOpen()).toBe(true);
    await channel.decide(asked, { kind: "reject", reason: "see the lines" });
    const told = await asked.told();
    expect(told).toMatchObject({ approved: false, feedback: "see the lines" });
    expect(told?.comments).toMatchObject(remarks.map((one) => one.told));
  });

  it("B5: the same answer twice counts once; another one comes too late", async () => {
    const channel = open(inbox);
    const asked = await inbox.ask(QUESTION);
    const no = { kind: "reject", reason: "no rollback" } as const;
    expect(await channel.decide(asked, no)).toBe("taken");
    await channel.decide(asked, no);
    expect(await channel.decide(asked, { kind: "approve" })).toBe("late");
    expect(inbox.project.events(asked.runId, "EFFECT_RESOLVED")).toHaveLength(1);
    expect(await asked.told()).toMatchObject({ approved: false, feedback: "no rollback" });
  });
});

it("B5: two ways at once, contradictory: one wins, the other is late, and the run is told what won", async () => {
  const asked = await inbox.ask(QUESTION);
  const outcomes = await Promise.all([
    terminal(inbox).decide(asked, { kind: "approve" }),
    program(inbox).decide(asked, { kind: "reject", reason: "not today" }),
  ]);
  expect(outcomes.toSorted()).toEqual(["late", "taken"]);
  const won = outcomes[0] === "taken" ? { approved: true } : { approved: false, feedback: "not today" };
  expect(await asked.told()).toMatchObject(won);
});
