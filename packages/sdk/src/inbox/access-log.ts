/** The log of who may use the inbox. */
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

export function accessLog(dir: string): AccessLog {
  return new EntryLog(dir, {
    name: "access",
    loss: "browsers then have to be signed in again",
    parse: asAccessEntry,
    begin: emptyAccess,
    fold: foldAccess,
    entries: accessEntries,
  });
}
