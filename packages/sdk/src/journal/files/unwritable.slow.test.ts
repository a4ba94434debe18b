import { describe, expect, it } from "vitest";
import { RUN_DIR, RUNS_DIR, Stage } from "../../../../../tests/fixtures/journal/durability-sweep.js";
import { type DiskCall, errno, PowerCutDisk } from "../../../../../tests/fixtures/journal/power-cut-disk.js";
import { errorOf } from "../../../../../tests/fixtures/journal/run-on-disk.js";
import {
  createSmallRun,
  expectedOutput,
  finish,
  iterateOnce,
  LARGE_ANSWERS,
  postFor,
  RUN_ID,
  SMALL_ANSWERS,
} from "../../../../../tests/fixtures/journal/small-run.js";
import { describeRun } from "../../runs/describe-run.js";
import { listEvents } from "../../runs/list-events.js";
import { LiveRun } from "../../runs/live-run.js";
import { postResult } from "../../runs/post-result.js";
import { RunJournal } from "../../runs/run-journal.js";

const SYSCALLS: Record<string, string> = {
  openSync: "open",
  writeSync: "write",
  fsyncSync: "fsync",
  linkSync: "link",
  unlinkSync: "unlink",
  renameSync: "rename",
  mkdirSync: "mkdir",
};

/** A disk with a run of two parts, either just made or waiting for its parts. */
async function diskWith(state: "nothing" | "a new run" | "a waiting run"): Promise<Stage> {
  const stage = new Stage(new PowerCutDisk(), { created: false, events: [] }, { hour: 0 });
  if (state !== "nothing") await createSmallRun(stage.actor().ports, 2);
  if (state === "a waiting run") await iterateOnce(stage.actor().ports);
  return stage;
}

/** Fails the calls that match, the way the operating system does. */
const failing =
  (code: string, matches: (call: DiskCall) => boolean) =>
  (call: DiskCall): void => {
    if (matches(call)) throw errno(code, SYSCALLS[call.name] ?? call.name, call.path);
  };

const WORK: Record<
  string,
  { on: Parameters<typeof diskWith>[0]; do: (stage: Stage, before?: Before) => Promise<unknown> }
> = {
  "creating a run": { on: "nothing", do: (stage, before) => createSmallRun(stage.actor(before).ports, 2) },
  "an iteration": { on: "a new run", do: (stage, before) => iterateOnce(stage.actor(before).ports) },
  "a post": { on: "a waiting run", do: (stage, before) => postFor(stage.actor(before).ports, "part-1:1") },
  "a large post": {
    on: "a waiting run",
    do: (stage, before) => postFor(stage.actor(before).ports, "part-1:1", LARGE_ANSWERS),
  },
};

type Before = (call: DiskCall) => void;

const CODES = ["ENOSPC", "EROFS", "EACCES", "EIO"];

describe("a disk that refuses a single call", () => {
  for (const [name, work] of Object.entries(WORK)) {
    it.each(CODES)(`J4: ${name}, %s at any call: one coded error, and the next command goes on`, async (code) => {
      const refused: unknown[] = [];
      for (let index = 0, reached = true; reached; index += 1) {
        const stage = await diskWith(work.on);
        let calls = 0;
        reached = false;
        const before = failing(code, () => {
          const now = calls === index;
          calls += 1;
          reached ||= now;
          return now;
        });
        const error = await failureOf(() => work.do(stage, before));
        if (error !== undefined) refused.push(error);
        const { ports } = stage.actor();
        if (!(await ports.store.exists(RUN_ID))) await createSmallRun(ports, 2);
        expect((await finish(ports, answersOf(name))).status).toBe("completed");
        expect((await ports.upkeep.check(RUN_ID)).findings).toEqual([]);
      }
      expect(refused.length).toBeGreaterThan(2);
      const hint = expect.stringMatching(/run the command again/) as string;
      for (const error of refused) expect(error).toMatchObject({ code: "JOURNAL_UNWRITABLE", details: { code }, hint });
    });
  }
});

function answersOf(name: string): typeof SMALL_ANSWERS {
  return name === "a large post" ? LARGE_ANSWERS : SMALL_ANSWERS;
}

async function failureOf(work: () => Promise<unknown>): Promise<unknown> {
  try {
    await work();
    return undefined;
  } catch (error) {
    return error;
  }
}

describe("a disk that refuses everything", () => {
  for (const [name, work] of Object.entries(WORK)) {
    it.each(CODES)(`J4: ${name}, %s at every call: nothing is changed`, async (code) => {
      const stage = await diskWith(work.on);
      const before = stage.disk.describe();
      const error = await errorOf(() =>
        work.do(
          stage,
          failing(code, () => true),
        ),
      );
      expect(error.code).toBe("JOURNAL_UNWRITABLE");
      expect(error.message).toContain(code);
      expect(stage.disk.describe()).toBe(before);
    });
  }

  it("C4: reads work without being able to write a cache", async () => {
    const stage = await diskWith("a waiting run");
    stage.actor().view.rmSync(`${RUN_DIR}/state`, { recursive: true, force: true });
    const { ports } = stage.actor(failing("EROFS", () => true));
    const journal = await RunJournal.open(ports, RUN_ID);
    expect((await describeRun(journal)).state).toBe("waiting");
    expect(await listEvents(journal, { reverse: false })).toHaveLength(4);
    expect((await ports.upkeep.check(RUN_ID)).findings).toEqual([]);
  });
});

describe("a full disk", () => {
  const isFull = failing("ENOSPC", ({ name }) => name === "writeSync");

  it("J4: leaves no temporary file of a post behind", async () => {
    for (const answers of [SMALL_ANSWERS, LARGE_ANSWERS]) {
      const stage = await diskWith("a waiting run");
      await errorOf(() => postFor(stage.actor(isFull).ports, "part-1:1", answers));
      expect(stage.actor().view.readdirSync(`${RUN_DIR}/state/tmp`)).toEqual([]);
    }
  });

  it("J4: leaves no half-created run behind", async () => {
    const stage = await diskWith("nothing");
    const fullInTheMiddle = failing(
      "ENOSPC",
      ({ name, path }) => name === "writeSync" && path.endsWith("/inputs.json"),
    );
    await errorOf(() => createSmallRun(stage.actor(fullInTheMiddle).ports, 2));
    expect(stage.actor().view.readdirSync(RUNS_DIR)).toEqual([]);
  });

  it("J4 R8: a run that is kept open continues when there is space again, and asks for everything", async () => {
    const stage = await diskWith("a new run");
    let full = true;
    const { ports } = stage.actor((call) => {
      if (full) isFull(call);
    });
    const live = await LiveRun.open(ports, RUN_ID, { quietLimitMs: 5_000 });
    expect((await errorOf(() => live.iterate())).code).toBe("JOURNAL_UNWRITABLE");
    full = false;
    const iteration = await live.iterate();
    expect(iteration.nextActions.map(({ invocationKey }) => invocationKey)).toEqual(["part-1:1", "part-2:1"]);
    await live.close();
    expect((await finish(stage.actor().ports)).output).toEqual(expectedOutput(2));
  });
});

describe("a file system without hard links", () => {
  it("J1: is noticed when a run is created, not by its first event", async () => {
    for (const code of ["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"]) {
      const stage = await diskWith("nothing");
      const { ports } = stage.actor(failing(code, ({ name }) => name === "linkSync"));
      const error = await errorOf(() => createSmallRun(ports, 2));
      expect(error.code).toBe("HARD_LINKS_UNSUPPORTED");
      expect(await stage.actor().ports.store.exists(RUN_ID)).toBe(false);
    }
  });

  it.each([
    ["a post", SMALL_ANSWERS],
    ["a large post", LARGE_ANSWERS],
  ])("J1: %s says so and changes nothing", async (_what, answers) => {
    for (const code of ["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"]) {
      const stage = await diskWith("a waiting run");
      const before = stage.disk.describe();
      const { ports } = stage.actor(failing(code, ({ name }) => name === "linkSync"));
      const error = await errorOf(() => postFor(ports, "part-1:1", answers));
      expect(error.code).toBe("HARD_LINKS_UNSUPPORTED");
      expect(error.hint).toMatch(/--runs-dir/);
      expect(stage.disk.describe()).toBe(before);
    }
  });
});

describe("a temporary file that cannot be removed", () => {
  it.each(["ENOENT", "EIO", "EACCES"])(
    "J2: %s after the event has its name: it is recorded, and said so",
    async (code) => {
      const stage = await diskWith("a waiting run");
      const { ports } = stage.actor(
        failing(code, ({ name, path }) => name === "unlinkSync" && path.includes("/state/tmp/")),
      );
      expect((await postFor(ports, "part-1:1")).outcome).toBe("committed");
      expect((await finish(stage.actor().ports)).output).toEqual(expectedOutput(2));
    },
  );
});

describe("a result that someone else has recorded", () => {
  it("J2: is not vouched for when it cannot be synced", async () => {
    const stage = await diskWith("a waiting run");
    await postFor(stage.actor().ports, "part-1:1");
    const { ports } = stage.actor(failing("EIO", ({ name }) => name === "fsyncSync"));
    const journal = await RunJournal.open(ports, RUN_ID);
    const { effectId } = stage.acknowledged.events.at(-1) as { effectId: string };
    const result = { status: "ok" as const, value: SMALL_ANSWERS("part-1:1") };
    const error = await errorOf(() => postResult(journal, { effectId, result }));
    expect(error.code).toBe("JOURNAL_UNWRITABLE");
  });
});

describe("a lost race", () => {
  it("J1: does not write a large value a second time", async () => {
    const stage = await diskWith("a waiting run");
    const other = await RunJournal.open(stage.actor().ports, RUN_ID);
    const second = Object.values(other.summary.pending).find(({ invocationKey }) => invocationKey === "part-2:1");
    let blobs = 0;
    let raced: Promise<unknown> | undefined;
    const { ports } = stage.actor(({ name, path }) => {
      if (name === "openSync" && path.includes("/state/tmp/blob-")) blobs += 1;
      // The other process takes the place just before this one would.
      if (name === "linkSync" && path.includes("/journal/") && raced === undefined)
        raced = postResult(other, { effectId: second?.effectId as string, result: { status: "ok", value: "first" } });
    });
    expect((await postFor(ports, "part-1:1", LARGE_ANSWERS)).outcome).toBe("committed");
    expect(await raced).toMatchObject({ outcome: "committed" });
    expect(blobs).toBe(1);
  });
});
