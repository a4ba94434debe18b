/**
 * The session files of this person: one per session, found by its exact id. A file is a view of what the journal of
 * its run says, so two that write at once need no lock; but neither may ever leave half a file, and none is deleted.
 */

import fs from "node:fs";
import path from "node:path";
import type { FoundSession } from "../loop/formats/session-file.js";
import {
  MAX_SESSION_FILE,
  parseSessionFile,
  renderSessionFile,
  type SessionFile,
} from "../loop/formats/session-file.js";
import { parseSessionId } from "../loop/formats/session-id.js";
import { BabysitterError } from "../model/errors.js";
import { type HeldBy, heldFile, readHeld, removeHeld, writeHeld } from "./held-sessions.js";
import { moveAside, readPrivateFile, replacePrivateFile, tryPrivateFile } from "./private-files.js";
import type { SessionPlaces } from "./session-places.js";

export interface ListedSession {
  sessionId: string;
  file: string;
  session: SessionFile;
}

const ENDING = ".md";

export class SessionRegistry {
  readonly #places: SessionPlaces;
  readonly #now: () => Date;

  constructor(places: SessionPlaces, now: () => Date) {
    this.#places = places;
    this.#now = now;
  }

  /** Whether there is anything to look at: one stat per place, for a hook that has nothing to do in most sessions. */
  exists(sessionId: string): boolean {
    return [...this.#files(sessionId), ...this.#held(sessionId)].some(isThere);
  }

  /** The run that holds this session, as far as the session was told, whatever has become of its file. */
  heldBy(sessionId: string): HeldBy | undefined {
    return this.#held(sessionId).map(readHeld)[0];
  }

  /** Says that the session knows that it is held no longer. */
  letGo(sessionId: string): void {
    for (const file of this.#held(sessionId)) removeHeld(file);
  }

  /** The first place that has a file of this session decides. */
  find(sessionId: string): FoundSession {
    for (const file of this.#files(sessionId)) {
      const found = readSession(file);
      if (found.kind !== "none") return found;
    }
    return { kind: "none" };
  }

  /** Writes where the session's file is, or where new ones go; a corrupt one is moved to quarantine before. */
  write(sessionId: string, session: SessionFile): string {
    if (parseSessionId(sessionId) === undefined) throw noId(sessionId);
    const text = renderSessionFile(session);
    if (Buffer.byteLength(text) > MAX_SESSION_FILE) throw tooLarge(text);
    const found = this.find(sessionId);
    if (found.kind === "corrupt") this.quarantine(found.file);
    const file = this.#fileOf(sessionId, found);
    replacePrivateFile(file, text);
    const { active, runId, runDir } = session;
    if (active && runId && runDir !== undefined)
      for (const held of this.#held(sessionId)) writeHeld(held, { runId, runDir });
    return file;
  }

  /** Refuses what writing the session's file would refuse, before anything depends on it. */
  refuseUnwritable(sessionId: string): void {
    tryPrivateFile(this.#fileOf(sessionId, this.find(sessionId)));
  }

  #fileOf(sessionId: string, found: FoundSession): string {
    return found.kind === "found" ? found.file : path.join(this.#places.write, sessionId + ENDING);
  }

  /**
   * Moves the file of a session into `ended/` beside it. Files of the same session in other places go with it, or
   * the next stop would find a loop again. Answers where the first of them is now.
   */
  end(sessionId: string): string | undefined {
    const moved = this.#files(sessionId).map((file) => moveAside(file, "ended", this.#now()));
    return moved.find((file) => file !== undefined);
  }

  /** Moves a file that cannot be read into `quarantine/` beside it; undefined when it is no longer there. */
  quarantine(file: string): string | undefined {
    return moveAside(file, "quarantine", this.#now());
  }

  /** Every session whose file can be read, sorted by id. */
  list(): ListedSession[] {
    const ids = new Set(this.#places.read.flatMap(namesIn).flatMap(idOfName));
    return [...ids].toSorted().flatMap((sessionId) => {
      const found = this.#findReadable(sessionId);
      return found?.kind === "found" ? [{ sessionId, file: found.file, session: found.session }] : [];
    });
  }

  #findReadable(sessionId: string): FoundSession | undefined {
    try {
      return this.find(sessionId);
    } catch {
      return undefined;
    }
  }

  #held(sessionId: string): string[] {
    const id = parseSessionId(sessionId);
    return id === undefined ? [] : [heldFile(this.#places.home, id)];
  }

  #files(sessionId: string): string[] {
    const id = parseSessionId(sessionId);
    return id === undefined ? [] : this.#places.read.map((place) => path.join(place, id + ENDING));
  }
}

function readSession(file: string): FoundSession {
  const content = readPrivateFile(file, MAX_SESSION_FILE);
  if (content.kind === "none") return { kind: "none" };
  if (content.kind === "unfit") return { kind: "corrupt", file, problem: content.problem };
  const parsed = parseSessionFile(content.text);
  return parsed.ok
    ? { kind: "found", file, session: parsed.session }
    : { kind: "corrupt", file, problem: parsed.problem };
}

/** A folder that may not be entered has no session of ours: nothing could have been written there. */
function isThere(file: string): boolean {
  try {
    return fs.lstatSync(file, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}

function namesIn(place: string): string[] {
  try {
    return fs.readdirSync(place);
  } catch {
    return [];
  }
}

function idOfName(name: string): string[] {
  const id = name.endsWith(ENDING) ? parseSessionId(name.slice(0, -ENDING.length)) : undefined;
  return id === undefined ? [] : [id];
}

function noId(sessionId: string): BabysitterError {
  const shown = JSON.stringify(sessionId.length > 60 ? `${sessionId.slice(0, 60)}…` : sessionId);
  return new BabysitterError("INVALID_ID", `${shown} is not a valid session ID.`, {
    hint: "Use 1 to 128 letters, digits, dots, dashes and underscores, not starting with a dot, without '..'.",
  });
}

function tooLarge(text: string): BabysitterError {
  const bytes = Buffer.byteLength(text);
  return new BabysitterError("USAGE", `The prompt is too large for a session file (${bytes} bytes).`, {
    hint: "Put the text in a file in the project and name that file in the prompt.",
    details: { bytes, largest: MAX_SESSION_FILE },
  });
}
