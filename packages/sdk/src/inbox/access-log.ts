/** The log of who may use the inbox. */
import path from "node:path";
import {
  type AccessEntry,
  type AccessState,
  accessEntries,
  asAccessEntry,
  emptyAccess,
  foldAccess,
} from "./access-state.js";
import { EntryLog } from "./entry-log.js";

export type AccessLog = EntryLog<AccessEntry, AccessState>;

const NAME = "access";

export function accessLogFile(folder: string): string {
  return path.join(folder, `${NAME}.jsonl`);
}

export function accessLog(dir: string): AccessLog {
  return new EntryLog(dir, {
    name: NAME,
    loss: "browsers then have to be signed in again",
    parse: asAccessEntry,
    begin: emptyAccess,
    fold: foldAccess,
    entries: accessEntries,
  });
}
