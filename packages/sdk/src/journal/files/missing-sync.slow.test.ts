import { describe, expect, it } from "vitest";
import { overtakenScene, type SceneName, scene } from "../../../../../tests/fixtures/journal/durability-scenes.js";
import {
  type Scene,
  Stage,
  sweepPowerCuts,
  syncClass,
} from "../../../../../tests/fixtures/journal/durability-sweep.js";
import type { SyncCall } from "../../../../../tests/fixtures/journal/power-cut-disk.js";

describe("the sweep can fail", () => {
  /** Syncs without which nothing that was acknowledged can be lost: folders of things that can be made again. */
  const SPARE = new Set([
    "file .a5c/.gitignore",
    "dir .a5c/runs/<new run>/state/tmp",
    "dir .a5c/runs/<new run>/state",
    "dir .a5c/runs/<new run>/tasks",
    "dir .a5c/runs/<new run>/artifacts",
    "dir .a5c/runs/<new run>/blobs",
    "dir <run>/state",
  ]);
  const TELLING: SceneName[] = [
    "creating a run",
    "a batch of four",
    "a posted result above the inline limit",
    "a large result in a run without its derived folders",
  ];

  it("J2: every single sync is needed: without it the sweep finds a violation", async () => {
    const scenes = await Promise.all([...TELLING.map(scene), overtakenScene()]);
    const noticed = new Map<string, boolean>();
    for (const each of scenes) {
      for (const name of await syncsOf(each)) {
        if (SPARE.has(name) || noticed.get(name) === true) continue;
        const loses = (sync: SyncCall): boolean => syncClass(sync) === name;
        noticed.set(name, (await sweepPowerCuts(each, { first: true, seeds: 2, loses })).violations.length > 0);
      }
    }
    expect(noticed.size).toBeGreaterThan(12);
    expect([...noticed].filter(([, found]) => !found)).toEqual([]);
  });

  it.each([
    ["files", (kind: string, _file: string) => kind === "file"],
    ["directories", (kind: string, _file: string) => kind === "dir"],
    ["blobs", (_kind: string, file: string) => file.includes("blob")],
  ])("J2: a store that never syncs %s is found out", async (_what, matches) => {
    const found: string[] = [];
    for (const name of TELLING) {
      const report = await sweepPowerCuts(await scene(name), {
        first: true,
        loses: ({ kind, path }) => matches(kind, path),
      });
      found.push(...report.violations);
    }
    expect(found).not.toEqual([]);
  });
});

/** The kinds of syncs that a scene makes. */
async function syncsOf(played: Scene): Promise<Set<string>> {
  const syncs = new Set<string>();
  const loses = (sync: SyncCall): boolean => {
    syncs.add(syncClass(sync));
    return false;
  };
  await played.act(new Stage(played.start.disk.clone(), played.start.acknowledged, { hour: 1, loses }));
  return syncs;
}
