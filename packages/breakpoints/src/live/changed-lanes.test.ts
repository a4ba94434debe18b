import path from "node:path";
import { openDesk } from "@a5c-ai/babysitter-sdk/operate";
import { describe, expect, it } from "vitest";
import { writeRun } from "../../../../tests/fixtures/breakpoints/many-questions.js";
import { tempDir } from "../../../../tests/fixtures/temp-dir.js";
import { holdLease } from "../../../sdk/src/drive/lease.js";
import { parseRunId } from "../../../sdk/src/model/ids.js";
import { placeAt } from "../desk/places.js";
import type { KnownCard } from "../index/run-cards.js";
import type { Lane } from "../wire/run-wire.js";
import { changedLanes } from "./changed-lanes.js";

const QUIET = { state: "running", asks: false, paused: false, until: null, writtenAt: 0, agent: false };
const card = (lane: Lane, changes: Partial<KnownCard["facts"]>): KnownCard => ({
  lane,
  facts: { ...QUIET, driven: false, ...changes },
});

describe("runs that nobody writes to", () => {
  it("change their lane when a driver has come or died, and when a time has come", async () => {
    const root = tempDir();
    const runsDir = path.join(root, ".a5c", "runs");
    const env = { HOME: root };
    const place = placeAt({ env }, { projectRoot: root, runsDir });
    for (const runId of ["driven", "left"]) await writeRun(runsDir, { runId, questions: [] });
    const looked = (cards: Record<string, KnownCard>): Promise<string[]> =>
      changedLanes(openDesk({ env }), place, Object.entries(cards));
    const driven = parseRunId("driven");
    const own = { session: "", runDir: path.join(runsDir, driven), onLost: () => undefined };
    const lease = await holdLease(place.ports.leases.driver, driven, own);
    const working = card("working", { driven: true });
    expect(await looked({ driven: working, left: working })).toEqual(["left"]);
    expect(await looked({ driven: card("stalled", {}), left: card("stalled", {}) })).toEqual(["driven"]);
    await lease.release();
    expect(await looked({ driven: working })).toEqual(["driven"]);
    expect(await looked({ left: card("waiting", { until: Date.now() + 60_000 }) })).toEqual([]);
    expect(await looked({ left: card("waiting", { until: Date.now() - 1 }) })).toEqual(["left"]);
    expect(await looked({ left: card("you", { asks: true }) })).toEqual([]);
  });
});
