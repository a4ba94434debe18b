/** How a turn of the host ended, from its exit and what it has printed. */
import { defined, isJsonObject, type JsonObject } from "../../model/json.js";
import type { SpawnResult } from "../../spawn/spawn-request.js";

export type TurnOutcome =
  /** The agent has stopped; its last words, where it said any. */
  | { kind: "ended"; message?: string }
  /** With a time when the account has used up what it may use, and gets more then. */
  | { kind: "failed"; why: string; limitedUntilMs?: number }
  /** `--resume` of a session that the host has never seen, or has forgotten. */
  | { kind: "session unknown" }
  /** `--session-id` of one that it has seen. */
  | { kind: "session known" }
  /** We have ended it. */
  | { kind: "stopped" }
  /** There is no such program, or it cannot be executed. */
  | { kind: "not started"; why: string };

const UNKNOWN_SESSION = /No conversation found with session ID/u;
const KNOWN_SESSION = /Session ID \S+ is already in use/u;
const MAX_WHY = 300;

export function outcomeOf(
  exit: Pick<SpawnResult, "exitCode" | "signal" | "outcome" | "startError">,
  { stdout, stderr }: { stdout: string; stderr: string },
): TurnOutcome {
  if (exit.outcome === "not-started") return { kind: "not started", why: exit.startError?.message ?? "unknown" };
  if (exit.outcome === "stopped") return { kind: "stopped" };
  const result = lastOf("result", stdout);
  if (exit.exitCode === 0 && result !== undefined && result["is_error"] !== true) return ended(result);
  const why = [...errorsOf(result), stderr.trim()].filter((text) => text !== "").join(" ");
  if (UNKNOWN_SESSION.test(why)) return { kind: "session unknown" };
  if (KNOWN_SESSION.test(why)) return { kind: "session known" };
  return {
    kind: "failed",
    why: short(why) || silentText(exit),
    ...defined({ limitedUntilMs: limitedUntil(result, stdout) }),
  };
}

/** The last document of its kind: the host prints one JSON document per line. */
function lastOf(type: string, stdout: string): JsonObject | undefined {
  for (const line of stdout.split("\n").toReversed()) {
    const document = parsed(line);
    if (isJsonObject(document) && document["type"] === type) return document;
  }
  return undefined;
}

/** Status of an answer of the API that says: too much. */
const TOO_MUCH = 429;

/** Said by the host apart from its result, in seconds. */
function limitedUntil(result: JsonObject | undefined, stdout: string): number | undefined {
  if (result?.["api_error_status"] !== TOO_MUCH) return undefined;
  const limit = lastOf("rate_limit_event", stdout)?.["rate_limit_info"];
  if (!isJsonObject(limit) || limit["status"] !== "rejected") return undefined;
  const { resetsAt } = limit;
  return typeof resetsAt === "number" && Number.isFinite(resetsAt) ? resetsAt * 1000 : undefined;
}

function parsed(line: string): unknown {
  if (!line.startsWith("{")) return undefined;
  try {
    return JSON.parse(line) as unknown;
  } catch {
    // The beginning of a log with a gap may be the middle of a line.
    return undefined;
  }
}

function ended({ result }: JsonObject): TurnOutcome {
  return { kind: "ended", ...(typeof result === "string" && result !== "" ? { message: result } : {}) };
}

function errorsOf(result: JsonObject | undefined): string[] {
  const { errors, result: text, subtype } = result ?? {};
  const told = (Array.isArray(errors) ? errors : []).filter((error) => typeof error === "string");
  if (typeof text === "string" && text !== "") told.push(text);
  return told.length === 0 && typeof subtype === "string" && subtype !== "success" ? [subtype] : told;
}

function short(text: string): string {
  const line = text.replaceAll(/\s+/gu, " ");
  return line.length > MAX_WHY ? `${line.slice(0, MAX_WHY)} (cut)` : line;
}

function silentText({ exitCode, signal }: Pick<SpawnResult, "exitCode" | "signal">): string {
  if (signal !== null) return `it was ended by ${signal}`;
  return exitCode === 0 ? "it ended without a result" : `it ended with exit code ${exitCode}`;
}
