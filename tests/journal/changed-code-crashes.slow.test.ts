/** The world ends between any two calls to the file system while changed code is recorded, blocked or accepted. */
import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { type JournalFs, nodeFs } from "../../packages/sdk/src/journal/files/journal-fs.js";
import type { Gate } from "../../packages/sdk/src/model/code-versions.js";
import { acceptCode } from "../../packages/sdk/src/runs/accept-code.js";
import { RunJournal } from "../../packages/sdk/src/runs/run-journal.js";
import {
  createSmallRun,
  iterateOnce,
  postFor,
  RUN_ID,
  type SmallPorts,
  smallPorts,
} from "../fixtures/journal/small-run.js";
import { tempDir } from "../fixtures/temp-dir.js";

class WorldEnded extends Error {}

/** Nothing happens any more after this many calls. */
function mortalFs(calls: number): { fs: JournalFs; ended: () => boolean } {
  let left = calls;
  const fs = Object.fromEntries(
    Object.entries(nodeFs).map(([name, call]) => [
      name,
      (...args: unknown[]): unknown => {
        left -= 1;
        if (left < 0) throw new WorldEnded();
        return (call as (...given: unknown[]) => unknown)(...args);
      },
    ]),
  );
  return { fs: fs as unknown as JournalFs, ended: () => left < 0 };
}

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");
const GATE: Gate = { file: "lib/process.js", hash: "gate", text: '"Go?"' };

/** The ports of a project whose code has this text. */
function portsFor(runsDir: string, text: string, fs: JournalFs = nodeFs): SmallPorts {
  const ports = smallPorts(runsDir, { fs });
  const hash = sha256(text);
  return {
    ...ports,
    gatesPolicy: () => "pinned",
    loader: {
      inspect: (...args) => ({
        hash,
        snapshot: () => ({
          hash,
          files: [{ path: "lib/process.js", text, sha256: hash }],
          gates: text.includes("gate") ? [GATE] : [],
        }),
        load: async () => ({ ...(await ports.loader.inspect(...args).load()), hash }),
      }),
    },
  };
}

const SCENES: Record<string, { after: string; act: (ports: SmallPorts) => Promise<unknown>; expected: string[] }> = {
  "changed code runs": { after: "gate 2", act: iterateOnce, expected: ["CODE_CHANGED"] },
  "lost gates block": {
    after: "none",
    act: (ports) => iterateOnce(ports).catch(unlessEnded),
    expected: ["RUN_BLOCKED"],
  },
  "a person accepts": {
    after: "none",
    act: async (ports) => {
      await acceptCode(await RunJournal.open(ports, RUN_ID), { by: "me", via: "cli" });
      return iterateOnce(ports);
    },
    expected: ["CODE_ACCEPTED", "CODE_CHANGED"],
  },
};

function unlessEnded(error: unknown): void {
  if (error instanceof WorldEnded) throw error;
}

test.each(Object.entries(SCENES))("L14 J4: %s: a crash neither loses nor repeats the event", async (_, scene) => {
  const { after, act, expected } = scene;
  const root = tempDir();
  let isWhole = false;
  for (let calls = 0; !isWhole; calls += 1) {
    const runsDir = `${root}/${calls}`;
    const before = portsFor(runsDir, "gate 1");
    await createSmallRun(before, 1);
    await iterateOnce(before);
    await postFor(before, "part-1:1");
    const { fs, ended } = mortalFs(calls);
    await act(portsFor(runsDir, after, fs)).catch((error: unknown) => {
      if (!ended()) throw error;
    });
    isWhole = !ended();
    const again = portsFor(runsDir, after);
    await act(again);
    const events = (await again.store.read(RUN_ID, undefined)) ?? [];
    const types = events.map(({ type }) => type);
    expect(types.filter((type) => type.startsWith("CODE_") || type === "RUN_BLOCKED")).toEqual(expected);
    // What runs is in the journal before anything that it asks for; what is blocked asks for nothing.
    const asked = types.slice(Math.max(0, types.indexOf("CODE_CHANGED"))).filter((type) => type === "EFFECT_REQUESTED");
    expect(asked).toHaveLength(1);
  }
});
