/** What the end of a turn has to wait for, it waits for at the same time. */
import { describe, expect, it } from "vitest";
import {
  checked,
  command,
  contractOf,
  PROMISE,
  SESSION,
  STARTED,
  said,
} from "../../../../tests/fixtures/loop/situations.js";
import { parseRunId } from "../model/ids.js";
import type { Ports } from "../model/ports.js";
import type { RunJournal } from "../runs/run-journal.js";
import { MemoryEventStore, SettableClock } from "../testing/index.js";
import { memoryLeases } from "../testing/memory-leases.js";
import { MemoryWorkspace } from "../testing/memory-workspace.js";
import { endTurn } from "./end-turn.js";
import type { LoopPorts, TurnReading } from "./loop-ports.js";
import { startLoop } from "./start-loop.js";
import { VerificationRecord } from "./verification-record.js";

const READING: TurnReading = {
  blocks: ["On it."],
  lastWords: ["On it."],
  tools: 1,
  denied: [],
  key: "turn",
  missing: false,
};

interface World extends Partial<LoopPorts> {
  /** What has happened in the loop before. */
  before?: (journal: RunJournal) => Promise<void>;
  patienceMs?: number;
}

async function end({ before, patienceMs = 0, ...world }: World): Promise<Record<string, unknown>> {
  const unused = (): never => {
    throw new Error("not needed by loops");
  };
  const ports: Ports = {
    store: new MemoryEventStore(),
    workspace: new MemoryWorkspace(),
    clock: new SettableClock(STARTED),
    loader: { inspect: unused },
    hooks: { run: unused },
    leases: memoryLeases(),
    randomHex: (bytes) => "0".repeat(bytes * 2),
    locate: () => ({ file: "", projectRoot: "/project", cacheDir: "/cache" }),
  };
  const journal = await startLoop(ports, {
    runId: parseRunId("looped"),
    contract: contractOf({ mode: "criteria", criteria: [command("tests")] }),
    goal: "Fix it",
    iteration: 1,
    projectRoot: () => ".",
    session: { harness: "claude-code", sessionId: SESSION, by: "start" },
  });
  await before?.(journal);
  const loopPorts: LoopPorts = {
    tree: async () => "tree",
    changed: async () => [],
    turn: async () => READING,
    spend: async () => undefined,
    startVerification: unused,
    isAlive: () => false,
    discovered: () => [],
    ...world,
  };
  await endTurn(
    journal,
    { valid: true, sessionId: SESSION, subagent: false, background: 0 },
    { ports: loopPorts, host: {}, runName: "looped", projectRoot: "/project", patienceMs },
  );
  const events = (await ports.store.read(journal.runId, undefined)) ?? [];
  return events.at(-1)?.payload as unknown as Record<string, unknown>;
}

it("hashes the tree while the host has not written its transcript yet", async () => {
  let hashed = (): void => undefined;
  const untilHashed = new Promise<void>((resolve) => {
    hashed = resolve;
  });
  const payload = await end({
    tree: async () => {
      hashed();
      return "tree";
    },
    // Never comes if the tree is waited for behind it.
    turn: async () => untilHashed.then(() => READING),
  });
  expect(payload["sample"]).toMatchObject({ tree: "tree", tools: 1 });
});

it("tells whoever asked when the tree cannot be looked at, and nobody before", async () => {
  const broken = end({
    changed: async () => {
      throw new Error("the disk is gone");
    },
    turn: async () => new Promise((resolve) => setImmediate(() => setImmediate(() => resolve(READING)))),
  });
  await expect(broken).rejects.toThrow("the disk is gone");
});

/** Checks take their time. */
const CHECK_MS = 20;

describe("a claim", () => {
  const CLAIM: TurnReading = { ...READING, blocks: [said(PROMISE)], lastWords: [said(PROMISE)] };
  let journal: RunJournal;

  async function begin(verification: string, isAlive = false): Promise<VerificationRecord> {
    const group = { pid: 1, startedAt: "", session: "" } as never;
    const begun = { verification, criteria: ["tests"], tree: "", host: "h", group };
    const record = await VerificationRecord.begin(journal, begun, () => isAlive);
    if (record === undefined) throw new Error("another one is running");
    return record;
  }

  async function finish(record: VerificationRecord, tree: string): Promise<void> {
    const { verification: _, alone: __, ...result } = checked("tests", true, { before: tree, after: tree });
    await record.checked(result);
    await record.end("done");
  }

  const world: World = {
    patienceMs: 60_000,
    turn: async () => CLAIM,
    startVerification: () =>
      void begin("own").then((record) => setTimeout(() => void finish(record, "tree"), CHECK_MS)),
  };

  it("L10: that comes while older files are being checked is judged by a check of these", async () => {
    let older: VerificationRecord;
    const payload = await end({
      ...world,
      before: async (loop) => {
        journal = loop;
        older = await begin("older");
      },
      isAlive: ({ verification }) => {
        setImmediate(() => void finish(older, "an older tree"));
        return verification === "older";
      },
    });
    expect(payload).toMatchObject({ reason: "completed_verified" });
  });

  it("L10: is not judged by a check whose program is gone", async () => {
    const payload = await end({
      ...world,
      before: async (loop) => {
        journal = loop;
        await begin("lost");
      },
    });
    expect(payload).toMatchObject({ reason: "completed_verified" });
  });
});
