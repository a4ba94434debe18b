/** What the end of a turn has to wait for, it waits for at the same time. */
import { expect, it } from "vitest";
import { contractOf, SESSION, STARTED } from "../../../../tests/fixtures/loop/situations.js";
import { parseRunId } from "../model/ids.js";
import type { Ports } from "../model/ports.js";
import { MemoryEventStore, SettableClock } from "../testing/index.js";
import { memoryLeases } from "../testing/memory-leases.js";
import { MemoryWorkspace } from "../testing/memory-workspace.js";
import { endTurn } from "./end-turn.js";
import type { LoopPorts, TurnReading } from "./loop-ports.js";
import { startLoop } from "./start-loop.js";

const READING: TurnReading = {
  blocks: ["On it."],
  lastWords: ["On it."],
  tools: 1,
  denied: 0,
  key: "turn",
  missing: false,
};

async function end(world: Partial<LoopPorts>): Promise<Record<string, unknown>> {
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
    contract: contractOf(),
    goal: "Fix it",
    iteration: 1,
    projectRoot: () => ".",
    session: { harness: "claude-code", sessionId: SESSION, by: "start" },
  });
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
    { ports: loopPorts, host: {}, runName: "looped", projectRoot: "/project", patienceMs: 0 },
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
