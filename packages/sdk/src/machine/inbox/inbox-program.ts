/** Finds the program of the inbox: where this person's settings say, else beside the SDK that runs. Never in a project. */
import fs from "node:fs";
import path from "node:path";
import { textIfRegular } from "../../files/read-regular-file.js";
import { BabysitterError } from "../../model/errors.js";
import { isJsonObject, parseJson } from "../../model/json.js";
import { VERSION } from "../../model/version.js";

const PACKAGE = "@a5c-ai/babysitter-breakpoints";
/** The registry's package of our name has a command of another name. */
const COMMAND = "babysitter-breakpoints";
const MAX_MANIFEST = 256 * 1024;

/** `is`: recorded by this person, installed beside the SDK, recorded and gone since, another program of the name, none. */
export type InboxProgram =
  | { is: "recorded" | "installed"; path: string }
  | { is: "gone" | "foreign"; path: string }
  | { is: "missing" };

/** `recorded`: of the settings. `sdk`: a file of the SDK that runs. */
export function findInboxProgram(recorded: string | null, sdk: string): InboxProgram {
  if (recorded !== null) return { is: isFile(recorded) ? "recorded" : "gone", path: recorded };
  for (const dir of packageFolders(realPathOf(sdk))) {
    const found = programIn(dir);
    if (found !== undefined) return found;
  }
  return { is: "missing" };
}

/** True when a person can open it. */
export function isUsable(program: InboxProgram): program is { is: "recorded" | "installed"; path: string } {
  return program.is === "recorded" || program.is === "installed";
}

/** The same node_modules, and the packages of a clone. */
function packageFolders(sdk: string): string[] {
  const above: string[] = [];
  for (let dir = path.dirname(sdk); dir !== path.dirname(dir); dir = path.dirname(dir)) above.push(dir);
  const modules = above.find((dir) => path.basename(dir) === "node_modules");
  const clone = above.find((dir) => fs.existsSync(path.join(dir, "packages", "sdk", "package.json")));
  return [
    ...(modules === undefined ? [] : [path.join(modules, PACKAGE)]),
    ...(clone === undefined ? [] : [path.join(clone, "packages", "breakpoints")]),
  ];
}

function programIn(dir: string): InboxProgram | undefined {
  const manifest = manifestIn(dir);
  if (!isJsonObject(manifest) || manifest["name"] !== PACKAGE) return undefined;
  const { bin } = manifest;
  const named = isJsonObject(bin) ? bin[COMMAND] : undefined;
  if (typeof named !== "string") return { is: "foreign", path: dir };
  const program = path.join(dir, named);
  return isFile(program) && isBuilt(dir) ? { is: "installed", path: realPathOf(program) } : undefined;
}

/** In a clone the sources are there before the program is. */
function isBuilt(dir: string): boolean {
  return isFile(path.join(dir, "dist", "main.js"));
}

function manifestIn(dir: string): unknown {
  try {
    return parseJson(textIfRegular(path.join(dir, "package.json"), MAX_MANIFEST) ?? "null");
  } catch {
    return undefined;
  }
}

function isFile(file: string): boolean {
  try {
    return fs.statSync(file).isFile();
  } catch {
    return false;
  }
}

export function realPathOf(file: string): string {
  try {
    return fs.realpathSync(file);
  } catch {
    return file;
  }
}

/** How the inbox gets onto this machine. */
const INSTALL_LINES = [
  "In a clone of the repository: npm install && npm run build, then npm run inbox.",
  `For machines without a clone, pack both there (npm pack ./packages/sdk ./packages/breakpoints) and install the files here: npm install -g ./a5c-ai-babysitter-sdk-${VERSION}.tgz ./a5c-ai-babysitter-breakpoints-${VERSION}.tgz`,
  `The registry's package named ${PACKAGE} is another program.`,
];

export function notInstalled(program: Exclude<InboxProgram, { is: "recorded" | "installed" }>): BabysitterError {
  if (program.is === "gone")
    return new BabysitterError("INBOX_MISSING", `The recorded program of the inbox is gone: ${program.path}.`, {
      hint: "Install it again, then record the new place: babysitter ui --enable. To forget the old one: babysitter ui --disable",
      details: { program: program.path },
    });
  const why =
    program.is === "foreign"
      ? `The package in ${program.path} is not the inbox, but another program of the same name.`
      : "The inbox is not installed.";
  return new BabysitterError("INBOX_MISSING", why, { hint: INSTALL_LINES.join("\n  "), details: {} });
}
