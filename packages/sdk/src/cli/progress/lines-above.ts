import { stripVTControlCharacters } from "node:util";
import type { Progress } from "../../drive/progress.js";
import type { LogEntry } from "../../model/events.js";
import { counted } from "../../model/shown-amounts.js";
import { visible } from "../../model/shown-text.js";
import { forTerminal, withoutColours } from "../../model/terminal-text.js";
import { oneLine } from "../output/display-width.js";
import type { Paint } from "../output/paint.js";

/** What stays on the screen above the tree: what the process said, and notices. Nothing of what is past. */
export function linesAbove(progress: Progress, paint: Paint): string[] {
  if (progress.type === "printed")
    return cut(textLines(progress.line, { colours: true })).map((text) => `${paint("dim", "print")} ${text}`);
  if (progress.type === "opened") {
    const { runId, resumed, watched } = progress.run;
    return resumed && watched !== true ? [`${paint("dim", "run")}   resuming ${oneLine(runId)}`] : [];
  }
  if (progress.type === "notice") return [`${paint("yellow", "note")}  ${oneLine(progress.text)}`];
  if (progress.type !== "event" || progress.past || progress.event.type !== "PROCESS_LOGGED") return [];
  return progress.event.payload.entries.flatMap((entry) => {
    const [first = "", ...more] = cut(logText(entry, { colours: true }).split("\n"));
    return [`${paint("cyan", "log")}   ${first}`, ...more.map((line) => `      ${line}`)];
  });
}

/** A screen is not a log: so much of one message is shown. */
const MAX_LINES = 30;
const MAX_LINE_LENGTH = 1_000;

function cut(lines: readonly string[]): string[] {
  const more = lines.length - MAX_LINES;
  const shown = more > 0 ? [...lines.slice(0, MAX_LINES), `(${counted(more, "more line")})`] : lines;
  return shown.map((line) =>
    line.length > MAX_LINE_LENGTH ? `${stripVTControlCharacters(line).slice(0, MAX_LINE_LENGTH)}…` : line,
  );
}

/** A line of `ctx.log` as text, safe to print. */
export function logText({ label, message, data }: LogEntry, { colours }: { colours: boolean }): string {
  const about = label === undefined ? "" : `${oneLine(label)}: `;
  const details = data === undefined ? "" : ` ${oneLine(JSON.stringify(data))}`;
  return `${about}${textLines(message, { colours }).join("\n")}${details}`;
}

/** Lines that keep their colours at most; everything else that acts on a terminal is shown. */
export function textLines(text: string, { colours }: { colours: boolean }): string[] {
  const lines = text.replaceAll("\r\n", "\n").split("\n");
  if (!colours) return lines.map((line) => visible(withoutColours(line)));
  return lines
    .map((line) => forTerminal(line, { colours }))
    .map((line) => (line.includes("\u001b") ? `${line}\u001b[0m` : line));
}
