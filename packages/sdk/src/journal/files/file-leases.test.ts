import fs from "node:fs";
import path from "node:path";
import { beforeEach, expect, test } from "vitest";
import { tempDir } from "../../../../../tests/fixtures/temp-dir.js";
import { parseRunId } from "../../model/ids.js";
import type { LeaseHolder } from "../../model/ports.js";
import { FileLeases } from "./file-leases.js";

const RUN = parseRunId("run-1");
let dir: string;
beforeEach(() => void (dir = tempDir()));

const leases = (): FileLeases => new FileLeases({ runDir: () => dir, now: () => new Date() });
const holder = (nonce: string): LeaseHolder => ({ pid: 7, startTime: "now", host: "here", nonce });
const nobodyIsGone = (): boolean => false;

test("of many who want the lease at the same time exactly one gets it", async () => {
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, n) => leases().take(RUN, holder(`n${n}`), nobodyIsGone)),
  );
  const [winner] = answers.flatMap((answer, n) => (answer.taken ? [n] : []));
  expect(answers.filter(({ taken }) => taken)).toHaveLength(1);
  const told = answers.flatMap((answer) => (answer.taken ? [] : [answer.by.nonce]));
  expect(new Set(told)).toEqual(new Set([`n${winner}`]));
});

test.each([0, 1])(
  "whoever looked when %i had come, and then others came and went, does not get the lease beside the one who has it",
  async (earlier) => {
    /** Takes effect before it returns. */
    const take = (nonce: string): void => void leases().take(RUN, holder(nonce), nobodyIsGone);
    const comeAndGo = (nonce: string, epoch: number): void => {
      take(nonce);
      void leases().release(RUN, epoch);
    };
    if (earlier === 1) comeAndGo("early", 1);
    let looks = 0;
    const slow = new FileLeases({
      runDir: () => dir,
      // Asked for between the look and the attempt.
      now: () => {
        looks += 1;
        if (looks === 1) {
          comeAndGo("fast", earlier + 1);
          take("second");
        }
        return new Date();
      },
    });
    const answer = await slow.take(RUN, holder("slow"), nobodyIsGone);
    expect(answer).toMatchObject({ taken: false, by: { nonce: "second", epoch: earlier + 2 } });
    expect(fs.readdirSync(path.join(dir, "state")).filter((name) => name.startsWith("driver-"))).toEqual([
      `driver-${earlier + 2}.json`,
    ]);
  },
);

test("a released lease is free, and the next holder hears of the last one", async () => {
  const first = await leases().take(RUN, holder("a"), nobodyIsGone);
  expect(first).toMatchObject({ taken: true, epoch: 1, previous: undefined });
  await leases().release(RUN, 1);
  const second = await leases().take(RUN, holder("b"), nobodyIsGone);
  expect(second).toMatchObject({ taken: true, epoch: 2, previous: { nonce: "a", released: true } });
});

test("the lease of a holder that is gone is taken over; the old holder notices", async () => {
  await leases().take(RUN, holder("a"), nobodyIsGone);
  const second = await leases().take(RUN, holder("b"), ({ nonce }) => nonce === "a");
  expect(second).toMatchObject({ taken: true, epoch: 2, previous: { nonce: "a", released: false } });
  expect(await leases().renew(RUN, 1)).toBe(false);
  expect(await leases().renew(RUN, 2)).toBe(true);
  await leases().release(RUN, 1);
  expect(await leases().holder(RUN)).toMatchObject({ nonce: "b", released: false });
});

test("a lease file that holds nonsense stops nobody", async () => {
  fs.mkdirSync(path.join(dir, "state"), { recursive: true });
  fs.writeFileSync(path.join(dir, "state", "driver-4.json"), '{"pid": ');
  expect(await leases().take(RUN, holder("a"), nobodyIsGone)).toMatchObject({ taken: true, epoch: 5 });
});

test("a lease that was deleted with its folder is published again; of two holders of one epoch one notices", async () => {
  const mine = leases();
  await mine.take(RUN, holder("a"), nobodyIsGone);
  fs.mkdirSync(path.join(dir, "journal"));
  fs.rmSync(path.join(dir, "state"), { recursive: true });
  expect(await mine.renew(RUN, 1)).toBe(true);
  expect(await mine.holder(RUN)).toMatchObject({ nonce: "a", released: false });
  fs.rmSync(path.join(dir, "state"), { recursive: true });
  const other = leases();
  expect(await other.take(RUN, holder("b"), nobodyIsGone)).toMatchObject({ taken: true, epoch: 1 });
  expect(await mine.renew(RUN, 1)).toBe(false);
  expect(await other.renew(RUN, 1)).toBe(true);
});

test("holders that were cut off are remembered until one has ended in good order", async () => {
  const everybodyIsGone = (): boolean => true;
  for (const nonce of ["a", "b", "c"]) await leases().take(RUN, holder(nonce), everybodyIsGone);
  const { unsettled = [] } = (await leases().holder(RUN)) ?? {};
  expect(unsettled.map(({ nonce }) => nonce)).toEqual(["a", "b"]);
  await leases().release(RUN, 3);
  await leases().take(RUN, holder("d"), nobodyIsGone);
  expect((await leases().holder(RUN))?.unsettled).toEqual([]);
});
