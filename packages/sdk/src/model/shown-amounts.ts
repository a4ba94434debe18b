/** Numbers for people. */
import type { Spend } from "./loop-events.js";

/** 850 ms, 12.3 s, 4 min 5 s, 2 h 10 min, 3 d 4 h. */
export function shownDuration(ms: number): string {
  if (!Number.isFinite(ms) || ms < 0) return "unknown";
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(Math.floor(ms / 100) / 10).toFixed(1)} s`;
  const seconds = Math.floor(ms / 1_000);
  if (seconds < 3_600) return twoUnits(seconds, [60, "min"], [1, "s"]);
  return seconds < 86_400
    ? twoUnits(seconds, [3_600, "h"], [60, "min"])
    : twoUnits(seconds, [86_400, "d"], [3_600, "h"]);
}

function twoUnits(seconds: number, [large, name]: [number, string], [small, rest]: [number, string]): string {
  const left = Math.floor((seconds % large) / small);
  return `${Math.floor(seconds / large)} ${name}${left === 0 ? "" : ` ${left} ${rest}`}`;
}

/** With a comma at every thousand, the same in every locale. */
export function shownCount(count: number): string {
  return String(count).replaceAll(/\B(?=(?:\d{3})+$)/g, ",");
}

export function totalTokens({ tokens }: Spend): number {
  return tokens.input + tokens.output + tokens.cacheRead + tokens.cacheWrite;
}

/** Cents, or more digits where cents would be nothing. */
export function shownUsd(usd: number): string {
  return `$${usd > 0 && usd < 0.01 ? usd.toFixed(4) : usd.toFixed(2)}`;
}
