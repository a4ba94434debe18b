import { describe, expect, it } from "vitest";
import { ok, other, work } from "../../../../tests/fixtures/replay/journal-views.js";
import { RUN, type SharedPorts, sharedRun } from "../../../../tests/fixtures/replay/shared-run.js";
import { BabysitterError } from "../model/errors.js";
import type { JournalEvent } from "../model/events.js";
import { effectIdOf } from "../replay/identity.js";
import type { ProcessContext } from "../replay/process-context.js";
import { MemoryEventStore } from "../testing/index.js";
import { LiveRun } from "./live-run.js";
import { postResult } from "./post-result.js";
import { RunJournal } from "./run-journal.js";

const QUIET = { quietLimitMs: 5_000 };
const WORK = effectIdOf(RUN, "work:1");
const OTHER = effectIdOf(RUN, "other:1");

/** A store that tells what is appended together, and in which something happens before that. */
class WatchedStore extends MemoryEventStore {
  readonly batches: string[][] = [];
  before: ((events: readonly JournalEvent[]) => Promise<void>) | undefined;
  /** How many events of the next batch get in before another writer does. */
  cutAfter: number | undefined;

  override async append(...[runId, events, options]: Parameters<MemoryEventStore["append"]>) {
    const { before, cutAfter } = this;
    this.before = undefined;
    this.cutAfter = undefined;
    if (cutAfter !== undefined) {
      await super.append(runId, events.slice(0, cutAfter), options);
      await before?.(events);
      this.batches.push(events.slice(0, cutAfter).map(({ type }) => type));
      return { appended: cutAfter, conflict: true };
    }
    await before?.(events);
    const answer = await super.append(runId, events, options);
    if (answer.appended > 0) this.batches.push(events.map(({ type }) => type));
    return answer;
  }
}

/** Two steps, the second of which sees the result of the first. */
const steps = async (_: never, ctx: ProcessContext): Promise<unknown> => {
  const first = await ctx.task<string>(work, {});
  return [first, await ctx.task(other, { first })];
};

interface Hot {
  ports: SharedPorts;
  store: WatchedStore;
  live: LiveRun;
}

async function hot(process = steps, version = () => "code-1"): Promise<Hot> {
  const store = new WatchedStore();
  const ports = await sharedRun(process, { store, version });
  const live = await LiveRun.open(ports, RUN, QUIET);
  await live.iterate();
  store.batches.length = 0;
  return { ports, store, live };
}

async function eventsIn({ store }: Pick<Hot, "store">): Promise<JournalEvent[]> {
  return (await store.read(RUN, undefined)) ?? [];
}

async function typesIn(run: Pick<Hot, "store">): Promise<string[]> {
  return (await eventsIn(run)).map(({ type }) => type);
}

const postElsewhere = async (ports: SharedPorts, effectId: string, value: string): Promise<unknown> =>
  postResult(await RunJournal.open(ports, RUN), { effectId, result: ok(value) });

describe("a result and what follows from it", () => {
  it("C6 R8: are one append, and the same events as when they are recorded one after the other", async () => {
    const run = await hot();
    await run.live.post({ effectId: WORK, result: ok("w") });
    expect(run.store.batches).toEqual([["EFFECT_RESOLVED", "EFFECT_REQUESTED"]]);
    const { nextActions, iterationCount } = await run.live.iterate();
    expect(nextActions.map(({ invocationKey, taskDef }) => [invocationKey, taskDef])).toEqual([
      ["other:1", expect.objectContaining({ kind: "node" })],
    ]);
    await run.live.post({ effectId: OTHER, result: ok("o") });
    const end = await run.live.iterate();
    expect(end).toMatchObject({ status: "completed", reason: "completed", output: ["w", "o"] });
    await run.live.close();

    const apart = await hot();
    await postElsewhere(apart.ports, WORK, "w");
    expect((await apart.live.iterate()).iterationCount).toBe(iterationCount);
    await postElsewhere(apart.ports, OTHER, "o");
    expect(await apart.live.iterate()).toEqual(end);
    await apart.live.close();
    const content = ({ seq, type, effectId, timestamp, payload }: JournalEvent): unknown[] => [
      seq,
      type,
      effectId,
      timestamp,
      payload,
    ];
    expect((await eventsIn(run)).map(content)).toEqual((await eventsIn(apart)).map(content));
  });

  it("C6 J2: nobody is told of either before both are durable", async () => {
    const { live, store, ports } = await hot();
    const told: string[] = [];
    live.journal.observe(({ type }) => told.push(`event ${type}`));
    let sync = (): void => undefined;
    const durable = new Promise<void>((resolve) => (sync = resolve));
    const appending = new Promise<void>((resolve) => {
      store.before = async () => {
        resolve();
        await durable;
      };
    });
    const post = live.post({ effectId: WORK, result: ok("w") }).then(() => told.push("acknowledged"));
    const iteration = live.iterate().then(({ nextActions }) => told.push(`dispatch ${nextActions[0]?.invocationKey}`));
    await appending;
    for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    expect(told).toEqual([]);
    expect(Object.keys((await RunJournal.open(ports, RUN)).summary.pending)).toEqual([WORK]);
    sync();
    await Promise.all([post, iteration]);
    expect(told).toEqual(["event EFFECT_RESOLVED", "event EFFECT_REQUESTED", "acknowledged", "dispatch other:1"]);
    await live.close();
  });

  it("C20 J1: another result that was faster wins, and the process never goes on with the first", async () => {
    const { live, store, ports } = await hot();
    store.before = async () => void (await postElsewhere(ports, WORK, "theirs"));
    await expect(live.post({ effectId: WORK, result: ok("ours") })).rejects.toMatchObject({
      code: "EFFECT_ALREADY_RESOLVED",
    });
    expect(store.batches).toEqual([["EFFECT_RESOLVED"]]);
    await live.iterate();
    await live.post({ effectId: OTHER, result: ok("o") });
    expect((await live.iterate()).output).toEqual(["theirs", "o"]);
    await live.close();
  });

  it.each([
    ["before both", undefined],
    ["between them", 1],
  ])("C20 J1 R8: an event of another writer %s is no obstacle", async (_, cutAfter) => {
    const { live, store, ports } = await hot(async (_inputs: never, ctx: ProcessContext) => {
      const beside = ctx.task(other, {});
      const first = await ctx.task<string>(work, {});
      return [first, await ctx.task(work, { first }), await beside];
    });
    store.before = async () => void (await postElsewhere(ports, OTHER, "beside"));
    store.cutAfter = cutAfter;
    expect((await live.post({ effectId: WORK, result: ok("w") })).outcome).toBe("committed");
    await live.iterate();
    expect((await typesIn({ store })).filter((type) => type === "EFFECT_REQUESTED")).toHaveLength(3);
    await live.post({ effectId: effectIdOf(RUN, "work:2"), result: ok("w2") });
    expect((await live.iterate()).output).toEqual(["w", "w2", "beside"]);
    await live.close();
  });

  it("C20 J1: another driver that goes on with the result between them makes the request, once", async () => {
    const { live, store, ports } = await hot();
    const rival = await LiveRun.open(ports, RUN, QUIET);
    store.before = async () => void (await rival.iterate());
    store.cutAfter = 1;
    await live.post({ effectId: WORK, result: ok("w") });
    expect(store.batches).toEqual([["EFFECT_REQUESTED"], ["EFFECT_RESOLVED"]]);
    await live.iterate();
    await live.post({ effectId: OTHER, result: ok("o") });
    expect((await live.iterate()).output).toEqual(["w", "o"]);
    expect((await typesIn({ store })).filter((type) => type === "EFFECT_REQUESTED")).toHaveLength(2);
    await Promise.all([live.close(), rival.close()]);
  });

  it("C6: a disk that is full takes neither; nothing is acknowledged, and the next try works", async () => {
    const { live, store } = await hot();
    const before = await typesIn({ store });
    store.before = () => Promise.reject(new BabysitterError("JOURNAL_UNWRITABLE", "No space left on device."));
    await expect(live.post({ effectId: WORK, result: ok("w") })).rejects.toMatchObject({ code: "JOURNAL_UNWRITABLE" });
    expect(await typesIn({ store })).toEqual(before);
    expect((await live.iterate()).nextActions.map(({ invocationKey }) => invocationKey)).toEqual(["work:1"]);
    await live.post({ effectId: WORK, result: ok("again") });
    await live.iterate();
    await live.post({ effectId: OTHER, result: ok("o") });
    expect((await live.iterate()).output).toEqual(["again", "o"]);
    await live.close();
  });

  it("C6 J4: a program that dies after the process has seen a result leaves the task to be done", async () => {
    const seen: string[] = [];
    const { live, store, ports } = await hot(async (_: never, ctx: ProcessContext) => {
      const first = await ctx.task<string>(work, {});
      seen.push(first);
      return [first, await ctx.task(other, { first })];
    });
    const died = new Promise<void>((resolve) => {
      store.before = () => {
        resolve();
        return new Promise<never>(() => undefined);
      };
    });
    void live.post({ effectId: WORK, result: ok("lost") });
    await died;
    expect(seen).toEqual(["lost"]);
    const next = await LiveRun.open(ports, RUN, QUIET);
    expect((await next.iterate()).nextActions.map(({ invocationKey }) => invocationKey)).toEqual(["work:1"]);
    await next.post({ effectId: WORK, result: ok("kept") });
    await next.iterate();
    await next.post({ effectId: OTHER, result: ok("o") });
    expect((await next.iterate()).output).toEqual(["kept", "o"]);
    await next.close();
  });

  it("C6: a result does not wait for what the process does by itself before its next request", async () => {
    let goOn = (): void => undefined;
    const outside = new Promise<void>((resolve) => (goOn = resolve));
    const { live, store } = await hot(async (_: never, ctx: ProcessContext) => {
      const first = await ctx.task<string>(work, {});
      // As active as a request to a server that does not answer yet.
      const busy = setInterval(() => undefined, 1);
      await outside;
      clearInterval(busy);
      return [first, await ctx.task(other, { first })];
    });
    expect((await live.post({ effectId: WORK, result: ok("w") })).outcome).toBe("committed");
    expect(store.batches).toEqual([["EFFECT_RESOLVED"]]);
    goOn();
    await live.iterate();
    expect(store.batches).toEqual([["EFFECT_RESOLVED"], ["EFFECT_REQUESTED"]]);
    await live.post({ effectId: OTHER, result: ok("o") });
    expect((await live.iterate()).output).toEqual(["w", "o"]);
    await live.close();
  });

  it("C9: code that has changed is asked in place of the old one", async () => {
    let version = 1;
    const { live } = await hot(steps, () => `code-${version}`);
    version += 1;
    await live.post({ effectId: WORK, result: ok("w") });
    expect(await typesIn({ store: live.journal.ports.store as WatchedStore })).not.toContain("CODE_CHANGED");
    await live.iterate();
    const events = await eventsIn({ store: live.journal.ports.store as WatchedStore });
    expect(events.map(({ type }) => type).slice(-3)).toEqual(["EFFECT_RESOLVED", "CODE_CHANGED", "EFFECT_REQUESTED"]);
    await live.close();
  });

  it("C20: results that come while an iteration runs a hook are recorded at once", async () => {
    const { live, ports, store } = await hot(async (_: never, ctx: ProcessContext) => {
      const beside = ctx.task(work, {});
      await ctx.task(other, {});
      await ctx.hook("custom", {});
      return beside;
    });
    ports.hooks.run = async ({ hookType }) => {
      await live.post({ effectId: WORK, result: ok("from a hook") });
      return { hookType, success: true, executedHooks: [] };
    };
    await live.post({ effectId: OTHER, result: ok("o") });
    expect(store.batches).toEqual([["EFFECT_RESOLVED", "EFFECT_REQUESTED"]]);
    expect(await live.iterate()).toMatchObject({ status: "completed", output: "from a hook" });
    await live.close();
  });

  it("C6: results that come while the process works in an iteration are recorded at once, and seen in their turn", async () => {
    let goOn = (): void => undefined;
    const outside = new Promise<void>((resolve) => (goOn = resolve));
    const seen: unknown[] = [];
    const { live, store } = await hot(async (_: never, ctx: ProcessContext) => {
      const beside = ctx.task(work, {}).then((value) => seen.push(value));
      await ctx.task(other, {});
      const busy = setInterval(() => undefined, 1);
      await outside;
      clearInterval(busy);
      seen.push("own work");
      await beside;
      return seen;
    });
    await postElsewhere(live.journal.ports as SharedPorts, OTHER, "o");
    const iteration = live.iterate();
    await new Promise((resolve) => setImmediate(resolve));
    await live.post({ effectId: WORK, result: ok("w") });
    expect([seen, store.batches.at(-1)]).toEqual([[], ["EFFECT_RESOLVED"]]);
    goOn();
    await iteration;
    expect((await live.iterate()).output).toEqual(["own work", "w"]);
    await live.close();
  });

  it("C20: results that are posted at the same time are shown one after the other", async () => {
    const { live, store } = await hot(async (_: never, ctx: ProcessContext) =>
      Promise.all([0, 1, 2].map(async (n) => [await ctx.task(work, { n }), await ctx.task(other, { n })])),
    );
    const keys = ["work:3", "work:1", "work:2"];
    await Promise.all(keys.map((key) => live.post({ effectId: effectIdOf(RUN, key), result: ok(key) })));
    expect(store.batches).toEqual(keys.map(() => ["EFFECT_RESOLVED", "EFFECT_REQUESTED"]));
    const { nextActions } = await live.iterate();
    expect(nextActions).toHaveLength(3);
    await Promise.all(nextActions.map(({ effectId }) => live.post({ effectId, result: ok("o") })));
    expect((await live.iterate()).output).toEqual([1, 2, 3].map((n) => [`work:${n}`, "o"]));
    await live.close();
  });
});
