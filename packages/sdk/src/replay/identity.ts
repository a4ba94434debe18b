/**
 * R1 A request is known by its place, not by its position in time: scope path, task id and ordinal,
 * given synchronously at the call. Its arguments are compared by hash.
 */
import crypto from "node:crypto";
import type { EffectId } from "../model/ids.js";
import { isJsonObject, type Json } from "../model/json.js";
import type { RecordedRequest } from "../model/replay-index.js";
import { isSamePlace, placeNames, placeReplacer, type RunPlace, runIdIn } from "../model/run-places.js";

/** The invocation key of the nth request for a task in a scope. */
function invocationKey(scope: string, taskId: string, ordinal: number): string {
  // A bracket belongs to branches; in a task's own name it is doubled, so that no name looks like a branch.
  return `${scope}${taskId.replaceAll("[", "[[")}:${ordinal}`;
}

/** Id of an effect: stable over replays, different in every run. */
export function effectIdOf(runId: string, key: string): EffectId {
  return `effect-${sha256(`${runId}\n${key}`).slice(0, 20)}` as EffectId;
}

/** What differs between machines, places and copies of a run although the process asks for the same. */
export interface Masks {
  runId: string;
  semantics: number;
  /** Where the run is now. */
  here: RunPlace;
  /** Where the journal says that it has been; grows while the process is alive. */
  places: () => readonly RunPlace[];
}

type Hasher = (canonical: string) => string;

/**
 * Hashes canonical arguments, with the run's id and places masked. The first hash is the one to record. A recorded
 * request may have any of them: it was made when fewer places were known.
 */
export function makeArgsHasher(masks: Masks): (canonical: string) => readonly string[] {
  let known = -1;
  let hashers: Hasher[] = [];
  return (canonical) => {
    const places = masks.places();
    if (places.length !== known) {
      known = places.length;
      hashers = maskSets(places, masks.here).map((set) => hasherOf(set, masks));
    }
    return [...new Set(hashers.map((hash) => hash(canonical)))];
  };
}

/** The places that may have been masked, the most likely first: all that were known then, and the own one. */
function maskSets(places: readonly RunPlace[], here: RunPlace): RunPlace[][] {
  const others = places.filter((place) => !isSamePlace(place, here));
  const counts = Array.from({ length: others.length + 1 }, (_, n) => others.length - n);
  return [
    ...counts.map((count) => [here, ...others.slice(0, count)]),
    ...counts.slice(0, -1).map((count) => others.slice(0, count)),
  ];
}

const MASKS = { runDir: "{runDir}", projectRoot: "{project}" } as const;
const ID_MASK = "{runId}";

function hasherOf(places: readonly RunPlace[], { runId, semantics }: Masks): Hasher {
  const names = places.flatMap(placeNames);
  const ids = new Set([runId, ...places.map(runIdIn)].filter((id) => id.length > 1));
  if (semantics < 2) return plainHasher([...names.map(([name, part]): Pair => [name, MASKS[part]]), [runId, ID_MASK]]);
  const texts = [...names.map(([name]) => name), ...ids].map(inJson);
  const mask = placeReplacer(
    new Map(names.toReversed().map(([name, part]) => [name, MASKS[part]])),
    new Map([...ids].map((id) => [id, ID_MASK])),
  );
  return (canonical) =>
    sha256(
      texts.some((text) => canonical.includes(text)) ? maskedJson(JSON.parse(canonical) as Json, mask) : canonical,
    );
}

type Pair = [text: string, mask: string];

/** The first rules of replay look for names anywhere in the text, one after the other. */
function plainHasher(pairs: readonly Pair[]): Hasher {
  const replacements = pairs.map(([text, mask]): Pair => [inJson(text), mask]).filter(([text]) => text.length > 1);
  return (canonical) => {
    let text = canonical;
    for (const [own, mask] of replacements) if (text.includes(own)) text = text.replaceAll(own, mask);
    return sha256(text);
  };
}

/** Canonical JSON with all texts masked, also those that are names of fields, which may be in another order then. */
function maskedJson(value: Json, mask: (text: string) => string): string {
  if (typeof value === "string") return JSON.stringify(mask(value));
  if (Array.isArray(value)) return `[${value.map((item) => maskedJson(item, mask)).join(",")}]`;
  if (!isJsonObject(value)) return JSON.stringify(value);
  const fields = Object.entries(value).map(([key, field]) => [mask(key), maskedJson(field, mask)] as const);
  const sorted = fields.toSorted(([a, x], [b, y]) => compare(a, b) || compare(x, y));
  return `{${sorted.map(([key, text]) => `${JSON.stringify(key)}:${text}`).join(",")}}`;
}

interface Group {
  open: RecordedRequest[];
  start: number;
  /** How often the process has asked, in this execution. */
  calls: number;
  taken: Set<string>;
}

/** Recorded requests waiting to be asked for again. */
export class RecordedRequests {
  readonly #groups = new Map<string, Group>();
  readonly #openByTurn = new Map<number, Set<RecordedRequest>>();
  readonly #sizes = new Map<number, number>();
  /** Turn and scope of requests that the process no longer makes. */
  readonly #vacated = new Set<string>();
  /** Highest `after` of any recorded request: up to here the process has been before. */
  readonly lastTurn: number;

  constructor(requests: Iterable<RecordedRequest>) {
    let lastTurn = -1;
    for (const request of requests) {
      if (request.dropped !== true) lastTurn = Math.max(lastTurn, request.after);
      const group = this.#group(request.scope, request.taskId);
      group.taken.add(request.invocationKey);
      if (request.dropped === true) continue;
      group.open.push(request);
      let turn = this.#openByTurn.get(request.after);
      if (turn === undefined) this.#openByTurn.set(request.after, (turn = new Set()));
      turn.add(request);
      this.#sizes.set(request.after, turn.size);
    }
    this.lastTurn = lastTurn;
  }

  /**
   * The recorded request that a call repeats: same scope, same task, same arguments, the earliest first.
   * Looking at arguments before order keeps calls apart whose order depends on files or timers. One that is to be made
   * anew may have any arguments, if it is made in its own turn.
   */
  claim(scope: string, taskId: string, hashes: readonly string[], turn: number): RecordedRequest | undefined {
    const group = this.#group(scope, taskId);
    group.calls += 1;
    return (
      this.#take(group, ({ argsHash }) => hashes.includes(argsHash)) ??
      this.#take(group, ({ retried, after }) => retried !== undefined && after === turn)
    );
  }

  #take(group: Group, isWanted: (request: RecordedRequest) => boolean): RecordedRequest | undefined {
    for (let index = group.start; index < group.open.length; index += 1) {
      const request = group.open[index];
      if (request === undefined || !isWanted(request)) continue;
      if (index === group.start) group.start += 1;
      else group.open.splice(index, 1);
      this.#openByTurn.get(request.after)?.delete(request);
      return request;
    }
    return undefined;
  }

  /** Gives up the requests of a turn, or of all, that were to be made anew and were not. */
  dropRetried(turn: number | "all"): RecordedRequest[] {
    const open = turn === "all" ? this.allOpen() : this.openOf(turn);
    const dropped = open.filter(({ retried }) => retried !== undefined);
    for (const request of dropped) {
      this.#take(this.#group(request.scope, request.taskId), (other) => other === request);
      this.#vacated.add(`${request.after}\n${request.scope}`);
    }
    return dropped;
  }

  /** Requests that the process should have made again by the end of a turn, or by its own. */
  missing(turn: number | "all"): RecordedRequest[] {
    if (turn !== "all" && this.openIn(turn) === 0) return [];
    return this.allOpen().filter(({ after, retried }) => (turn === "all" || after <= turn) && retried === undefined);
  }

  /** In a turn that has been before: true for what is made anew, and where a request was dropped in the same scope. */
  mayBeNew({ after, scope, attempt }: { after: number; scope: string; attempt?: number }): boolean {
    return attempt !== undefined || this.#vacated.has(`${after}\n${scope}`);
  }

  /** The key of a call that is not recorded: its number among the calls, or the next one that is free. */
  newKey(scope: string, taskId: string): string {
    const { calls, taken } = this.#group(scope, taskId);
    let ordinal = calls;
    while (taken.has(invocationKey(scope, taskId, ordinal))) ordinal += 1;
    const key = invocationKey(scope, taskId, ordinal);
    taken.add(key);
    return key;
  }

  /** Recorded requests of a turn that have not been asked for again. */
  openIn(turn: number): number {
    return this.#openByTurn.get(turn)?.size ?? 0;
  }

  /** The same, one by one. */
  openOf(turn: number): RecordedRequest[] {
    return [...(this.#openByTurn.get(turn) ?? [])];
  }

  /** How many recorded requests of a turn have been asked for again. */
  claimedIn(turn: number): number {
    return (this.#sizes.get(turn) ?? 0) - this.openIn(turn);
  }

  /** All that have not been asked for again, in journal order. */
  allOpen(): RecordedRequest[] {
    return [...this.#openByTurn.values()].flatMap((turn) => [...turn]).toSorted((a, b) => a.seq - b.seq);
  }

  #group(scope: string, taskId: string): Group {
    const key = `${scope}\n${taskId}`;
    let group = this.#groups.get(key);
    if (group === undefined) this.#groups.set(key, (group = { open: [], start: 0, calls: 0, taken: new Set() }));
    return group;
  }
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** A text as it looks inside JSON. */
function inJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

function sha256(text: string): string {
  return crypto.createHash("sha256").update(text).digest("hex");
}
