/** Makes one result of what all hooks of a call have answered. Answers may hold anything. */
import type { HookOutcome, MergedHookResult } from "../model/hook-types.js";
import { defined } from "../model/json.js";

/** One hook, as far as it matters here. */
export interface HookVote {
  name: string;
  status: HookOutcome["status"];
  problem?: string | undefined;
  answer?: unknown;
}

/** The stronger come first. */
const ACTIONS = ["executed-tasks", "waiting", "none"] as const;
const MAX_TEXT = 200;
const MAX_ERRORS = 5;

export function mergeResults(votes: readonly HookVote[]): MergedHookResult {
  const claims = votes.map(({ answer }) => claimOf(answer));
  const action = ACTIONS.find((candidate) => claims.some((claim) => claim.action === candidate)) ?? "none";
  const reason = claims.find((claim) => claim.action === action && claim.reason !== undefined)?.reason;
  const failed = votes.filter(({ status }) => status !== "ok");
  return {
    ok: failed.length === 0,
    action,
    count: Math.min(
      claims.reduce((sum, { count }) => sum + count, 0),
      Number.MAX_SAFE_INTEGER,
    ),
    ...defined({ reason, error: failed.length === 0 ? undefined : errorsOf(failed) }),
  };
}

interface Claim {
  action: MergedHookResult["action"] | undefined;
  count: number;
  reason: string | undefined;
}

function claimOf(answer: unknown): Claim {
  const { action, count, reason } = (typeof answer === "object" && answer !== null ? answer : {}) as Record<
    string,
    unknown
  >;
  return {
    action: ACTIONS.find((known) => known === action),
    count: Number.isSafeInteger(count) && (count as number) > 0 ? (count as number) : 0,
    reason: typeof reason === "string" && reason.trim() !== "" ? short(reason.trim()) : undefined,
  };
}

function errorsOf(failed: readonly HookVote[]): string {
  const told = failed.slice(0, MAX_ERRORS).map(({ name, status, problem }) => short(`${name}: ${problem ?? status}`));
  const more = failed.length - told.length;
  return [...told, ...(more > 0 ? [`and ${more} more`] : [])].join("; ");
}

function short(text: string): string {
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT - 1)}…` : text;
}
