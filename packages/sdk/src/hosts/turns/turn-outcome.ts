/** How a turn of the host ended, from its exit and what the host makes of what it has printed. */
import type { SpawnResult } from "../../spawn/spawn-request.js";
import type { HostLauncher, ToldOutcome } from "../host.js";

export type TurnOutcome =
  | ToldOutcome
  /** We have ended it. */
  | { kind: "stopped" }
  /** There is no such program, or it cannot be executed. */
  | { kind: "not started"; why: string };

const MAX_WHY = 300;

export function outcomeOf(
  { outcome }: Pick<HostLauncher, "outcome">,
  exit: Pick<SpawnResult, "exitCode" | "signal" | "outcome" | "startError">,
  printed: { stdout: string; stderr: string },
): TurnOutcome {
  if (exit.outcome === "not-started") return { kind: "not started", why: exit.startError?.message ?? "unknown" };
  if (exit.outcome === "stopped") return { kind: "stopped" };
  const told = outcome(exit.exitCode, printed);
  return told.kind === "failed" ? { ...told, why: short(told.why) || silentText(exit) } : told;
}

function short(text: string): string {
  const line = text.replaceAll(/\s+/gu, " ");
  return line.length > MAX_WHY ? `${line.slice(0, MAX_WHY)} (cut)` : line;
}

function silentText({ exitCode, signal }: Pick<SpawnResult, "exitCode" | "signal">): string {
  if (signal !== null) return `it was killed by ${signal}`;
  return exitCode === 0 ? "it ended without a result" : `it ended with exit code ${exitCode}`;
}
