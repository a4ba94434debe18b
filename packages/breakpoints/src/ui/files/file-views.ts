/** How a file can be looked at, and how it is shown first. */
import type { Comparison, FileHead } from "../../wire/inbox-wire.js";
import { hasAnsiColour } from "../text/ansi.js";

export type FileView = "difference" | "file" | "rendered" | "log";

/** Larger files are compared when somebody asks for it. */
export const COMPARED_BYTES = 2 * 1024 * 1024;
/** Larger ones are read as text: rendering them would hold up the page. */
export const RENDERED_BYTES = 512 * 1024;

function isMarkdown({ path, format, language }: FileHead): boolean {
  return format === "markdown" || language === "markdown" || (format === undefined && /\.(?:md|markdown)$/i.test(path));
}

function isLog({ path, format }: FileHead, start: string): boolean {
  return (
    format === "log" || format === "ansi" || (format === undefined && /\.log$/i.test(path)) || hasAnsiColour(start)
  );
}

/** A comparison that there is a text for. Without the file itself, everything in it was removed. */
export function comparable({ refused, cutAt, comparisons }: FileHead): Comparison[] {
  // The rest of a file that was cut would look removed.
  return cutAt === undefined && (refused === undefined || refused === "missing")
    ? comparisons.filter((comparison) => comparison.refused === undefined)
    : [];
}

/** False also where it is known without the texts that there is no difference. */
export function mayDiffer(against: Comparison | undefined): boolean {
  return against !== undefined && against.unchanged !== true;
}

export function nameOf({ side, label }: Comparison): string {
  return side === "base" ? label : `last approved (${label})`;
}

/** New since what it would be compared with. */
export function isNew({ comparisons }: FileHead): boolean {
  return comparisons.length > 0 && comparisons.every(({ refused }) => refused === "missing");
}

/** The views that make sense; `start` is the beginning of the text, as far as it is there. */
export function viewsOf(file: FileHead, start: string): FileView[] {
  const views: FileView[] = comparable(file).length > 0 ? ["difference"] : [];
  if (file.refused !== undefined) return views;
  views.push("file");
  if (isMarkdown(file)) views.push("rendered");
  if (isLog(file, start)) views.push("log");
  return views;
}

/** `changes` is unknown until the texts were compared; then a difference without any is not what people come for. */
export function firstView(file: FileHead, start: string, changes: boolean | undefined): FileView | undefined {
  const views = viewsOf(file, start);
  const isSmall = Math.max(file.bytes ?? 0, ...file.comparisons.map(({ bytes }) => bytes ?? 0)) <= COMPARED_BYTES;
  if (views.includes("difference") && changes !== false && (isSmall || views.length === 1)) return "difference";
  if (views.includes("log")) return "log";
  if (views.includes("rendered") && (file.bytes ?? 0) <= RENDERED_BYTES) return "rendered";
  return views.includes("file") ? "file" : views[0];
}

/** 1,234 bytes, 12.3 KiB, 4.0 MiB. */
export function sizeOf(bytes: number): string {
  if (bytes < 1024) return bytes === 1 ? "1 byte" : `${bytes} bytes`;
  const [value, unit] = bytes < 1024 * 1024 ? [bytes / 1024, "KiB"] : [bytes / (1024 * 1024), "MiB"];
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ${unit}`;
}
