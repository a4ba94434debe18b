/** What may be named on a page: read from the build, the sources and package.json, so that there is no second list. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

/** Needs a build. */
export async function readVocabulary(home) {
  const built = (module) => importBuilt(home, module);
  const { COMMANDS } = await built("cli/grammar/command-table.js");
  const { GLOBAL_OPTIONS } = await built("cli/grammar/command-spec.js");
  const { BABYSIT_FLAGS } = await built("loop/formats/babysit-flags.js");
  const { ERROR_CODES, EXIT_CODES } = await built("model/error-codes.js");
  const { EVENT_RULES } = await built("model/event-rules.js");
  const { SETTINGS } = await built("config/settings.js");
  const schema = JSON.parse(read(home, "packages/sdk/config.schema.json"));
  const options = [GLOBAL_OPTIONS, BABYSIT_FLAGS, ...COMMANDS.map((command) => command.options)];
  return {
    flags: new Set([
      ...options.flatMap(Object.keys).map((name) => `--${name}`),
      // Of slash commands, where they take no value.
      "--plan",
      "--take",
      ...flagsOfInbox(home),
    ]),
    words: new Set([...Object.keys(ERROR_CODES), ...Object.keys(EVENT_RULES), ...sourceWords(home)]),
    settings: new Set(Object.keys(SETTINGS)),
    schema,
    exitCodes: new Set(Object.values(EXIT_CODES).map(({ exit }) => exit)),
    scripts: new Set(
      ["package.json", ...packages(home).map((name) => `packages/${name}/package.json`)]
        .filter((file) => existsSync(join(home, file)))
        .flatMap((file) => Object.keys(JSON.parse(read(home, file)).scripts ?? {})),
    ),
  };
}

export async function importBuilt(home, module) {
  const path = join(home, "packages/sdk/dist", module);
  if (!existsSync(path)) throw new Error(`packages/sdk/dist/${module} does not exist — run npm run build first`);
  return import(pathToFileURL(path).href);
}

/** The program of the inbox says its flags in its help. */
function flagsOfInbox(home) {
  const file = "packages/breakpoints/src/main.ts";
  return existsSync(join(home, file)) ? (read(home, file).match(/--[a-z][\w-]+/gu) ?? []) : [];
}

const COMMENT = /\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gmu;
const WORD = "[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+";
const NAMED = new RegExp(`["'\`.\${](${WORD})\\b|^\\s*(${WORD}):`, "gmu");

/** Variables, codes and the like: what the sources say in quotes, as a field or as a key. */
function sourceWords(home) {
  const files = packages(home).flatMap((name) => {
    const folder = join(home, "packages", name, "src");
    if (!existsSync(folder)) return [];
    return readdirSync(folder, { recursive: true }).map((file) => join(folder, file));
  });
  return files
    .filter((file) => /(?<!\.test)\.tsx?$/u.test(file))
    .flatMap((file) => [...readFileSync(file, "utf8").replaceAll(COMMENT, "").matchAll(NAMED)])
    .map(([, word, key]) => word ?? key);
}

function packages(home) {
  return readdirSync(join(home, "packages"));
}

function read(home, file) {
  return readFileSync(join(home, file), "utf8");
}
