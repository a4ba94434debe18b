/** Headless turns of Claude Code: `claude -p`, and what it prints. */
import { defined, isJsonObject, type JsonObject } from "../../model/json.js";
import type { HostLauncher, ToldOutcome } from "../host.js";

const UNKNOWN_SESSION = /No conversation found with session ID/u;
const KNOWN_SESSION = /Session ID \S+ is already in use/u;

export const launcher: HostLauncher = {
  program: (env) => env["BABYSITTER_CLAUDE"] || "claude",
  notFoundHint: "Install Claude Code so that `claude` is on PATH, or name the program in BABYSITTER_CLAUDE.",
  turn: ({ sessionId, known, text, permissionMode }) => ({
    args: [
      "-p",
      ...(known ? ["--resume", sessionId] : ["--session-id", sessionId]),
      "--output-format",
      "stream-json",
      "--verbose",
      ...(permissionMode === undefined ? [] : ["--permission-mode", permissionMode]),
    ],
    // On stdin it may have any length and start with anything.
    stdin: text,
  }),
  outcome,
};

function outcome(exitCode: number | null, { stdout, stderr }: { stdout: string; stderr: string }): ToldOutcome {
  const result = lastOf("result", stdout);
  if (exitCode === 0 && result !== undefined && result["is_error"] !== true) return ended(result);
  const why = [...errorsOf(result), stderr.trim()].filter((text) => text !== "").join(" ");
  if (UNKNOWN_SESSION.test(why)) return { kind: "session unknown" };
  if (KNOWN_SESSION.test(why)) return { kind: "session known" };
  return { kind: "failed", why, ...defined({ error: errorIn(stdout), limitedUntilMs: limitedUntil(result, stdout) }) };
}

/** The last document of its kind: the host prints one JSON document per line. */
function lastOf(type: string, stdout: string): JsonObject | undefined {
  for (const line of stdout.split("\n").toReversed()) {
    const document = parsed(line);
    if (isJsonObject(document) && document["type"] === type) return document;
  }
  return undefined;
}

/** The host writes an error of the API down as if the agent had said it, with a word for its kind. */
function errorIn(stdout: string): string | undefined {
  const error = lastOf("assistant", stdout)?.["error"];
  return typeof error === "string" && error !== "" ? error : undefined;
}

/** HTTP status of the API for too many requests. */
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

function ended({ result }: JsonObject): ToldOutcome {
  return { kind: "ended", ...(typeof result === "string" && result !== "" ? { message: result } : {}) };
}

function errorsOf(result: JsonObject | undefined): string[] {
  const { errors, result: text, subtype } = result ?? {};
  const told = (Array.isArray(errors) ? errors : []).filter((error) => typeof error === "string");
  if (typeof text === "string" && text !== "") told.push(text);
  return told.length === 0 && typeof subtype === "string" && subtype !== "success" ? [subtype] : told;
}
