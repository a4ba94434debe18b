/** Numbers and times for people. */
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

/** A number with its noun, in the plural where needed. */
export function counted(count: number, what: string): string {
  return `${shownCount(count)} ${what}${count === 1 ? "" : "s"}`;
}

/** Tokens of every kind. */
export function totalTokens({ tokens }: Spend): number {
  return tokens.input + tokens.output + tokens.cacheRead + tokens.cacheWrite;
}

/** Cents, or more digits where cents would be nothing. */
export function shownUsd(usd: number): string {
  return `$${usd > 0 && usd < 0.01 ? usd.toFixed(4) : usd.toFixed(2)}`;
}

/** Where the person is: `2026-03-01 11:04:05`. Documents for programs have ISO times. */
export function shownTime(iso: string): string {
  const time = new Date(iso);
  if (Number.isNaN(time.getTime())) return "an unknown time";
  const day = [time.getFullYear(), twoDigits(time.getMonth() + 1), twoDigits(time.getDate())].join("-");
  return `${day} ${[time.getHours(), time.getMinutes(), time.getSeconds()].map(twoDigits).join(":")}`;
}

function twoDigits(number: number): string {
  return String(number).padStart(2, "0");
}

/** Whose time that is, for what may be read somewhere else: `UTC`, `UTC+1`, `UTC-3:30`. */
export function shownZone(iso: string): string {
  const minutes = -new Date(iso).getTimezoneOffset();
  if (!Number.isFinite(minutes) || minutes === 0) return "UTC";
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  return `UTC${minutes < 0 ? "-" : "+"}${hours}${rest === 0 ? "" : `:${twoDigits(rest)}`}`;
}
