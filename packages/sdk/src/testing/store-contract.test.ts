import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { FAULTS, type Fault, FaultyStore } from "../../../../tests/fixtures/testing/faulty-store.js";
import { FileLeases } from "../journal/files/file-leases.js";
import { fileStorage } from "../journal/files/file-storage.js";
import { MemoryEventStore } from "./memory-event-store.js";
import { type StoreUnderTest, storeContract } from "./store-contract.js";

function onFiles(): StoreUnderTest {
  const runsDir = fs.mkdtempSync(path.join(os.tmpdir(), "store-contract-"));
  onTestFinished(() => fs.rmSync(runsDir, { recursive: true, force: true }));
  const leases = new FileLeases({ runDir: (runId) => path.join(runsDir, runId), now: () => new Date(0) });
  return {
    open: () => fileStorage({ runsDir, durability: "relaxed" }).store,
    issueFence: async (runId, fence) => {
      const holder = { pid: 1, startTime: "", host: "", nonce: `holder-${fence}` };
      expect(await leases.take(runId, holder, () => true)).toMatchObject({ taken: true, epoch: fence });
    },
    damageBlob: async (runId, blob) => {
      const file = path.join(runsDir, runId, "blobs", `${blob}.json`);
      fs.writeFileSync(file, fs.readFileSync(file, "utf8").toUpperCase());
    },
  };
}

function inMemory(): StoreUnderTest {
  const store = new MemoryEventStore();
  return { open: () => store };
}

describe.each([
  ["in files", onFiles],
  ["in memory", inMemory],
])("a store %s", (_, make) => {
  it.each(storeContract.map(({ title, run }) => [title, run] as const))("%s", async (__, run) => {
    await expect(run(make)).resolves.toBeUndefined();
  });
});

describe("the contract", () => {
  const underTest = (fault?: Fault): StoreUnderTest => {
    const store = new FaultyStore(fault);
    return { open: () => store, damageBlob: async (runId, blob) => store.damageBlob(runId, blob) };
  };
  const failuresOf = async (fault?: Fault): Promise<string[]> => {
    const failures: string[] = [];
    for (const { title, run } of storeContract) await run(() => underTest(fault)).catch(() => failures.push(title));
    return failures;
  };

  it("asks nothing that a plain store cannot hold", async () => {
    expect(await failuresOf()).toEqual([]);
  });

  it.each(Object.entries(FAULTS) as [Fault, string][])("is not kept by a store that %s", async (fault, title) => {
    expect(await failuresOf(fault)).toContain(title);
  });

  it("has no case that no fault has been seen to break", () => {
    expect(storeContract.map(({ title }) => title).toSorted()).toEqual([...new Set(Object.values(FAULTS))].toSorted());
  });
});
