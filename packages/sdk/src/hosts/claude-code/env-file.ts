/** Tells the agent's shell which session it is in, and which program is ours, by the file that the host reads before each command. */
import { randomBytes } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { parseSessionId } from "../../loop/formats/session-id.js";
import { shellQuoted } from "../../model/shell-quoted.js";
import type { Environment, SessionExports, SessionStart } from "../host.js";
import { configFolder } from "./config-folder.js";

const NAMES = ["AGENT_SESSION_ID", "CLAUDE_SESSION_ID"];
const NAMED = new RegExp(`^export (?:${NAMES.join("|")})="[A-Za-z0-9._-]*"\r?$`);
/** More than hooks write there. */
const MAX_FILE = 1024 * 1024;

export type EnvFileAnswer = "written" | "already there" | "no file" | { problem: string };

/** The host's own folder of such files has one for each session, and the shell reads those of its session. */
const FOLDER = "session-env";

/**
 * The session that starts, if it is not the one that the host names. When it is told to fork, some versions name the
 * session that the fork was made from, and only the folder of the file is the fork's. That folder alone proves
 * nothing: after `--continue`, and after a branch or another session was chosen in a terminal, it is that of the id
 * with which the host itself began.
 */
export function startingSession({ env, input, hostArguments }: SessionStart): string | undefined {
  const { sessionId, source, transcriptPath = "" } = input;
  const own = sessionOfEnvFile(env);
  if (own === undefined || own === sessionId || source === "fork") return undefined;
  // A fork has said nothing yet.
  const isKnown = fs.existsSync(path.join(path.dirname(transcriptPath), `${own}.jsonl`));
  return !isKnown && hostArguments().includes("--fork-session") ? own : undefined;
}

function sessionOfEnvFile(env: Environment): string | undefined {
  const folder = path.dirname(env["CLAUDE_ENV_FILE"] || ".");
  return path.basename(path.dirname(folder)) === FOLDER ? parseSessionId(path.basename(folder)) : undefined;
}

/** The file that the shell of a session reads: the host may name the one of the id with which it began itself. */
function fileOf(env: Environment, sessionId: string): string {
  const file = env["CLAUDE_ENV_FILE"] || "";
  if ([undefined, sessionId].includes(sessionOfEnvFile(env))) return file;
  const folder = path.join(path.dirname(path.dirname(file)), sessionId);
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  return path.join(folder, path.basename(file));
}

/** The host makes the folder when a session starts, before there is a transcript. */
export function hasEnvFolder(sessionId: string, env: Environment): boolean {
  return fs.existsSync(path.join(configFolder(env), FOLDER, sessionId));
}

/**
 * The host never empties the file, so that it would grow with each start: our lines are replaced, or left alone when
 * they are right. All other lines stay. Never throws: a session without the variables is better than none.
 */
export function exportSession(env: Environment, { sessionId, name, program }: SessionExports): EnvFileAnswer {
  if (!env["CLAUDE_ENV_FILE"]) return "no file";
  const id = parseSessionId(sessionId);
  if (id === undefined) return { problem: "not a session id" };
  const isOurs = (line: string): boolean =>
    NAMED.test(line) || line.startsWith(`${name}() {`) || line === unaliased(name);
  const wanted = [...NAMES.map((variable) => `export ${variable}="${id}"`), ...shellFunction(name, program)];
  try {
    return exportTo(fileOf(env, id), wanted, isOurs);
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}

/**
 * What the host adds to PATH for plugins comes last, so that the name may lead to another program. A function goes
 * before PATH, in pipes as well, and shadows nothing else, as a folder at the front of PATH could. The file outlives
 * the program: once that is gone, PATH decides.
 */
function shellFunction(name: string, program: readonly string[]): string[] {
  const file = program.at(-1) ?? "";
  if (file === "" || program.some((word) => /[\r\n]/u.test(word))) return [];
  const [words, test] = [program.map(shellQuoted).join(" "), `[ -e ${shellQuoted(file)} ]`];
  return [unaliased(name), `${name}() { if ${test}; then ${words} "$@"; else command ${name} "$@"; fi; }`];
}

/** An alias of that name would be put into the function's own line. */
const unaliased = (name: string): string => `unalias ${name} 2> /dev/null || :`;

function exportTo(file: string, exported: string[], isOurs: (line: string) => boolean): EnvFileAnswer {
  const stat = fs.statSync(file, { throwIfNoEntry: false });
  if (stat !== undefined && !stat.isFile()) return { problem: `${file} is not a regular file` };
  if (stat !== undefined && stat.size > MAX_FILE) return { problem: `${file} is too large` };
  // Latin-1 gives every byte back as it was, whatever the encoding.
  const text = stat === undefined ? "" : fs.readFileSync(file, "latin1");
  const wanted = exported.map((line) => Buffer.from(line).toString("latin1"));
  const lines = text.split("\n");
  const ours = lines.filter(isOurs);
  if (ours.join("\n") === wanted.join("\n")) return "already there";
  const added = `${wanted.join("\n")}\n`;
  if (ours.length === 0) {
    // Appending loses nothing that another hook appends at the same time.
    fs.appendFileSync(file, text === "" || text.endsWith("\n") ? added : `\n${added}`, "latin1");
    return "written";
  }
  const others = lines.filter((line) => !isOurs(line)).join("\n");
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
