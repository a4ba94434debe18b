/** Whatever happens, in whatever order: what people see, and what the receipts say about it. */
import * as notices from "@a5c-ai/babysitter-sdk/notify";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  channelNamed,
  ImaginedWorker,
  SETTINGS,
  type Sent,
  type Service,
} from "../../../../tests/fixtures/notify/imagined-worker.js";
import { isQuiet, localTime } from "./notify-times.js";

const IDS = ["a", "b", "c", "d"];

const service = fc.record({
  outcome: fc.constantFrom("ok", "ok", "not-sent", "refused", "answered-with-error", "in-doubt", "crash"),
  arrives: fc.boolean(),
}) as fc.Arbitrary<Service>;

type Step = { ask: string } | { decide: string } | { later: number } | { back: number } | { restart: true };

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ ask: fc.constantFrom(...IDS) }),
  fc.record({ decide: fc.constantFrom(...IDS) }),
  fc.record({ later: fc.constantFrom(1, 30, 60, 600, 3_600, 8 * 3_600) }),
);
const wildStep: fc.Arbitrary<Step> = fc.oneof(
  step,
  fc.record({ back: fc.constantFrom(1, 3_600, 24 * 3_600) }),
  fc.constant({ restart: true as const }),
);

const settings = fc.record({
  afterSeconds: fc.constantFrom(0, 60),
  remindMinutes: fc.constantFrom(0, 60),
  quietHours: fc.constantFrom(null, "22:00-07:00", "12:00-12:30"),
  reportAt: fc.constantFrom("off", "07:00"),
});

/** What arrives and is answered wrongly may well be. What is refused, or was never sent, does not arrive. */
function honest({ outcome, arrives }: Service): Service {
  const isCertain = outcome === "ok" || outcome === "not-sent" || outcome === "refused";
  return { outcome, arrives: isCertain ? outcome === "ok" : arrives };
}

function played(script: readonly Step[], services: readonly Service[], more: object): ImaginedWorker {
  const worker = new ImaginedWorker();
  worker.channels = [channelNamed("ntfy"), channelNamed("slack", { canEdit: false })];
  worker.settings = { ...SETTINGS, ...more };
  let n = 0;
  worker.service = () => honest(services[n++ % services.length] as Service);
  for (const one of script) act(worker, one);
  return worker;
}

function act(worker: ImaginedWorker, one: Step): void {
  if ("ask" in one) worker.ask(one.ask);
  if ("decide" in one) worker.decide(one.decide);
  if ("back" in one) worker.now -= one.back * 1_000;
  if ("restart" in one) restart(worker);
  if ("later" in one) worker.later(one.later);
  else worker.look();
}

/** With a log that begins anew. */
function restart(worker: ImaginedWorker): void {
  const again = notices.emptyOutbox();
  for (const entry of worker.entries) notices.foldOutbox(again, structuredClone(entry));
  expect(again).toEqual(worker.outbox);
}

const arrived = ({ sent }: ImaginedWorker): Sent[] => sent.filter((one) => one.arrived);

describe("B9: whatever happens", () => {
  const world = [
    fc.array(wildStep, { maxLength: 40 }),
    fc.array(service, { minLength: 1, maxLength: 12 }),
    settings,
  ] as const;

  it("nothing comes twice without saying so", () => {
    fc.assert(
      fc.property(...world, (script, services, more) => {
        const seen = new Map<string, number>();
        for (const { message, repeat, arrived: isSeen } of played(script, services, more).sent) {
          if (!isSeen) continue;
          expect([message, (seen.get(message) ?? 0) > 0 && !repeat]).toEqual([message, false]);
          seen.set(message, (seen.get(message) ?? 0) + 1);
        }
      }),
    );
  });

  it("a question that is asked once is told once by each channel, apart from reminders and repeats", () => {
    fc.assert(
      fc.property(...world, (script, services, more) => {
        const once = script.filter(
          (one, at) => !("ask" in one) || script.findIndex((other) => "ask" in other && other.ask === one.ask) === at,
        );
        const first = arrived(played(once, services, more)).filter(
          ({ kind, repeat }) => kind === "questions" && !repeat,
        );
        const told = first.flatMap(({ channel, subjects }) => subjects.map((subject) => `${channel} ${subject}`));
        expect(told.length).toBe(new Set(told).size);
      }),
    );
  });

  it("an accepted message is one that has arrived, and a refused one has not", () => {
    fc.assert(
      fc.property(...world, (script, services, more) => {
        const worker = played(script, services, more);
        const came = new Set(arrived(worker).map(({ message }) => message));
        const all = [...worker.outbox.messages.values()];
        const accepted = all.filter(({ state }) => state === "accepted");
        const failed = all.filter(({ state, mayHaveArrived }) => state === "failed" && !mayHaveArrived);
        expect(accepted.filter(({ message }) => !came.has(message))).toEqual([]);
        expect(failed.filter(({ message }) => came.has(message))).toEqual([]);
      }),
    );
  });

  it("nothing is sent about what is decided, nor in quiet hours", () => {
    fc.assert(
      fc.property(...world, (script, services, more) => {
        const worker = new ImaginedWorker();
        const send = { n: 0 };
        worker.settings = { ...SETTINGS, ...more };
        worker.service = ({ subjects }) => {
          for (const subject of subjects.filter((one) => one.startsWith("question:")))
            expect([subject, worker.rows.get(subject.slice("question:".length))?.state]).toEqual([subject, "open"]);
          expect(isQuiet(more.quietHours, localTime(new Date(worker.now), "UTC"))).toBe(false);
          return honest(services[send.n++ % services.length] as Service);
        };
        for (const one of script) act(worker, one);
      }),
    );
  });

  it("what is open is told in the end, once the service works again", () => {
    fc.assert(
      fc.property(...world, (script, services, more) => {
        const worker = played(script, services, { ...more, remindMinutes: 60 });
        worker.service = () => ({ outcome: "ok", arrives: true });
        for (let hour = 0; hour < 48; hour += 1) worker.later(1_800);
        for (const { id, state } of worker.rows.values()) {
          if (state !== "open") continue;
          for (const receipt of notices.receiptsFor(worker.outbox, `question:${id}`))
            expect([id, receipt.state]).toEqual([id, "accepted"]);
          expect(notices.receiptsFor(worker.outbox, `question:${id}`)).toHaveLength(2);
        }
        const left = [...worker.outbox.messages.values()].filter(({ state }) => state === "sending");
        expect(left).toEqual([]);
      }),
    );
  });
});
