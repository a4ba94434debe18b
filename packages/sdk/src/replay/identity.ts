/**
 * R1 A request is known by its place, not by its position in time: scope path, task id and ordinal,
 * given synchronously at the call. Its arguments are compared by hash.
 */
import crypto from "node:crypto";
import type { EffectId } from "../model/ids.js";
import type { RecordedRequest } from "../model/run-state.js";

/** The invocation key of the nth request for a task in a scope. */
function invocationKey(scope: string, taskId: string, ordinal: number): string {
  // A bracket belongs to branches; in a task's own name it is doubled, so that no name looks like a branch.
  return `${scope}${taskId.replaceAll("[", "[[")}:${ordinal}`;
}

/** Id of an effect: stable over replays, different in every run. */
export function effectIdOf(runId: string, key: string): EffectId {
  return `effect-${sha256(`${runId}\n${key}`).slice(0, 20)}` as EffectId;
}

/** Texts that differ between machines and runs although the process asks for the same. */
export interface Masks {
  runId: string;
  runDir: string;
  projectRoot: string;
  /** The same two folders under their real names, where symbolic links lead to them. */
  realRunDir?: string | undefined;
  realProjectRoot?: string | undefined;
}

/** Hash of canonical arguments, with this run's id and paths masked. */
export function makeArgsHasher(masks: Masks): (canonical: string) => string {
  const replacements = [
    [inJson(masks.runDir), "{runDir}"],
    [inJson(masks.realRunDir ?? ""), "{runDir}"],
    [inJson(masks.projectRoot), "{project}"],
    [inJson(masks.realProjectRoot ?? ""), "{project}"],
    [inJson(masks.runId), "{runId}"],
  ].filter(([text]) => (text as string).length > 1) as [string, string][];
  return (canonical) => {
    let text = canonical;
    for (const [own, mask] of replacements) if (text.includes(own)) text = text.replaceAll(own, mask);
    return sha256(text);
  };
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
  /** Highest `after` of any recorded request: up to here the process has been before. */
  readonly lastTurn: number;

  constructor(requests: Iterable<RecordedRequest>) {
    let lastTurn = -1;
    for (const request of requests) {
      lastTurn = Math.max(lastTurn, request.after);
      const group = this.#group(request.scope, request.taskId);
      group.open.push(request);
      group.taken.add(request.invocationKey);
      let turn = this.#openByTurn.get(request.after);
      if (turn === undefined) this.#openByTurn.set(request.after, (turn = new Set()));
      turn.add(request);
    }
    this.lastTurn = lastTurn;
  }

  /**
   * The recorded request that a call repeats: same scope, same task, same arguments, the earliest first.
   * Looking at arguments before order keeps calls apart whose order depends on files or timers.
   */
  claim(scope: string, taskId: string, argsHash: string): RecordedRequest | undefined {
    const group = this.#group(scope, taskId);
    group.calls += 1;
    for (let index = group.start; index < group.open.length; index += 1) {
      const request = group.open[index];
      if (request?.argsHash !== argsHash) continue;
      if (index === group.start) group.start += 1;
      else group.open.splice(index, 1);
      this.#openByTurn.get(request.after)?.delete(request);
      return request;
    }
    return undefined;
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

/** A text as it looks inside JSON. */
function inJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

function sha256(text: string): string {
  return crypto.createHash("sha256").update(text).digest("hex");
}
