/** Tells the agent's shell which session it is in, by the file of exports that the host reads before each command. */
import { randomBytes } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { parseSessionId } from "../../loop/formats/session-id.js";
import type { Environment } from "../host.js";
import { configFolder } from "./config-folder.js";

const NAMES = ["AGENT_SESSION_ID", "CLAUDE_SESSION_ID"];
const OURS = new RegExp(`^export (?:${NAMES.join("|")})="[A-Za-z0-9._-]*"\r?$`);
/** More than hooks write there. */
const MAX_FILE = 1024 * 1024;

export type EnvFileAnswer = "written" | "already there" | "no file" | { problem: string };

/** The host's own folder of such files has one for each session. */
const FOLDER = "session-env";

/** Whose file it is. At the start of a fork some hosts give the id of the session that it was forked from. */
export function sessionOfEnvFile(env: Environment): string | undefined {
  const folder = path.dirname(env["CLAUDE_ENV_FILE"] || ".");
  return path.basename(path.dirname(folder)) === FOLDER ? parseSessionId(path.basename(folder)) : undefined;
}

/** The host makes the folder when a session starts, before there is a transcript. */
export function hasEnvFolder(sessionId: string, env: Environment): boolean {
  return fs.existsSync(path.join(configFolder(env), FOLDER, sessionId));
}

/**
 * The host never empties the file, so that it would grow with each start: our lines are replaced, or left alone when
 * they are right. All other lines stay. Never throws: a session without the variables is better than none.
 */
export function exportSessionId(env: Environment, sessionId: string): EnvFileAnswer {
  const file = env["CLAUDE_ENV_FILE"];
  if (!file) return "no file";
  const id = parseSessionId(sessionId);
  if (id === undefined) return { problem: "not a session id" };
  try {
    return exportTo(
      file,
      NAMES.map((name) => `export ${name}="${id}"`),
    );
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}

function exportTo(file: string, wanted: string[]): EnvFileAnswer {
  const stat = fs.statSync(file, { throwIfNoEntry: false });
  if (stat !== undefined && !stat.isFile()) return { problem: `${file} is not a regular file` };
  if (stat !== undefined && stat.size > MAX_FILE) return { problem: `${file} is too large` };
  // Latin-1 gives every byte back as it was, whatever the encoding.
  const text = stat === undefined ? "" : fs.readFileSync(file, "latin1");
  const lines = text.split("\n");
  const ours = lines.filter((line) => OURS.test(line));
  if (ours.join("\n") === wanted.join("\n")) return "already there";
  const added = `${wanted.join("\n")}\n`;
  if (ours.length === 0) {
    // Appending loses nothing that another hook appends at the same time.
    fs.appendFileSync(file, text === "" || text.endsWith("\n") ? added : `\n${added}`);
    return "written";
  }
  const others = lines.filter((line) => !OURS.test(line)).join("\n");
  replaceText(fs.realpathSync(file), others === "" || others.endsWith("\n") ? others + added : `${others}\n${added}`);
  return "written";
}

function replaceText(file: string, latin1: string): void {
  const temporary = `${file}.tmp.${process.pid}.${randomBytes(4).toString("hex")}`;
  try {
    fs.writeFileSync(temporary, latin1, { encoding: "latin1", mode: fs.statSync(file).mode, flag: "wx" });
    fs.renameSync(temporary, file);
  } catch (error) {
    fs.rmSync(temporary, { force: true });
    throw error;
  }
}
