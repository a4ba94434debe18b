/** Records in a person's own settings that a question may start the server, and which program that is. */
import { randomBytes } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { readConfigFile } from "../../config/read-config.js";
import { makeFolders } from "../../files/make-folders.js";
import { textIfRegular } from "../../files/read-regular-file.js";
import { refusedBySystem } from "../../model/errno.js";
import { isJsonObject, type JsonObject, parseJson } from "../../model/json.js";
import { realHome } from "../agents-above.js";
import type { Environment } from "../caller.js";
import { findInboxProgram, isUsable, notInstalled, realPathOf } from "./inbox-program.js";
import { personalFile, readInboxSettings } from "./inbox-settings.js";
import { requirePerson } from "./person-only.js";

export interface InboxChange {
  enabled: boolean;
  program: string | null;
  /** Where it is written. */
  config: string;
  /** Why questions of agents do not start it, although others do. */
  note?: string;
}

export function enableInbox(env: Environment): InboxChange {
  requirePerson(env, "let questions start the inbox");
  const { program: recorded } = readInboxSettings(env);
  const kept = findInboxProgram(recorded, process.argv[1] as string);
  // A new place is recorded where the old one is gone.
  const found = kept.is === "gone" ? findInboxProgram(null, process.argv[1] as string) : kept;
  if (!isUsable(found)) throw notInstalled(kept.is === "gone" && found.is === "missing" ? kept : found);
  const config = personalFile(env);
  change(config, (inbox) => ({ ...inbox, program: found.path, onDemand: true }));
  const forAgents = personalFile({ HOME: realHome() });
  const note = `An agent's variables do not count here: its questions start the server only if ${forAgents} says so.`;
  const isElsewhere = realPathOf(config) !== realPathOf(forAgents);
  return { enabled: true, program: found.path, config, ...(isElsewhere ? { note } : {}) };
}

export function disableInbox(env: Environment): InboxChange {
  requirePerson(env, "decide what questions start");
  const config = personalFile(env);
  if (readConfigFile(config, "person") !== undefined)
    change(config, ({ program: _program, onDemand: _onDemand, ...rest }) => rest);
  return { enabled: false, program: null, config };
}

const MAX_FILE = 256 * 1024;

/** What else is in the file stays. Whoever reads it meanwhile sees the old text or the new one. */
function change(config: string, changed: (inbox: JsonObject) => JsonObject): void {
  // Throws for a file that is not valid: it is not for us to repair.
  readConfigFile(config, "person");
  // One's own file may be a link, which is to stay one.
  const file = realPathOf(config);
  const document = parseJson((textIfRegular(file, MAX_FILE) ?? "{}").replace(/^\uFEFF/u, ""));
  const { inbox: before, ...rest } = isJsonObject(document) ? document : {};
  const inbox = changed(isJsonObject(before) ? before : {});
  const after = { ...rest, ...(Object.keys(inbox).length === 0 ? {} : { inbox }) };
  try {
    replace(file, `${JSON.stringify(after, null, 2)}\n`);
  } catch (error) {
    throw refusedBySystem(error) ?? error;
  }
}

function replace(file: string, text: string): void {
  makeFolders(path.dirname(file), 0o700);
  const mode = (fs.statSync(file, { throwIfNoEntry: false })?.mode ?? 0o600) & 0o777;
  const fresh = `${file}.tmp.${process.pid}.${randomBytes(4).toString("hex")}`;
  try {
    fs.writeFileSync(fresh, text, { mode, flag: "wx", flush: true });
    fs.renameSync(fresh, file);
  } catch (error) {
    fs.rmSync(fresh, { force: true });
    throw error;
  }
}
