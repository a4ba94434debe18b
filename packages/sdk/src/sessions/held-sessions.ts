/**
 * Which run holds a session, apart from the session's file: when that is gone, or was put aside by a command elsewhere,
 * the session still learns what has become of its loop.
 */
import fs from "node:fs";
import path from "node:path";
import { BabysitterError } from "../model/errors.js";
import { isJsonObject } from "../model/json.js";
import { readPrivateFile, replacePrivateFile } from "./private-files.js";

export interface HeldBy {
  runId: string;
  runDir: string;
}

const MAX_BYTES = 64 * 1024;

/** Hooks look for this file before they start anything. */
export function heldFile(home: string, sessionId: string): string {
  return path.join(home, "held", sessionId);
}

/** A note that cannot be written is no reason to fail: the loop holds without it. */
export function writeHeld(file: string, { runId, runDir }: HeldBy): void {
  const text = `${JSON.stringify({ runId, runDir })}\n`;
  try {
    const known = readPrivateFile(file, MAX_BYTES);
    if (known.kind !== "text" || known.text !== text) replacePrivateFile(file, text);
  } catch (error) {
    if (!BabysitterError.is(error)) throw error;
  }
}

export function readHeld(file: string): HeldBy | undefined {
  try {
    const content = readPrivateFile(file, MAX_BYTES);
    const held: unknown = content.kind === "text" ? JSON.parse(content.text) : undefined;
    if (!isJsonObject(held)) return undefined;
    const { runId, runDir } = held;
    return typeof runId === "string" && typeof runDir === "string" ? { runId, runDir } : undefined;
  } catch {
    return undefined;
  }
}

export function removeHeld(file: string): void {
  try {
    fs.rmSync(file, { force: true });
  } catch {
    // It is said again then, which is better than never.
  }
}
