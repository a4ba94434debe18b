/**
 * What every store must hold, as a list of cases that any test framework can loop over:
 *
 *   for (const { title, run } of storeContract) test(title, () => run(makeStore));
 */
import { spillValues } from "../journal/rules/blobs.js";
import { sealBehind, sha256 } from "../journal/rules/chain.js";
import { type EventDraft, headOf, INLINE_LIMIT, type JournalEvent } from "../model/events.js";
import { parseRunId, type RunId } from "../model/ids.js";
import type { EventStore } from "../model/store.js";
import { begin, check, equal, firstEvent, note, notesBehind, readAll, refused } from "./contract-checks.js";

/** A store that has no runs yet, in the hands of the contract. */
export interface StoreUnderTest {
  /** A store on these runs, as another program would open it. */
  open(): EventStore;
  /** For stores that hear of leases by themselves: from now on this epoch is the newest. */
  issueFence?(runId: RunId, fence: number): Promise<void>;
  /** Changes the kept text of a blob behind the store's back. Without it nobody looks whether that is noticed. */
  damageBlob?(runId: RunId, blob: string): Promise<void>;
}

/** One promise of the contract. */
export interface StoreContractCase {
  title: string;
  run: (make: () => StoreUnderTest | Promise<StoreUnderTest>) => Promise<void>;
}

const RUN = parseRunId("run-1");
const OTHER = parseRunId("run-2");
const NO_IDS = ["", ".", "..", "../run", "a/b", "a\\b", "a\0b", "-a", "x".repeat(300)] as RunId[];
const ODD_IDS = ["constructor", "toString", "hasOwnProperty", "A.b-c_1"].map(parseRunId);

/** A watch may be slow, but not this slow. */
const WATCH_LIMIT_MS = 20_000;

const CREATE: Record<string, (under: StoreUnderTest) => Promise<void>> = {
  "creates a run with all its events and blobs": async (under) => {
    const first = firstEvent(RUN);
    const events = [first, ...notesBehind(first, "a", "b")];
    await under.open().create(RUN, events, { blobs: ["one", "two"], code: { files: [{ path: "p.js", text: "1" }] } });
    const store = under.open();
    check(await store.exists(RUN), "the run exists");
    equal(await readAll(store, RUN), events, "its events");
    for (const text of ["one", "two"]) equal(await store.getBlob(RUN, sha256(text)), text, "its blob");
  },
  "creates a run once": async (under) => {
    const first = await begin(under.open(), RUN);
    await refused("RUN_EXISTS", "the second creation", () => under.open().create(RUN, [firstEvent(RUN, "other")]));
    equal(await readAll(under.open(), RUN), [first], "the events");
  },
  "lets exactly one of several simultaneous creations win": async (under) => {
    const firsts = Array.from({ length: 8 }, (_, index) => firstEvent(RUN, `seed-${index}`));
    const outcomes = await Promise.allSettled(firsts.map((first) => under.open().create(RUN, [first])));
    const winners = firsts.filter((_, index) => outcomes[index]?.status === "fulfilled");
    equal(winners.length, 1, "how many won");
    equal(await readAll(under.open(), RUN), winners, "the events");
    for (const outcome of outcomes)
      if (outcome.status === "rejected")
        await refused("RUN_EXISTS", "a late creation", () => Promise.reject(outcome.reason));
  },
  "leaves nothing behind when a creation fails": async (under) => {
    const creation = under.open().create(RUN, [firstEvent(RUN)], { blobs: failingBlobs() });
    const failure = await creation.catch((error: Error) => error.message);
    equal(failure, "The source of the blobs failed.", "the failure");
    check(!(await under.open().exists(RUN)), "the run does not exist");
    equal(await under.open().list(), [], "the listing");
    await begin(under.open(), RUN);
  },
  "knows nothing about a run that does not exist": async (under) => {
    const store = under.open();
    const [missing] = notesBehind(firstEvent(RUN), "a") as [JournalEvent];
    await begin(store, OTHER);
    check(!(await store.exists(RUN)), "the run does not exist");
    await refused("RUN_NOT_FOUND", "read", () => store.read(RUN, undefined));
    await refused("RUN_NOT_FOUND", "readAt", () => store.readAt(RUN, missing));
    await refused("RUN_NOT_FOUND", "append", () => store.append(RUN, [missing]));
    await refused("RUN_NOT_FOUND", "putBlob", () => store.putBlob(RUN, "text"));
    await refused("RUN_NOT_FOUND", "getBlob", () => store.getBlob(RUN, sha256("text")));
  },
  "refuses an invalid run ID": async (under) => {
    const store = under.open();
    for (const runId of NO_IDS) {
      const what = JSON.stringify(runId.slice(0, 20));
      await refused("INVALID_ID", `create ${what}`, () => store.create(runId, [firstEvent(runId)]));
      await refused("INVALID_ID", `exists ${what}`, () => store.exists(runId));
      await refused("INVALID_ID", `read ${what}`, () => store.read(runId, undefined));
      await refused("INVALID_ID", `append ${what}`, () => store.append(runId, [firstEvent(runId)]));
      await refused("INVALID_ID", `putBlob ${what}`, () => store.putBlob(runId, "text"));
    }
  },
  "lists every run once, whatever its ID": async (under) => {
    equal(await under.open().list(), [], "the listing before");
    for (const runId of ODD_IDS) {
      check(!(await under.open().exists(runId)), `${runId} does not exist`);
      await begin(under.open(), runId);
    }
    const listed = await under.open().list();
    equal(listed.map(({ runId }) => runId).toSorted(), ODD_IDS.toSorted(), "the listing");
    check(
      listed.every(({ foreign }) => !foreign),
      "none of them is foreign",
    );
  },
};

const READ: Record<string, (under: StoreUnderTest) => Promise<void>> = {
  "reads what follows a head": async (under) => {
    const first = await begin(under.open(), RUN);
    const events = [first, ...notesBehind(first, "a", "b", "c")];
    await under.open().append(RUN, events.slice(1));
    const store = under.open();
    for (const [index, event] of events.entries())
      equal(await store.read(RUN, headOf(event)), events.slice(index + 1), `what follows event ${index + 1}`);
    equal(await store.read(RUN, headOf(first), { durable: true }), events.slice(1), "what is durable");
  },
  "returns undefined for a head that the journal does not have": async (under) => {
    const first = await begin(under.open(), RUN);
    const [a, b] = notesBehind(first, "a", "b") as [JournalEvent, JournalEvent];
    await under.open().append(RUN, [a]);
    const [other] = notesBehind(first, "other") as [JournalEvent];
    for (const unknown of [b, other, firstEvent(RUN, "other"), { ...headOf(a), seq: 0 }]) {
      const answer = await under.open().read(RUN, headOf(unknown));
      check(answer === undefined, `nothing is known to follow event ${unknown.seq} of another chain`);
    }
  },
  "reads one event by its place, and no other": async (under) => {
    const first = await begin(under.open(), RUN);
    const [a, b] = notesBehind(first, "a", "b") as [JournalEvent, JournalEvent];
    await under.open().append(RUN, [a]);
    const store = under.open();
    equal(await store.readAt(RUN, first), first, "the first event");
    equal(await store.readAt(RUN, { seq: a.seq, id: a.id }), a, "the second event");
    for (const place of [b, { seq: a.seq, id: first.id }, { seq: 1, id: "../run-2/x" }, { seq: 0, id: a.id }])
      await refused("JOURNAL_BROKEN", `the place ${place.seq}.${place.id}`, () => store.readAt(RUN, place));
  },
  "walks through the events in both directions, if it does so at all": async (under) => {
    const first = await begin(under.open(), RUN);
    const events = [first, ...notesBehind(first, "a", "b", "c")];
    await under.open().append(RUN, events.slice(1));
    const store = under.open();
    if (store.walk === undefined) return;
    equal(await walked(store.walk(RUN)), events, "from the first one on");
    for (const [index, last] of events.entries())
      equal(await walked(store.walk(RUN, headOf(last))), events.slice(0, index + 1).toReversed(), "backwards");
    const [other] = notesBehind(first, "other") as [JournalEvent];
    const back = store.walk(RUN, headOf(other));
    await refused("JOURNAL_BROKEN", "backwards from an event of another chain", () => walked(back));
  },
  "keeps events of unknown types": async (under) => {
    const first = await begin(under.open(), RUN);
    const draft = { ...note("a"), type: "FROM_THE_FUTURE", payload: { more: [null, 1e21, "\u2028\ud83d\ude80"] } };
    const events = sealBehind(first, [draft as unknown as EventDraft]);
    await under.open().append(RUN, events);
    equal(await under.open().read(RUN, first), events, "the event");
  },
  "ignores timestamps": async (under) => {
    const first = await begin(under.open(), RUN);
    const times = ["2026-05-01T00:00:00.000Z", "2020-01-01T00:00:00.000Z", "no time", "2023-01-01T00:00:00.000Z"];
    const drafts = times.map((time) => note(time, time));
    const events = sealBehind(first, drafts);
    await under.open().append(RUN, events);
    equal(await under.open().read(RUN, first), events, "the events in their order");
  },
  "hands out copies": async (under) => {
    const first = await begin(under.open(), RUN);
    const store = under.open();
    const [mine] = (await store.read(RUN, undefined)) as [JournalEvent];
    mine.timestamp = "changed";
    (mine.payload as { seed: string }).seed = "changed";
    equal(await readAll(store, RUN), [first], "the events");
  },
};

async function walked(events: AsyncIterable<JournalEvent>): Promise<JournalEvent[]> {
  const all: JournalEvent[] = [];
  for await (const event of events) all.push(event);
  return all;
}

const APPEND: Record<string, (under: StoreUnderTest) => Promise<void>> = {
  "appends nothing twice": async (under) => {
    const first = await begin(under.open(), RUN);
    const events = notesBehind(first, "a", "b");
    const store = under.open();
    equal(await store.append(RUN, events), { appended: 2, conflict: false }, "the first time");
    equal(await store.append(RUN, events), { appended: 0, conflict: true }, "the second time");
    equal(await under.open().append(RUN, events), { appended: 0, conflict: true }, "from elsewhere");
    equal(await store.append(RUN, []), { appended: 0, conflict: false }, "nothing");
    equal(await store.read(RUN, first), events, "the events");
  },
  "appends nothing after an event that is not the last": async (under) => {
    const first = await begin(under.open(), RUN);
    const [late, early] = [under.open(), under.open()];
    await late.read(RUN, undefined);
    const events = notesBehind(first, "a");
    await early.append(RUN, events);
    const answer = await late.append(RUN, notesBehind(first, "b", "c"));
    equal(answer, { appended: 0, conflict: true }, "the later one");
    equal(await readAll(under.open(), RUN), [first, ...events], "the events");
  },
  "appends nothing after another event with the same number": async (under) => {
    const first = await begin(under.open(), RUN);
    const [a] = notesBehind(first, "a") as [JournalEvent];
    await under.open().append(RUN, [a]);
    const [other] = notesBehind(first, "other") as [JournalEvent];
    for (const store of [under.open(), await afterReading(under)]) {
      equal(
        await store.append(RUN, notesBehind(other, "b")),
        { appended: 0, conflict: true },
        "after an unknown event",
      );
      equal(
        await store.append(RUN, notesBehind(firstEvent(RUN, "x"), "b")).then(({ appended }) => appended),
        0,
        "late",
      );
    }
    equal(await readAll(under.open(), RUN), [first, a], "the events");
  },
  "leaves no gap": async (under) => {
    const first = await begin(under.open(), RUN);
    const [, second] = notesBehind(first, "a", "b") as [JournalEvent, JournalEvent];
    for (const store of [under.open(), await afterReading(under)])
      equal(await store.append(RUN, [second]), { appended: 0, conflict: true }, "the second before the first");
    equal(await readAll(under.open(), RUN), [first], "the events");
  },
  "keeps every event once, in one chain, however many writers there are": async (under) => {
    const first = await begin(under.open(), RUN);
    const rounds = Array.from({ length: 15 }, (_, round) => round);
    const writers = ["a", "b", "c"];
    await Promise.all(
      writers.map(async (writer) => {
        const store = under.open();
        for (const round of rounds) await appendAll(store, first, [`${writer}${round}`, `${writer}${round}+`]);
      }),
    );
    const events = await readAll(under.open(), RUN);
    const names = events.slice(1).map(({ payload }) => (payload as { codeHash: string }).codeHash);
    const expected = writers.flatMap((writer) =>
      rounds.flatMap((round) => [`${writer}${round}`, `${writer}${round}+`]),
    );
    equal(names.toSorted(), expected.toSorted(), "what is recorded");
    check(
      events.every((event, index) => event.seq === index + 1 && event.prev === (events[index - 1]?.checksum ?? null)),
      "the events are one chain",
    );
  },
  "takes a large batch": async (under) => {
    const first = await begin(under.open(), RUN);
    const names = Array.from({ length: 500 }, (_, index) => `note-${index}`);
    const events = notesBehind(first, ...names);
    equal(await under.open().append(RUN, events), { appended: 500, conflict: false }, "the answer");
    equal(await under.open().read(RUN, first), events, "the events");
  },
  "refuses a writer whose lease was taken over": async (under) => {
    const first = await begin(under.open(), RUN);
    const [old, current] = [under.open(), under.open()];
    const [a, b, c] = notesBehind(first, "a", "b", "c") as [JournalEvent, JournalEvent, JournalEvent];
    await under.issueFence?.(RUN, 1);
    equal((await old.append(RUN, [a], { fence: 1 })).appended, 1, "the holder");
    await under.issueFence?.(RUN, 2);
    equal((await current.append(RUN, [b], { fence: 2 })).appended, 1, "the next holder");
    await refused("RUN_BUSY", "the stale holder", () => old.append(RUN, [c], { fence: 1 }));
    equal(await readAll(under.open(), RUN), [first, a, b], "the events");
    equal((await under.open().append(RUN, [c], { fence: 2 })).appended, 1, "the holder again");
    equal((await under.open().append(RUN, notesBehind(c, "d"))).appended, 1, "someone without a lease");
    const other = await begin(under.open(), OTHER);
    await under.issueFence?.(OTHER, 1);
    equal((await old.append(OTHER, notesBehind(other, "a"), { fence: 1 })).appended, 1, "the holder of another run");
  },
  "reports what another writer has appended, until it is told to stop": async (under) => {
    const first = await begin(under.open(), RUN);
    let told = 0;
    let wake: (() => void) | undefined;
    const stop = under.open().watch(RUN, () => {
      told += 1;
      wake?.();
    });
    const called = new Promise<void>((resolve, reject) => {
      const late = setTimeout(() => reject(new Error("Nobody was told about the append.")), WATCH_LIMIT_MS);
      wake = () => {
        clearTimeout(late);
        resolve();
      };
    });
    const [a, b] = notesBehind(first, "a", "b") as [JournalEvent, JournalEvent];
    try {
      await under.open().append(RUN, [a]);
      await called;
    } finally {
      stop();
    }
    told = 0;
    await under.open().append(RUN, [b]);
    await readAll(under.open(), RUN);
    equal(told, 0, "calls after the end");
  },
};

const BLOBS: Record<string, (under: StoreUnderTest) => Promise<void>> = {
  "names blobs by the hash of their text": async (under) => {
    await begin(under.open(), RUN);
    for (const text of ["", "null", '{"a":"é\u{1F680}"}', "line\r\nline\0", "x".repeat(3_000_000)]) {
      const ref = { blob: sha256(text), bytes: new TextEncoder().encode(text).length };
      equal(await under.open().putBlob(RUN, text), ref, "the reference");
      equal(await under.open().putBlob(RUN, text), ref, "the same again");
      check((await under.open().getBlob(RUN, ref.blob)) === text, "the text comes back as it was");
    }
  },
  "refuses blobs that it does not have": async (under) => {
    await begin(under.open(), RUN);
    await begin(under.open(), OTHER);
    const { blob } = await under.open().putBlob(OTHER, "of another run");
    for (const name of [blob, sha256("never put"), "", "..", "../run-2/run", "__proto__", blob.toUpperCase()])
      await refused("JOURNAL_BROKEN", `the blob "${name}"`, () => under.open().getBlob(RUN, name));
  },
  "refuses a blob that no longer matches its name, until it is put again": async (under) => {
    await begin(under.open(), RUN);
    const { blob } = await under.open().putBlob(RUN, "a text");
    if (under.damageBlob === undefined) return;
    await under.damageBlob(RUN, blob);
    await refused("JOURNAL_BROKEN", "the damaged blob", () => under.open().getBlob(RUN, blob));
    await under.open().putBlob(RUN, "a text");
    equal(await under.open().getBlob(RUN, blob), "a text", "the blob that was put again");
  },
  "keeps values that are too large for an event": async (under) => {
    const first = await begin(under.open(), RUN);
    const store = under.open();
    const value = "x".repeat(INLINE_LIMIT);
    const output = { output: { value }, completionProof: "proof", iteration: 1, abandoned: [] };
    const draft: EventDraft = { type: "RUN_COMPLETED", timestamp: first.timestamp, payload: output };
    await store.append(RUN, sealBehind(first, [await spillValues(draft, (text) => store.putBlob(RUN, text))]));
    const [event] = (await under.open().read(RUN, first)) as [JournalEvent];
    const { blob, bytes } = (event.payload as { output: { blob: string; bytes: number } }).output;
    equal(bytes, INLINE_LIMIT + 2, "the size");
    check((await under.open().getBlob(RUN, blob)) === JSON.stringify(value), "the value comes back");
  },
};

/** Everything that a store must hold. */
export const storeContract: readonly StoreContractCase[] = Object.entries({
  ...CREATE,
  ...READ,
  ...APPEND,
  ...BLOBS,
}).map(([title, run]) => ({ title, run: async (make) => run(await make()) }));

async function* failingBlobs(): AsyncGenerator<string> {
  yield "one";
  throw new Error("The source of the blobs failed.");
}

async function afterReading(under: StoreUnderTest): Promise<EventStore> {
  const store = under.open();
  await store.read(RUN, undefined);
  return store;
}

/** Every lost race means that someone else made progress; more than this means that nobody does. */
const MAX_RACES = 1_000;

/** Appends notes behind whatever is there. */
async function appendAll(store: EventStore, first: JournalEvent, names: string[]): Promise<void> {
  let head = first;
  let left = names;
  for (let race = 0; left.length > 0; race += 1) {
    check(race < MAX_RACES, "a writer that loses a race succeeds in the end");
    head = (await store.read(RUN, head))?.at(-1) ?? head;
    const { appended, conflict } = await store.append(RUN, notesBehind(head, ...left));
    left = left.slice(appended);
    equal(conflict, left.length > 0, "whether there was a conflict");
  }
}
