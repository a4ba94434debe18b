/**
 * Writes the generated pages of the documentation from the built model, the command table,
 * layers.json and the titles of the tests. With --check it writes nothing and fails when a page is
 * stale, a test quotes an id that nobody defined, or the version numbers disagree.
 *
 *   node tools/docs.mjs [--check] [repository]
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { TABLES } from "./check-layers.mjs";
import { renderConfigSchema, renderSettings } from "./config-schema.mjs";
import {
  fillMarkers,
  invariantIds,
  promiseIds,
  renderApi,
  renderCommands,
  renderConfiguration,
  renderDecisions,
  renderErrors,
  renderEvents,
  renderHooks,
  renderLayers,
  renderProofs,
  undescribed,
} from "./doc-pages.mjs";
import { readApi } from "./public-api.mjs";
import { quotedIds } from "./test-titles.mjs";

const args = process.argv.slice(2);
const checkOnly = args.includes("--check");
const home = resolve(args.find((arg) => arg !== "--check") ?? fileURLToPath(new URL("..", import.meta.url)));

const problems = [];
const proofs = findProofs();
const promises = promiseIds(read("docs/promises.md"));
const invariants = existsSync(join(home, "CONTRIBUTING.md")) ? invariantIds(read("CONTRIBUTING.md")) : [];
checkIds();
await checkVersion();

const stale = [];
for (const [file, text] of Object.entries(await renderPages())) {
  if (existsSync(join(home, file)) && read(file) === text) continue;
  stale.push(file);
  if (!checkOnly) {
    mkdirSync(dirname(join(home, file)), { recursive: true });
    writeFileSync(join(home, file), text);
    console.log(`wrote ${file}`);
  }
}
if (checkOnly && stale.length > 0) problems.push(`stale: ${stale.join(", ")} — run npm run docs`);
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;

async function renderPages() {
  const proofTables = [renderProofs(promises, proofs)];
  if (invariants.length > 0) {
    proofTables.push("The invariants of [CONTRIBUTING.md](../CONTRIBUTING.md):", renderProofs(invariants, proofs));
  }
  const layerTables = TABLES.map((name) => renderLayers(JSON.parse(read(name))));
  return {
    "docs/reference/errors.md": renderErrors(await importBuilt("model/error-codes.js")),
    "docs/reference/events.md": renderEvents({
      ...(await importBuilt("model/events.js")),
      ...(await importBuilt("model/event-rules.js")),
    }),
    "docs/guide/configuration.md": fill(
      "docs/guide/configuration.md",
      "settings",
      renderSettings(await importBuilt("config/settings.js")),
    ),
    "docs/reference/configuration.md": renderConfiguration(await importBuilt("config/settings.js")),
    "docs/reference/api.md": renderDoors(),
    "packages/sdk/config.schema.json": renderConfigSchema(await importBuilt("config/config-schema.js")),
    "docs/reference/hooks.md": renderHooks(await importBuilt("model/hook-types.js")),
    "docs/reference/loop-decisions.md": renderDecisions({
      ...(await importBuilt("loop/rules/guard-rules.js")),
      ...(await importBuilt("loop/rules/decision-rules.js")),
    }),
    "docs/reference/cli.md": renderCommands({
      ...(await importBuilt("cli/grammar/command-table.js")),
      ...(await importBuilt("cli/grammar/command-spec.js")),
    }),
    "docs/promises.md": fill("docs/promises.md", "proofs", proofTables.join("\n\n")),
    "ARCHITECTURE.md": fill("ARCHITECTURE.md", "layers", layerTables.join("\n\n")),
  };
}

function renderDoors() {
  const { name, exports = {} } = JSON.parse(read("packages/sdk/package.json"));
  const doors = Object.entries(exports).filter(([, target]) => target.types !== undefined);
  const readDoor = ([entry, { types }]) => [entry, readApi(join(home, "packages/sdk", types))];
  const entries = Object.fromEntries(doors.map(readDoor));
  for (const [entry, exported] of undescribed(entries))
    problems.push(`${exported}, which ${join(name, entry)} exports, has no comment: say above it what it is`);
  return renderApi(name, entries);
}

/** Every id that a test quotes, in the order of files and titles. */
function findProofs() {
  const files = ["packages", "tests"].flatMap((folder) =>
    readdirSync(join(home, folder), { recursive: true }).map((name) => join(folder, name)),
  );
  return files
    .map((file) => file.split(sep).join("/"))
    .filter((file) => file.endsWith(".test.ts") && !/(^|\/)(node_modules|dist)\//u.test(file))
    .toSorted((a, b) => (a < b ? -1 : 1))
    .flatMap((file) => quotedIds(file, read(file)).flatMap(({ ids, title }) => ids.map((id) => ({ id, title, file }))));
}

function checkIds() {
  const known = [...promises, ...invariants];
  const again = known.filter((id, i) => known.indexOf(id) !== i);
  problems.push(...again.map((id) => `${id} is defined twice`));
  for (const { id, title, file } of proofs) {
    if (!known.includes(id))
      problems.push(`${file}: "${title}" quotes ${id}, which neither docs/promises.md nor CONTRIBUTING.md defines`);
  }
}

async function checkVersion() {
  const { VERSION } = await importBuilt("model/version.js");
  const { version } = JSON.parse(read("packages/sdk/package.json"));
  if (VERSION !== version)
    problems.push(`packages/sdk/src/model/version.ts says ${VERSION}, packages/sdk/package.json says ${version}`);
}

function fill(file, name, content) {
  try {
    return fillMarkers(read(file), name, content);
  } catch (error) {
    throw new Error(`${file}: ${error.message}`, { cause: error });
  }
}

async function importBuilt(module) {
  const path = join(home, "packages/sdk/dist", module);
  if (!existsSync(path)) throw new Error(`${relative(home, path)} does not exist — run npm run build first`);
  return import(pathToFileURL(path).href);
}

function read(file) {
  return readFileSync(join(home, file), "utf8");
}
