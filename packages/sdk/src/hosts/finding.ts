/** What a look at this machine has found. */

/** `problem`: it cannot work like this. `warning`: it works, but not as you may think. */
export type Level = "ok" | "warning" | "problem";

export interface Finding {
  check: string;
  level: Level;
  text: string;
  /** What to run, or to do. */
  fix?: string;
}

export function ok(check: string, text: string): Finding {
  return { check, level: "ok", text };
}

export function warning(check: string, text: string, fix: string): Finding {
  return { check, level: "warning", text, fix };
}

export function problem(check: string, text: string, fix: string): Finding {
  return { check, level: "problem", text, fix };
}
