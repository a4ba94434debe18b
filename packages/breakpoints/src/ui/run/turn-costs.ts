/** What each turn of a loop has cost, from the sums that were recorded at its end. */
import { type JournalEvent, totalTokens } from "@a5c-ai/babysitter-sdk/view";

export interface TurnCost {
  seq: number;
  at: string;
  iteration: number;
  /** Undefined: nobody knows. */
  usd: number | undefined;
  tokens: number | undefined;
  /** From the start of the loop to here; undefined once a part of it is unknown. */
  sumUsd: number | undefined;
  /** What is known of the sum. */
  knownUsd: number;
}

type Sum = { usd: number | undefined; knownUsd: number; tokens: number | undefined };

/** Waiting for a check is no turn of its own. */
const NO_TURN = "verifying";

export function turnCosts(events: readonly JournalEvent[]): TurnCost[] {
  const turns: TurnCost[] = [];
  let before: Sum = { usd: 0, knownUsd: 0, tokens: 0 };
  for (const event of events) {
    if (event.type === "LOOP_STARTED") {
      const spent = event.payload.contract.origin?.usd ?? 0;
      before = { usd: spent, knownUsd: spent, tokens: 0 };
    }
    if (event.type !== "STOP_HOOK_INVOKED" || event.payload.reason === NO_TURN) continue;
    const { spend, iteration } = event.payload;
    // Without a sum the next one says nothing about its own turn alone.
    const now: Sum =
      spend === undefined
        ? { ...before, usd: undefined, tokens: undefined }
        : { usd: spend.usd ?? undefined, knownUsd: spend.knownUsd, tokens: totalTokens(spend) };
    turns.push({
      seq: event.seq,
      at: event.timestamp,
      iteration,
      usd: difference(before.usd, now.usd),
      tokens: difference(before.tokens, now.tokens),
      sumUsd: now.usd,
      knownUsd: now.knownUsd,
    });
    before = now;
  }
  return turns;
}

/** A sum that got smaller was counted anew. */
function difference(before: number | undefined, now: number | undefined): number | undefined {
  if (before === undefined || now === undefined) return undefined;
  return now >= before ? now - before : now;
}

/** Neighbouring turns together, where there are more than can be drawn. */
export function groupTurns(turns: readonly TurnCost[], most: number): TurnCost[][] {
  const size = Math.max(1, Math.ceil(turns.length / most));
  return Array.from({ length: Math.ceil(turns.length / size) }, (_, n) => turns.slice(n * size, (n + 1) * size));
}

/** The sum of those that are known; undefined when none is. */
export function sumOf(turns: readonly TurnCost[], what: "usd" | "tokens"): number | undefined {
  const known = turns.flatMap((turn) => turn[what] ?? []);
  return known.length === 0 ? undefined : known.reduce((sum, value) => sum + value, 0);
}

/**
 * The sum before the first bar and after each one. So many of them from the beginning are `known`: in the others a part
 * is missing.
 */
export function sumLine(bars: readonly TurnCost[][]): { sums: number[]; known: number } {
  const first = bars[0]?.[0];
  const unknown = bars.findIndex((group) => group.some(({ sumUsd }) => sumUsd === undefined));
  return {
    sums: [
      first === undefined ? 0 : Math.max(0, sumAfter(first) - (first.usd ?? 0)),
      ...bars.map((group) => sumAfter(group.at(-1))),
    ],
    known: (unknown === -1 ? bars.length : unknown) + 1,
  };
}

function sumAfter(turn: TurnCost | undefined): number {
  return turn?.sumUsd ?? turn?.knownUsd ?? 0;
}
