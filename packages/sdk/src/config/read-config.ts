/** The configuration of this machine: where its files are, and what is in them. */
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { BabysitterError } from "../model/errors.js";
import { type ConfigFile, parseConfigFile, type Tier } from "./config-file.js";
import { type ConfigSources, type Origin, type ResolvedConfig, resolveConfig } from "./resolve-config.js";

type Environment = Readonly<Record<string, string | undefined>>;

/** More than anyone writes by hand. */
const MAX_FILE = 256 * 1024;

/** The folder of one's own settings and hooks. */
function personalConfigDir(env: Environment): string {
  const given = env["XDG_CONFIG_HOME"];
  // A relative path there is to be ignored, says the XDG specification.
  const base = given && path.isAbsolute(given) ? given : path.join(homeOf(env), ".config");
  return path.join(base, "babysitter");
}

export function configFiles(projectRoot: string, env: Environment): Record<Tier, string> {
  return {
    team: path.join(projectRoot, ".a5c", "config.json"),
    person: path.join(personalConfigDir(env), "config.json"),
  };
}

/** What counts for a command in this project. */
export function readConfig({
  projectRoot,
  env,
  flags,
}: { projectRoot: string } & Pick<ConfigSources, "env" | "flags">): ResolvedConfig {
  const files = configFiles(projectRoot, env);
  return resolveConfig({
    team: readConfigFile(files.team, "team"),
    person: readConfigFile(files.person, "person"),
    env,
    flags,
  });
}

/** The folder that a relative path in a setting starts from. */
export function folderOfSetting(origin: Origin, { projectRoot, cwd }: { projectRoot: string; cwd: string }): string {
  if (origin.source === "team") return projectRoot;
  return origin.source === "person" ? path.dirname(origin.file) : cwd;
}

/** Undefined when there is no such file. */
export function readConfigFile(file: string, tier: Tier): ConfigFile | undefined {
  const bytes = readBytes(file, tier);
  if (bytes === undefined) return undefined;
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw unreadable(file, "is not text in UTF-8");
  }
  return parseConfigFile(text, { file, tier });
}

function readBytes(file: string, tier: Tier): Uint8Array | undefined {
  try {
    // One's own file may be a link, as dotfiles often are; a project's would let others choose what is read here.
    if (tier === "team" && isLink(file))
      throw unreadable(
        file,
        "is a symbolic link",
        "Replace it with a file: team settings must be part of the project.",
      );
    return readPlainFile(file);
  } catch (error) {
    if (BabysitterError.is(error)) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    if ((code === "ENOENT" && !isLink(file)) || code === "ENOTDIR") return undefined;
    throw unreadable(file, `cannot be read: ${REASONS[code ?? ""] ?? code ?? message}`);
  }
}

function readPlainFile(file: string): Uint8Array {
  // Without blocking: a pipe would be waited for.
  const descriptor = fs.openSync(file, fs.constants.O_RDONLY | fs.constants.O_NONBLOCK);
  try {
    const found = fs.fstatSync(descriptor);
    if (!found.isFile()) throw unreadable(file, found.isDirectory() ? "is a folder" : "is not a file");
    if (found.size > MAX_FILE) throw unreadable(file, `has ${found.size} bytes; the limit for settings is ${MAX_FILE}`);
    return fs.readFileSync(descriptor);
  } finally {
    fs.closeSync(descriptor);
  }
}

const REASONS: Record<string, string> = {
  EACCES: "permission denied",
  ENOENT: "it is a link to a file that does not exist",
  ELOOP: "it is a link that points to itself",
};

function isLink(file: string): boolean {
  return fs.lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
}

function unreadable(
  file: string,
  problem: string,
  hint = "Remove it, or replace it with a settings file.",
): BabysitterError {
  return new BabysitterError("CONFIG_INVALID", `The configuration ${file} ${problem}.`, { hint, details: { file } });
}

function homeOf(env: Environment): string {
  return env["HOME"] || os.homedir();
}
