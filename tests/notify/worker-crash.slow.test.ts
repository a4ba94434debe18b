/** What sends notifications is killed at random moments; several want to send at once. */
import { describe, expect, it } from "vitest";
import { FakeWebhook } from "../fixtures/notify/fake-webhook.js";
import { kept } from "../fixtures/notify/faults.js";
import { NotifyScene } from "../fixtures/notify/notify-scene.js";
import { until } from "../fixtures/processes.js";

const KINDS = ["webhook", "slack", "discord"] as const;
type Kind = (typeof KINDS)[number];

interface Seen {
  kind: Kind;
  question: number;
  isRepeat: boolean;
}

/** Three channels, whose services keep everything that people get to see. */
class Services {
  readonly all: Map<Kind, FakeWebhook>;

  private constructor(all: Map<Kind, FakeWebhook>) {
    this.all = all;
  }

  static async start(scene: NotifyScene): Promise<Services> {
    const all = new Map<Kind, FakeWebhook>();
    for (const kind of KINDS) {
      const service = await FakeWebhook.start(kind);
      all.set(kind, service);
      scene.enable(kind, { url: service.url });
    }
    return new Services(all);
  }

  seen(): Seen[] {
    return [...this.all].flatMap(([kind, { messages }]) =>
      messages.flatMap(({ document, before }) => {
        const text = JSON.stringify([document, ...before].at(-1));
        const isRepeat = text.includes('"repeat":true') || text.includes("may have received this before");
        return [...new Set(text.match(/Question \d+\?/gu))].map((found) => ({
          kind,
          question: Number(/\d+/u.exec(found)?.[0]),
          isRepeat,
        }));
      }),
    );
  }

  random(): FakeWebhook {
    return this.all.get(KINDS[Math.floor(Math.random() * KINDS.length)] as Kind) as FakeWebhook;
  }
}

interface Killable {
  kill: (signal?: NodeJS.Signals) => Promise<void>;
}

/** Each of so many questions is told by three channels. */
async function killedAgainAndAgain(
  { scene, services, start }: { scene: NotifyScene; services: Services; start: () => Promise<Killable> },
  { questions, kills }: { questions: number; kills: number },
): Promise<string[]> {
  const ids: string[] = [];
  let program = await start();
  for (let n = 0; n < questions; n += 1) {
    ids.push(await scene.ask(`run-${n}`, `Question ${n}?`));
    if (n % Math.ceil(questions / kills) !== 0) {
      await scene.accepted(ids[n] as string);
      continue;
    }
    // In the middle of sending, with or without somebody getting it, or at any moment.
    const way = Math.floor(Math.random() * 3);
    const service = services.random();
    const asked = service.service.requests.length;
    if (way < 2) {
      service.faults.next(way === 0 ? "hang" : kept("hang"));
      await until(() => service.service.requests.length > asked);
    } else await new Promise((resolve) => setTimeout(resolve, Math.random() * 200));
    await program.kill("SIGKILL");
    service.faults.back();
    program = await start();
  }
  await until(() =>
    ids.every((id) => {
      const receipts = scene.receipts(id);
      return (
        receipts.length === KINDS.length &&
        receipts.every(({ state, due }) => state === "accepted" || (state === "unknown" && due === undefined))
      );
    }),
  );
  await program.kill("SIGTERM");
  return ids;
}

function expectTruth(scene: NotifyScene, services: Services, ids: readonly string[]): void {
  const seen = services.seen();
  for (const [n, id] of ids.entries())
    for (const { channel, state, repeated } of scene.receipts(id)) {
      const own = seen.filter(({ kind, question }) => kind === channel && question === n);
      const plain = own.filter(({ isRepeat }) => !isRepeat).length;
      const marked = own.length - plain;
      const about = { channel, n, state, repeated, plain, marked };
      expect(about).toMatchObject({ plain: expect.toSatisfy((count: number) => count <= 1) as number });
      // It may have been repeated, and the repeat be in doubt as well.
      const accepted = repeated ? { state, marked: 1 } : { state, plain: 1, marked: 0 };
      expect(about).toMatchObject(state === "accepted" ? accepted : { state: "unknown", repeated: true });
    }
  expect(scene.messages().filter(({ state }) => state === "sending" || state === "failed")).toEqual([]);
}

describe("kill -9 of what sends", () => {
  it("B3 B9: the worker, at random moments of 120 notifications: none is lost, none comes twice unmarked, receipts are true", async () => {
    const scene = new NotifyScene();
    const services = await Services.start(scene);
    const start = async (): Promise<Killable> => scene.startWorker();
    const ids = await killedAgainAndAgain({ scene, services, start }, { questions: 40, kills: 10 });
    expectTruth(scene, services, ids);
  }, 120_000);

  it("B3 B9: the server, at random moments of 90 notifications", async () => {
    const scene = new NotifyScene();
    const services = await Services.start(scene);
    const ids = await killedAgainAndAgain({ scene, services, start: () => scene.start() }, { questions: 30, kills: 6 });
    expectTruth(scene, services, ids);
  }, 120_000);
});

describe("several that want to send", () => {
  it("B3: a server and two workers at once send everything once; when one is killed, another takes over", async () => {
    const scene = new NotifyScene();
    const services = await Services.start(scene);
    const programs = new Map<string, Killable & { isSending: () => boolean }>();
    for (const name of ["first", "second"]) {
      const worker = scene.startWorker();
      programs.set(name, {
        kill: (signal) => worker.kill(signal),
        isSending: () => worker.printed.includes("open, to"),
      });
    }
    const server = await scene.start();
    programs.set("server", { kill: (signal) => server.kill(signal), isSending: () => server.log.includes("open, to") });
    const ids: string[] = [];
    for (let n = 0; n < 30; n += 1) {
      ids.push(await scene.ask(`run-${n}`, `Question ${n}?`));
      if (n % 10 !== 9) continue;
      for (const id of ids) await scene.accepted(id);
      const [name, sender] = [...programs].find(([, { isSending }]) => isSending()) ?? [];
      if (programs.size > 1) await sender?.kill("SIGKILL");
      programs.delete(programs.size > 1 ? (name as string) : "");
    }
    expectTruth(scene, services, ids);
    expect(services.seen().filter(({ isRepeat }) => !isRepeat)).toHaveLength(ids.length * KINDS.length);
  }, 120_000);
});
