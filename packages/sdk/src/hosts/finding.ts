/** What was found on this machine. */

/** `problem`: it cannot work like this. `warning`: it works, but perhaps not as you expect. */
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
