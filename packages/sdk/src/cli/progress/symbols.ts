import type { Paint } from "../output/paint.js";
import type { EffectState } from "./progress-model.js";

/** What lines are drawn with. All of one column, except the guides, which are two. */
export interface Symbols {
  spinner: readonly string[];
  states: Readonly<Record<Exclude<EffectState, "running">, string>>;
  /** Lines of the tree, on the first row of a lane and on the ones below, where more lanes follow and where none do. */
  guides: Readonly<Record<Guide, string>>;
  cut: string;
  between: string;
}

export type Guide = "first" | "later" | "firstOfLast" | "laterOfLast";

export const UNICODE_SYMBOLS: Symbols = {
  spinner: ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"],
  states: {
    queued: "○",
    retrying: "↻",
    sleeping: "◷",
    asking: "?",
    done: "✓",
    rejected: "✗",
    failed: "✗",
    abandoned: "–",
  },
  guides: { first: "├ ", later: "│ ", firstOfLast: "└ ", laterOfLast: "  " },
  cut: "…",
  between: " · ",
};

export const ASCII_SYMBOLS: Symbols = {
  spinner: ["|", "/", "-", "\\"],
  states: {
    queued: ".",
    retrying: "@",
    sleeping: "z",
    asking: "?",
    done: "+",
    rejected: "x",
    failed: "x",
    abandoned: "-",
  },
  guides: { first: "|-", later: "| ", firstOfLast: "`-", laterOfLast: "  " },
  cut: "~",
  between: " - ",
};

export const STATE_STYLES: Readonly<Record<EffectState, Parameters<Paint>[0]>> = {
  queued: "dim",
  running: "cyan",
  retrying: "yellow",
  sleeping: "dim",
  asking: "yellow",
  done: "green",
  rejected: "yellow",
  failed: "red",
  abandoned: "dim",
};

/** The symbols that a terminal in this environment can show. */
export function symbolsFor(env: Readonly<Record<string, string | undefined>>): Symbols {
  const term = env["TERM"];
  if (term === "linux" || term === "dumb") return ASCII_SYMBOLS;
  const locale = env["LC_ALL"] || env["LC_CTYPE"] || env["LANG"] || "";
  // Windows has no locale variables; its newer terminal says who it is.
  return /utf-?8/i.test(locale) || env["WT_SESSION"] !== undefined ? UNICODE_SYMBOLS : ASCII_SYMBOLS;
}
