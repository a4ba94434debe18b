import type { Progress } from "../../drive/progress.js";
import type { LogEntry } from "../../model/events.js";
import { forTerminal } from "../../model/terminal-text.js";
import type { Paint } from "../output/paint.js";
import { oneLine } from "./display-width.js";

/** What stays on the screen above the tree: what the process said, and notices. Nothing of what is past. */
export function linesAbove(progress: Progress, paint: Paint): string[] {
  if (progress.type === "printed") return textLines(progress.line);
  if (progress.type === "notice") return [`${paint("yellow", "note")}  ${oneLine(progress.text)}`];
  if (progress.type !== "event" || progress.past || progress.event.type !== "PROCESS_LOGGED") return [];
  return progress.event.payload.entries.flatMap((entry) => {
    const [first = "", ...more] = logText(entry).split("\n");
    return [`${paint("cyan", "log")}   ${first}`, ...more.map((line) => `      ${line}`)];
  });
}

/** A line of `ctx.log` as text, safe to print. */
export function logText({ label, message, data }: LogEntry): string {
  const about = label === undefined ? "" : `${oneLine(label)}: `;
  const details = data === undefined ? "" : ` ${oneLine(JSON.stringify(data))}`;
  return `${about}${textLines(message).join("\n")}${details}`;
}

/** Lines that keep their colours and lose everything else that acts on a terminal. */
export function textLines(text: string): string[] {
  return text
    .replaceAll("\r\n", "\n")
    .split("\n")
    .map(forTerminal)
    .map((line) => (line.includes("\u001b") ? `${line}\u001b[0m` : line));
}
