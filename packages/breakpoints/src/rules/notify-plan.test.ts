import * as notices from "@a5c-ai/babysitter-sdk/notify";
import { describe, expect, it } from "vitest";
import {
  channelNamed,
  ImaginedWorker,
  MORNING,
  questionRow,
  SETTINGS,
  type Service,
  troubleRow,
} from "../../../../tests/fixtures/notify/imagined-worker.js";
import { planNotifications } from "./notify-plan.js";

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const iso = (ms: number): string => new Date(ms).toISOString();

function worker(settings: Partial<typeof SETTINGS> = {}): ImaginedWorker {
  const made = new ImaginedWorker();
  made.settings = { ...SETTINGS, ...settings };
  return made;
}

/** One after the other; the last one for all that follow. */
function answers(...all: Service[]): () => Service {
  let n = 0;
  return () => {
    n += 1;
    return all[Math.min(n, all.length) - 1] as Service;
  };
}

const OK: Service = { outcome: "ok", arrives: true };
const DOWN: Service = { outcome: "not-sent", arrives: false };

describe("questions", () => {
  it("B9: of one minute are one message, those that come later another one", () => {
    const one = worker();
    one.ask("a");
    one.look();
    one.later(50);
    one.ask("b");
    one.later(9);
    expect(one.seen()).toEqual([]);
    one.later(1);
    one.ask("c");
    one.later(59);
    expect(one.seen()).toEqual(["questions a+b"]);
    one.later(1);
    expect(one.seen()).toEqual(["questions a+b", "questions c"]);
    one.later(24 * HOUR);
    expect(one.sent).toHaveLength(2);
  });

  it("B9: that are decided in time are recorded, and not sent", () => {
    const one = worker();
    one.ask("a");
    one.ask("b");
    one.look();
    one.later(30);
    one.decide("a");
    one.later(HOUR);
    expect(one.seen()).toEqual(["questions b"]);
    expect(notices.receiptsFor(one.outbox, "question:a")).toMatchObject([
      { state: "dropped", why: "decided meanwhile" },
    ]);
  });

  it("that are open when a channel is enabled are one message, at once if they are old", () => {
    const one = worker();
    for (const id of ["a", "b", "c"]) one.ask(id, { askedAt: iso(MORNING - 1_000 * HOUR) });
    one.channels = [channelNamed("ntfy"), channelNamed("slack", { canEdit: false })];
    one.look();
    expect(one.sent.map(({ channel, subjects }) => [channel, subjects.length])).toEqual([
      ["ntfy", 3],
      ["slack", 3],
    ]);
  });

  it("are not sent by a channel that does not want them, or cannot send yet", () => {
    const one = worker({ afterSeconds: 0 });
    one.channels = [channelNamed("ntfy", { topics: ["report"] }), channelNamed("telegram", { isReady: false })];
    one.ask("a");
    one.look();
    expect([one.sent, [...one.outbox.notices.values()].map(({ channel }) => channel)]).toEqual([[], ["telegram"]]);
    one.channels = [channelNamed("telegram")];
    one.look();
    expect(one.seen()).toEqual(["questions a"]);
  });

  it("that are asked again after a decision are sent again; those that are nowhere for a while are not", () => {
    const one = worker({ afterSeconds: 0 });
    one.ask("a");
    one.look();
    one.rows.delete("a");
    one.later(HOUR);
    one.ask("a");
    one.later(HOUR);
    expect(one.seen()).toEqual(["questions a"]);
    one.decide("a");
    one.later(1);
    one.ask("a");
    one.later(1);
    expect(one.seen()).toEqual(["questions a", "questions a"]);
  });

  it("with times that are nonsense, or yet to come, wait no longer than others", () => {
    const one = worker();
    one.ask("never", { askedAt: "soon" });
    one.ask("ahead", { askedAt: iso(MORNING + 1_000 * HOUR * 1_000) });
    one.look();
    one.later(60);
    expect(one.sent.flatMap(({ subjects }) => subjects).toSorted()).toEqual(["question:ahead", "question:never"]);
  });
});

describe("what was not accepted", () => {
  it("B9: is tried again after 5 s, 30 s, 2 min, 10 min and 1 h, and then given up", () => {
    const one = worker({ afterSeconds: 0 });
    one.service = () => DOWN;
    one.ask("a");
    one.look();
    const at = (): number[] => one.sent.map(({ at: when }) => (when.getTime() - MORNING) / 1_000);
    for (let second = 0; second < 3 * HOUR; second += 5) one.later(5);
    expect(at()).toEqual([0, 5, 35, 155, 755, 4_355]);
    expect(one.sent.map(({ attempt, repeat, message }) => [attempt, repeat, message])).toEqual(
      [1, 2, 3, 4, 5, 6].map((attempt) => [attempt, false, "m1"]),
    );
    const [receipt] = notices.receiptsFor(one.outbox, "question:a");
    expect(receipt).toMatchObject({ state: "failed", why: "no" });
    expect(receipt).not.toHaveProperty("due");
  });

  it("waits as long as the service asks for, within a day; what was refused is not tried again", () => {
    const wait = worker({ afterSeconds: 0 });
    wait.service = answers({ ...DOWN, retryAfterMs: 60_000 }, { ...DOWN, retryAfterMs: 1e12 }, OK);
    wait.ask("a");
    wait.look();
    wait.later(59);
    expect(wait.sent).toHaveLength(1);
    wait.later(1);
    wait.later(23 * HOUR);
    expect(wait.sent).toHaveLength(2);
    wait.later(HOUR);
    expect(wait.seen()).toEqual(["questions a"]);
    const refused = worker({ afterSeconds: 0 });
    refused.service = () => ({ outcome: "refused", arrives: false });
    refused.ask("a");
    refused.look();
    refused.later(24 * HOUR);
    expect(refused.sent).toHaveLength(1);
  });

  it("B9: an attempt that may have arrived is followed by one that says so; one in doubt is repeated once", () => {
    const errors = worker({ afterSeconds: 0 });
    errors.service = answers({ outcome: "answered-with-error", arrives: false }, DOWN, OK);
    errors.ask("a");
    errors.look();
    errors.later(HOUR);
    errors.later(HOUR);
    expect(errors.sent.map(({ repeat }) => repeat)).toEqual([false, true, true]);
    for (const outcome of ["in-doubt", "crash"] as const) {
      const one = worker({ afterSeconds: 0 });
      one.service = () => ({ outcome, arrives: true });
      one.ask("a");
      one.look();
      one.later(HOUR);
      one.later(HOUR);
      expect([outcome, one.seen()]).toEqual([outcome, ["questions a", "again questions a"]]);
      expect(notices.receiptsFor(one.outbox, "question:a")).toMatchObject([{ state: "unknown", repeated: true }]);
    }
  });

  it("B9: nothing is repeated for what is decided; what is left of a message is", () => {
    const one = worker({ afterSeconds: 0 });
    one.service = answers({ outcome: "crash", arrives: false }, OK);
    for (const id of ["a", "b"]) one.ask(id);
    const { entries } = planNotifications(one.situation());
    for (const entry of entries) one.note(entry);
    one.note({
      type: "SENDING",
      message: "x",
      channel: "ntfy",
      kind: "questions",
      subjects: ["question:a", "question:b"],
      attempt: 1,
      repeat: false,
    });
    one.decide("a");
    one.service = () => OK;
    one.look();
    expect(one.seen()).toEqual(["again questions b"]);
    const all = worker({ afterSeconds: 0 });
    all.service = () => DOWN;
    all.ask("a");
    all.look();
    all.decide("a");
    all.service = () => OK;
    all.later(HOUR);
    expect(all.seen()).toEqual([]);
  });

  it("what failed for an hour becomes one message when the service is back", () => {
    const one = worker({ afterSeconds: 0 });
    one.service = () => DOWN;
    for (let n = 0; n < 10; n += 1) {
      one.ask(`q${n}`);
      one.later(5 * MINUTE);
    }
    one.service = () => OK;
    one.later(HOUR);
    expect(one.seen()).toHaveLength(1);
    expect(one.sent.at(-1)?.subjects).toHaveLength(10);
    one.later(24 * HOUR);
    expect(one.seen()).toHaveLength(1);
  });
});

describe("reminders", () => {
  it("B9: come again and again until all is decided, one message for all, by the channels that are named", () => {
    const one = worker({ afterSeconds: 0, remindMinutes: 30, remindBy: ["ntfy"] });
    one.channels = [channelNamed("ntfy"), channelNamed("slack")];
    one.ask("a");
    one.look();
    one.later(10 * MINUTE);
    one.ask("b");
    one.look();
    one.later(20 * MINUTE);
    one.later(29 * MINUTE);
    expect(
      one.sent.filter(({ kind }) => kind === "reminder").map(({ channel, subjects }) => [channel, subjects.length]),
    ).toEqual([["ntfy", 2]]);
    one.decide("a");
    one.later(MINUTE);
    expect(one.sent.at(-1)).toMatchObject({ kind: "reminder", subjects: ["question:b"] });
    one.decide("b");
    one.later(24 * HOUR);
    expect(one.sent.filter(({ kind }) => kind === "reminder")).toHaveLength(2);
    expect(notices.receiptsFor(one.outbox, "question:b").map(({ reminders }) => reminders)).toEqual([2, 0]);
  });

  it("also after a tap, and after a message that never arrived; none while one is on its way", () => {
    const one = worker({ afterSeconds: 0, remindMinutes: 60 });
    one.ask("a");
    one.look();
    one.note({ type: "ACKNOWLEDGED", channel: "ntfy", subjects: ["question:a"], how: "a button" });
    one.service = () => ({ outcome: "refused", arrives: false });
    one.later(HOUR);
    one.later(HOUR);
    expect(one.sent.map(({ kind }) => kind)).toEqual(["questions", "reminder", "reminder"]);
    one.service = () => DOWN;
    one.later(HOUR);
    one.later(HOUR / 2);
    expect(new Set(one.sent.slice(3).map(({ message }) => message)).size).toBe(1);
  });
});

describe("quiet hours", () => {
  it("B9: hold back what is sent, not what is recorded or changed; a test comes through", () => {
    const one = worker({ afterSeconds: 0, remindMinutes: 60, quietHours: "22:00-07:00", reportAt: "06:30" });
    one.now = Date.UTC(2026, 0, 20, 21, 59);
    one.ask("before");
    one.look();
    one.later(MINUTE);
    one.ask("night");
    one.troubles = [troubleRow("r", one.now)];
    one.look();
    one.decide("before");
    one.later(HOUR);
    expect([one.seen(), one.edits.length, [...one.outbox.notices.values()].map(({ subject }) => subject)]).toEqual([
      ["questions before"],
      1,
      ["question:before", "question:night", `run:r@${Date.UTC(2026, 0, 20, 22)}`],
    ]);
    one.note({ type: "QUEUED", channel: "ntfy", subject: "test:1", due: iso(one.now) });
    one.look();
    expect(one.seen().at(-1)).toBe("test 1");
    one.now = Date.UTC(2026, 0, 21, 6, 59);
    one.look();
    expect(one.sent).toHaveLength(2);
    one.later(MINUTE);
    expect(one.seen().slice(2)).toEqual([
      "questions night",
      `trouble r@${Date.UTC(2026, 0, 20, 22)}`,
      "report 2026-01-21",
    ]);
  });
});

describe("the report", () => {
  const hours = (settings: object, from: number, to: number): string[] => {
    const one = worker({ reportAt: "07:00", ...settings });
    one.channels = [channelNamed("ntfy", { since: iso(Date.UTC(2026, 0, 1)) })];
    one.now = from;
    for (one.look(); one.now < to; one.later(10 * MINUTE));
    return one.seen();
  };

  it("comes once a day, also when the machine slept at its time, but not in the afternoon", () => {
    expect(hours({}, Date.UTC(2026, 0, 20), Date.UTC(2026, 0, 22))).toEqual(["report 2026-01-20", "report 2026-01-21"]);
    expect(hours({}, Date.UTC(2026, 0, 20, 9, 30), Date.UTC(2026, 0, 20, 20))).toEqual(["report 2026-01-20"]);
    expect(hours({}, Date.UTC(2026, 0, 20, 14), Date.UTC(2026, 0, 21, 5))).toEqual([]);
    expect(hours({ reportAt: "off" }, Date.UTC(2026, 0, 20), Date.UTC(2026, 0, 21))).toEqual([]);
    expect(hours({ reportAt: "23:00" }, Date.UTC(2026, 0, 21, 1), Date.UTC(2026, 0, 21, 5))).toEqual([
      "report 2026-01-20",
    ]);
  });

  it("comes once when the clock goes back, and none comes for a time before the channel was there", () => {
    const one = worker({ reportAt: "07:00" });
    one.now = Date.UTC(2026, 0, 20, 7);
    one.channels = [channelNamed("ntfy", { since: iso(one.now - 1_000) })];
    one.look();
    one.now -= 2 * HOUR * 1_000;
    one.look();
    one.later(2 * HOUR);
    expect(one.seen()).toEqual(["report 2026-01-20"]);
    const late = worker({ reportAt: "07:00" });
    late.channels = [channelNamed("ntfy")];
    late.later(MINUTE);
    expect(late.seen()).toEqual([]);
  });

  it("that could not be sent for half a day is dropped", () => {
    const one = worker({ reportAt: "08:00" });
    one.channels = [channelNamed("ntfy", { isReady: false })];
    one.look();
    one.later(13 * HOUR);
    expect(one.outbox.notices.get(notices.noticeKey("ntfy", "report:2026-01-20"))?.dropped?.why).toBe("too old");
  });
});

describe("runs that need a person", () => {
  it("are told once, unless they go on in time or are older than the channel", () => {
    const one = worker();
    one.troubles = [troubleRow("old", MORNING - 1), troubleRow("heals", MORNING + 1), troubleRow("stays", MORNING + 1)];
    one.look();
    one.later(30);
    one.troubles = one.troubles.filter(({ run }) => run.id !== "heals");
    one.later(HOUR);
    expect(one.seen()).toEqual([`trouble stays@${MORNING + 1}`]);
    one.troubles = [];
    one.later(HOUR);
    expect([one.edits.length, one.sent.length]).toEqual([1, 1]);
    one.later(24 * HOUR);
    expect(one.edits).toHaveLength(1);
  });

  it("are not told when they have needed somebody for weeks", () => {
    const one = worker();
    one.now += 8 * 24 * HOUR * 1_000;
    one.troubles = [troubleRow("r", MORNING + 1)];
    one.later(HOUR);
    expect(one.entries).toEqual([]);
  });
});

describe("messages", () => {
  it("B9: are changed once for each change, where the channel can", () => {
    const one = worker({ afterSeconds: 0 });
    one.channels = [channelNamed("ntfy"), channelNamed("slack", { canEdit: false })];
    one.ask("a");
    one.ask("b");
    one.look();
    for (const id of ["a", "b"]) {
      one.decide(id);
      one.later(1);
      one.later(1);
    }
    expect(one.edits.map(({ message }) => message)).toEqual(["m1", "m1"]);
    expect(new Set(one.edits.map(({ shows }) => shows)).size).toBe(2);
  });

  it("at most as many at once as the batch allows, and one for each channel", () => {
    const one = worker({ afterSeconds: 0 });
    one.channels = ["a", "b", "c", "d"].map((name) => channelNamed(name));
    one.ask("q");
    for (const entry of planNotifications(one.situation()).entries) one.note(entry);
    const jobs = (more: object): string[] =>
      planNotifications({ ...one.situation(), ...more }).jobs.map(({ channel }) => channel);
    expect(jobs({})).toEqual(["a", "b", "c", "d"]);
    expect(jobs({ batchSize: 2 })).toEqual(["a", "b"]);
    expect(jobs({ batchSize: 2, busy: new Set(["a"]) })).toEqual(["b"]);
    expect(jobs({ batchSize: 1, busy: new Set(["c", "d"]) })).toEqual([]);
  });

  it("tests are sent at once, and not any more when nobody waits for them", () => {
    const one = worker({ quietHours: "00:00-23:59" });
    one.note({ type: "QUEUED", channel: "ntfy", subject: "test:old", due: iso(one.now) });
    one.now += HOUR * 1_000;
    one.note({ type: "QUEUED", channel: "ntfy", subject: "test:new", due: iso(one.now) });
    one.look();
    expect(one.seen()).toEqual(["test new"]);
  });
});

describe("a clock that goes back", () => {
  it("neither floods nor starves anybody", () => {
    const one = worker({ remindMinutes: 60 });
    one.service = answers(OK, DOWN, OK);
    one.ask("sent");
    one.look();
    one.later(60);
    one.ask("failing");
    one.look();
    one.later(60);
    one.ask("queued");
    one.look();
    one.now -= 30 * 24 * HOUR * 1_000;
    one.look();
    expect(one.seen()).toEqual(["questions sent", "questions failing+queued", "reminder sent+failing+queued"]);
    one.later(30 * MINUTE);
    expect(one.sent).toHaveLength(4);
    one.later(30 * MINUTE);
    expect(one.seen().at(-1)).toBe("reminder sent+failing+queued");
  });
});

describe("nonsense in the outbox", () => {
  it("is dropped or left alone, and does not stop what is right", () => {
    const one = worker({ afterSeconds: 0 });
    for (const subject of ["", ":", "tea:1", "question:", "question:gone", "run:x", "report:", "__proto__:x"])
      one.note({ type: "QUEUED", channel: "ntfy", subject, due: "whenever" });
    one.note({
      type: "SENDING",
      message: "x",
      channel: "ntfy",
      kind: "questions",
      subjects: ["question:nowhere", "tea:2"],
      attempt: 99,
      repeat: false,
    });
    one.note({
      type: "SENDING",
      message: "y",
      channel: "pigeon",
      kind: "report",
      subjects: [],
      attempt: 1,
      repeat: false,
    });
    one.rows.set("a", questionRow("a"));
    one.look();
    one.later(24 * HOUR);
    expect(one.seen().filter((text) => text.startsWith("questions"))).toEqual(["questions a"]);
  });
});
