/** Finds runs that stand in another lane although nobody has written to them: a driver has died, or a time has come. */
import { setImmediate as nextTurn } from "node:timers/promises";
import { type InboxDesk, parseRunId } from "@a5c-ai/babysitter-sdk/operate";
import type { Place } from "../desk/places.js";
import type { KnownCard } from "../index/run-cards.js";
import { dependsOnDriver, laneOf } from "../rules/run-lanes.js";

/** Looking for so many drivers takes some milliseconds. */
const AT_ONCE = 100;

export async function changedLanes(
  { driving }: Pick<InboxDesk, "driving">,
  { ports }: Pick<Place, "ports">,
  cards: Iterable<readonly [string, KnownCard]>,
): Promise<string[]> {
  const changed: string[] = [];
  let looks = 0;
  for (const [run, { lane, facts }] of cards) {
    const now = Date.now();
    const isAsked = dependsOnDriver(facts, now);
    const driven = isAsked ? (await driving(ports, parseRunId(run))).by !== "nobody" : facts.driven;
    if (laneOf({ ...facts, driven }, now) !== lane) changed.push(run);
    looks += isAsked ? 1 : 0;
    if (isAsked && looks % AT_ONCE === 0) await nextTurn();
  }
  return changed;
}
