import type { RunStatus } from "../../model/run-state.js";

const CODES = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33, cyan: 36 } as const;

/** Colours for people: on a terminal only, and never against NO_COLOR. */
export type Paint = (style: keyof typeof CODES, text: string) => string;

export function makePaint(isTerminal: boolean, env: Readonly<Record<string, string | undefined>>): Paint {
  if (!isTerminal || env["NO_COLOR"]) return (_style, text) => text;
  return (style, text) => `\u001b[${CODES[style]}m${text}\u001b[0m`;
}

const STATE_STYLES: Partial<Record<RunStatus | "damaged" | "foreign", keyof typeof CODES>> = {
  completed: "green",
  waiting: "yellow",
  failed: "red",
  blocked: "red",
  damaged: "red",
  foreign: "dim",
};

/** The name of a state in its colour. */
export function paintState(paint: Paint, state: RunStatus | "damaged" | "foreign"): string {
  const style = STATE_STYLES[state];
  return style === undefined ? state : paint(style, state);
}
