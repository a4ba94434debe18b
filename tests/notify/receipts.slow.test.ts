/** Receipts tell the truth, whatever the services do: every channel, in a real server whose time passes fast. */
import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import type { Receipt } from "../../packages/sdk/src/notify/receipts.js";
import { breakpoints, type InboxServer } from "../fixtures/breakpoints/inbox-server.js";
import { fastClock } from "../fixtures/fast-clock.js";
import { type Behaviour, kept, type Step } from "../fixtures/notify/faults.js";
import { NotifyScene } from "../fixtures/notify/notify-scene.js";
import { allReaches, enableAll, type Reach } from "../fixtures/notify/reach.js";
import { until } from "../fixtures/processes.js";

/** The pauses between attempts are short; the patience with services lasts for some seconds. */
const FAST = { clock: 20, timers: 3 };
/** Nothing here takes as long. */
const PATIENCE_MS = 120_000;
/** So many servers at once. */
const AT_ONCE = 4;

const QUESTION = "Shall it go out?";

interface Watched {
  scene: NotifyScene;
  server: InboxServer;
  question: string;
  reaches: Reach[];
  receiptOf: (reach: Reach) => Receipt | undefined;
  /** Waits until it is so for each channel. */
  settled: (isSo: (receipt: Receipt) => boolean) => Promise<void>;
}

/** One question, on every channel; each service behaves as it was told before. */
async function asked(prepare: (reach: Reach) => void | Promise<void> = () => undefined): Promise<Watched> {
  const scene = new NotifyScene();
  const reaches = await allReaches(scene);
  enableAll(scene, reaches);
  const server = await scene.start({ env: { ...fastClock(FAST), WORKER_POLL_MS: "150" } });
  for (const { ready } of reaches) await ready();
  for (const reach of reaches) await prepare(reach);
  const question = await scene.ask("run-1", QUESTION);
  const receiptOf = ({ channel }: Reach): Receipt | undefined =>
    scene.receipts(question).find((receipt) => receipt.channel === channel);
  const settled = async (isSo: (receipt: Receipt) => boolean): Promise<void> => {
    const end = performance.now() + PATIENCE_MS / 2;
    const isSettled = (): boolean => reaches.map(receiptOf).every((receipt) => receipt !== undefined && isSo(receipt));
    await until(() => isSettled() || performance.now() > end);
    if (!isSettled()) throw new Error(JSON.stringify([reaches.map(receiptOf), server.log.split("\n")], null, 1));
  };
  return { scene, server, question, reaches, receiptOf, settled };
}

/** A later question that has reached everyone shows that the worker has gone on. */
async function askedLater({ scene, reaches }: Watched): Promise<void> {
  const later = await scene.ask("run-2", "And this?");
  await until(() => scene.receipts(later).filter(({ state }) => state === "accepted").length === reaches.length);
}

/** What people see of the question, and whether it is marked as a repeat. */
function marksOf(reach: Reach): boolean[] {
  return reach
    .seen()
    .filter(({ text }) => text.includes(QUESTION))
    .map(({ isMarked }) => isMarked);
}

/** Ends when all have ended, also when one fails: nothing may be started after the end of a test. */
async function together<T>(rows: readonly T[], act: (row: T) => Promise<void>): Promise<void> {
  const left = [...rows];
  const one = async (): Promise<void> => {
    for (let row = left.shift(); row !== undefined; row = left.shift()) await act(row);
  };
  const ends = await Promise.allSettled(Array.from({ length: AT_ONCE }, one));
  const failed = ends.find((end) => end.status === "rejected");
  if (failed !== undefined) throw failed.reason;
}

const isFinal = ({ state, due }: Receipt): boolean => !["queued", "sending"].includes(state) && due === undefined;

describe("B9: receipts of every channel", () => {
  it(
    "of a service that fails once: it is told again, and only what may have come before is marked",
    async () => {
      const rows: { first: Behaviour | Step; isRepeated: boolean; marks: boolean[] }[] = [
        { first: "ok", isRepeated: false, marks: [false] },
        { first: "lost", isRepeated: false, marks: [] },
        { first: "429", isRepeated: false, marks: [false] },
        { first: "500", isRepeated: true, marks: [true] },
        { first: kept("503"), isRepeated: true, marks: [false, true] },
        { first: "hang", isRepeated: true, marks: [true] },
        { first: kept("hang"), isRepeated: true, marks: [false, true] },
        { first: kept("cut"), isRepeated: true, marks: [false, true] },
      ];
      await together(rows, async ({ first, isRepeated, marks }) => {
        const { reaches, receiptOf, settled } = await asked(({ next }) => next(first));
        await settled(({ state }) => state === "accepted");
        for (const reach of reaches)
          expect([first, reach.channel, receiptOf(reach)?.repeated, marksOf(reach)]).toEqual([
            first,
            reach.channel,
            isRepeated,
            marks,
          ]);
      });
    },
    PATIENCE_MS,
  );

  it(
    "of a service that goes on failing: nothing is claimed, and nobody is bothered more than twice",
    async () => {
      const neverAnswers = async (): Promise<void> => {
        const watched = await asked(({ always }) => always(kept("hang")));
        await watched.settled((receipt) => receipt.state === "unknown" && isFinal(receipt));
        for (const { back } of watched.reaches) back();
        await askedLater(watched);
        for (const reach of watched.reaches)
          expect([reach.channel, watched.receiptOf(reach)?.state, marksOf(reach)]).toEqual([
            reach.channel,
            "unknown",
            [false, true],
          ]);
      };
      const refuses = async (): Promise<void> => {
        const watched = await asked(({ next }) => next("403"));
        await watched.settled((receipt) => receipt.state === "failed" && isFinal(receipt));
        await askedLater(watched);
        for (const reach of watched.reaches) {
          const { state, why = "" } = watched.receiptOf(reach) ?? {};
          expect([reach.channel, state, why.includes("403"), marksOf(reach)]).toEqual([
            reach.channel,
            "failed",
            true,
            [],
          ]);
        }
      };
      const isDown = async (): Promise<void> => {
        const { reaches, receiptOf, settled } = await asked(({ down }) => down());
        await settled((receipt) => receipt.state === "failed" && receipt.due !== undefined);
        for (const reach of reaches) expect(receiptOf(reach)?.why).toMatch(/refused the connection/u);
        for (const reach of reaches) await reach.up();
        await settled(({ state }) => state === "accepted");
        for (const reach of reaches) expect([reach.channel, marksOf(reach)]).toEqual([reach.channel, [false]]);
      };
      const answersNonsense = async (): Promise<void> => {
        const { reaches, receiptOf, settled } = await asked(({ next }) => next(kept("garbage")));
        await settled(({ state }) => state === "accepted");
        for (const reach of reaches) {
          // Whoever runs a webhook may answer what they like.
          const isRepeated = reach.channel !== "webhook";
          expect([reach.channel, receiptOf(reach)?.repeated, marksOf(reach)]).toEqual([
            reach.channel,
            isRepeated,
            isRepeated ? [false, true] : [false],
          ]);
        }
      };
      await together([neverAnswers, refuses, isDown, answersNonsense], (act) => act());
    },
    PATIENCE_MS,
  );

  it(
    "of a question that is decided while it is in doubt, has failed or waits: it is not sent again",
    async () => {
      const steps: (Behaviour | Step)[] = [kept("hang"), kept("500"), "500", "429"];
      await together(steps, async (step) => {
        const watched = await asked(({ always }) => always(step));
        const { scene, reaches, receiptOf, settled } = watched;
        await until(() => reaches.every((reach) => reach.tries() > 0 && receiptOf(reach)?.why !== undefined));
        await scene.decide("run-1");
        // What was under way at that moment comes to its end, and nothing follows it.
        await settled(({ state, due }) => ["unknown", "dropped"].includes(state) && due === undefined);
        const before = reaches.map((reach) => [reach.channel, reach.tries(), marksOf(reach)]);
        for (const { back } of reaches) back();
        await askedLater(watched);
        expect(reaches.map((reach) => [reach.channel, reach.tries() - 1, marksOf(reach)])).toEqual(before);
      });
    },
    PATIENCE_MS,
  );

  it(
    "after a tap: acknowledged where there is one, once or twice, early or late; the others end at accepted",
    async () => {
      const rows: (Behaviour | Step)[] = ["ok", kept("cut")];
      await together(rows, async (first) => {
        const { reaches, receiptOf, settled } = await asked(({ next }) => next(first));
        const tappable = reaches.filter(({ tap }) => tap !== undefined);
        for (const reach of tappable) {
          await until(() => marksOf(reach).length > 0);
          const [seen] = reach.seen();
          // Of the repeat nobody knows yet.
          await reach.tap?.(seen as NonNullable<typeof seen>);
          await reach.tap?.(seen as NonNullable<typeof seen>);
        }
        await until(() => tappable.every((reach) => receiptOf(reach)?.state === "acknowledged"));
        await settled(
          ({ state, channel }) =>
            state === (tappable.some((one) => one.channel === channel) ? "acknowledged" : "accepted"),
        );
        expect(tappable.map(({ channel }) => channel)).toContain("ntfy");
      });
    },
    PATIENCE_MS,
  );

  it(
    "name no secret of a channel, nor does anything else that is told or kept",
    async () => {
      const steps: (Behaviour | Step)[] = ["403", "500", kept("garbage"), kept("cut")];
      await together(steps, async (step) => {
        const { scene, server, question, reaches, settled } = await asked(({ next }) => next(step));
        for (const reach of reaches) if (step === "500") await reach.down();
        await settled(({ why, state }) => why !== undefined || state === "accepted");
        const browser = await server.signIn();
        const answers = await Promise.all(
          ["/api/channels", `/api/questions/${question}`, "/api/questions"].map((target) => browser.get(target)),
        );
        expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
        const listed = await breakpoints(scene.project, ["extension", "list"]);
        const told = [
          server.log,
          ...answers.map(({ text }) => text),
          listed.stdout,
          listed.stderr,
          ...keptFiles(scene),
        ];
        for (const { channel, secrets } of reaches)
          for (const secret of secrets)
            expect([step, channel, told.filter((text) => text.includes(secret))]).toEqual([step, channel, []]);
      });
    },
    PATIENCE_MS,
  );
});

/** What is kept of notifications; their settings alone are where secrets are. */
function keptFiles({ home }: NotifyScene): string[] {
  const folder = path.join(home, "inbox");
  const names = fs.readdirSync(folder).filter((name) => /\.(?:jsonl?|log)$/u.test(name) && name !== "channels.json");
  return names.map((name) => fs.readFileSync(path.join(folder, name), "utf8"));
}
