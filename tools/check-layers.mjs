/**
 * Holds the sources to layers.json, those of the inbox to a table of their own. Every folder is a room with a row of its own, and imports only what that row
 * allows; a file may have a row too. No chain of rows leads back to where it began. Type imports count like value
 * imports, because they tie rooms together all the same.
 *
 *   node tools/check-layers.mjs
 */
import { readdirSync, readFileSync, realpathSync } from "node:fs";
import { isBuiltin } from "node:module";
import { join, posix, relative, sep } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseSync, Visitor } from "oxc-parser";

/** One for each package. */
export const TABLES = ["layers.json", "packages/breakpoints/layers.json"];

const VAGUE = ["util", "helper", "common", "shared", "misc", "support", "manager", "service", "impl"];
const VAGUE_NAME = new RegExp(`(^|-)(${VAGUE.join("|")})s?$`, "u");

/**
 * Everything that breaks the table, in the order of the files.
 * `files` have paths relative to the table's root, with forward slashes, and their text.
 */
export function findViolations(table, files) {
  if (files.length === 0) return [gap(".", "no source file was found, so nothing was checked")];
  return [
    ...findTableGaps(table, files),
    ...files.flatMap((file) => [...findVagueNames(file), ...findBadImports(table, file)]),
  ];
}

/** Rooms without a row, rows without a room, rows that name a room which does not exist, and circles of rows. */
function findTableGaps({ layers }, files) {
  const present = new Set(files.filter((file) => !isTest(file.path)).map((file) => roomOf(layers, file.path)));
  const names = Object.keys(layers);
  return [
    ...[...present]
      .filter((name) => !Object.hasOwn(layers, name))
      .map((name) => gap(name, "has no row in layers.json")),
    ...names
      .filter((name) => !present.has(name))
      .map((name) => gap(name, "has a row in layers.json, but no source file")),
    ...names.flatMap((name) =>
      layers[name].imports
        .filter((entry) => roomsOf(layers, entry).length === 0)
        .map((entry) => gap(name, `is allowed to import ${entry}, which has no row in layers.json`)),
    ),
    ...findCircles(layers).map((circle) => gap(circle[0], `may import itself: ${circle.join(" → ")}`)),
  ];
}

/** The rooms that an entry of a row stands for: itself, or with `/*` everything below a folder. */
function roomsOf(layers, entry) {
  if (!entry.endsWith("/*")) return Object.hasOwn(layers, entry) ? [entry] : [];
  return Object.keys(layers).filter((name) => name.startsWith(entry.slice(0, -1)));
}

/** One way round for every room that the rows lead back to; each circle once. */
function findCircles(layers) {
  const circles = [];
  const done = new Set();
  const visit = (name, trail) => {
    if (trail.includes(name)) circles.push([...trail.slice(trail.indexOf(name)), name]);
    if (trail.includes(name) || done.has(name)) return;
    for (const next of (layers[name]?.imports ?? []).flatMap((entry) => roomsOf(layers, entry)))
      if (next !== name) visit(next, [...trail, name]);
    done.add(name);
  };
  for (const name of Object.keys(layers)) visit(name, []);
  return circles;
}

/** A finding about a whole file or folder. */
function gap(file, message) {
  return { file, line: 0, message };
}

function findVagueNames({ path }) {
  const vague = path.split("/").find((part) => VAGUE_NAME.test(part.replace(/\..*$/u, "")));
  return vague
    ? [{ file: path, line: 0, message: `${vague} says nothing about what is inside; name it for its concept` }]
    : [];
}

function findBadImports({ layers }, { path, source }) {
  const room = roomOf(layers, path);
  const row = layers[room];
  if (isTest(path) || row === undefined) return [];
  return importsOf(path, source).flatMap(({ line, specifier }) => {
    const why = refusal(layers, path, specifier);
    if (why === undefined) return [];
    return [{ file: path, line, message: `${why} — ${room} may import: ${allowedBy(row).join(", ") || "nothing"}` }];
  });
}

/** Why this import is not allowed, or nothing when it is. */
function refusal(layers, path, specifier) {
  const room = roomOf(layers, path);
  const row = layers[room];
  if (specifier === undefined) return row.computedImports ? undefined : "imports a module whose name is computed";
  if (isBuiltin(specifier)) return refusalOfBuiltin(row, specifier);
  if (!/^\.{0,2}\//u.test(specifier)) {
    const name = specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/");
    return row.packages.includes(name) ? undefined : `imports the package ${specifier}`;
  }
  const target = posix.join(posix.dirname(path), specifier);
  if (specifier.startsWith("/") || target.startsWith(".."))
    return `imports ${specifier}, which lies outside the sources`;
  if (isTest(target)) return `imports the test ${specifier}`;
  const other = roomOf(layers, target.replace(/\.js(x?)$/u, ".ts$1"));
  const isAllowed = other === room || row.imports.some((entry) => roomsOf(layers, entry).includes(other));
  return isAllowed ? undefined : `imports ${other} (${specifier})`;
}

function refusalOfBuiltin(row, specifier) {
  if (!specifier.startsWith("node:")) return `imports ${specifier} without the prefix node:`;
  const allowed = row.builtins.some(
    (name) => name === "node:*" || name === specifier || specifier.startsWith(`${name}/`),
  );
  return allowed ? undefined : `imports ${specifier}`;
}

/** Everything that a row allows to import. */
export function allowedBy(row) {
  return [...row.imports, ...row.builtins, ...row.packages];
}

/** Every way a module can name another one. The specifier is missing where it is computed. */
function importsOf(path, source) {
  const parsed = parseSync(path, source);
  if (parsed.errors.length > 0) throw new Error(`${path} cannot be parsed: ${parsed.errors[0].message}`);
  const { staticImports, staticExports } = parsed.module;
  const requests = staticImports.map((statement) => [statement.start, statement.moduleRequest.value]);
  for (const { start, entries } of staticExports) {
    if (entries[0]?.moduleRequest) requests.push([start, entries[0].moduleRequest.value]);
  }
  if (MAY_HIDE_IMPORTS.test(source)) requests.push(...hiddenImportsOf(parsed.program));
  return requests
    .toSorted((a, b) => a[0] - b[0])
    .map(([start, specifier]) => ({ line: source.slice(0, start).split("\n").length, specifier }));
}

// Building the syntax tree takes most of the time, so it is built only for files that need it.
const MAY_HIDE_IMPORTS = /\bimport\s*\(|\brequire\b|\bgetBuiltinModule\b|\bexport\s*\{\s*\}/u;

/** The imports that the parser does not list by itself. */
function hiddenImportsOf(program) {
  const requests = [];
  const add = (node, target) => {
    if (target) requests.push([node.start, textOf(target)]);
  };
  new Visitor({
    ImportExpression: (node) => add(node, node.source),
    TSImportType: (node) => add(node, node.source),
    TSExternalModuleReference: (node) => add(node, node.expression),
    ExportNamedDeclaration: (node) => add(node, node.specifiers.length === 0 && node.source),
    CallExpression: (node) => {
      const callee = node.callee.type === "MemberExpression" ? node.callee.property : node.callee;
      if (callee.name === "require" || callee.name === "getBuiltinModule") add(node, node.arguments[0]);
    },
  }).visit(program);
  return requests;
}

/** The text of a string or of a template without expressions. */
function textOf(node) {
  if (node.type === "TemplateLiteral") return node.expressions.length === 0 ? node.quasis[0].value.cooked : undefined;
  return typeof node.value === "string" ? node.value : undefined;
}

/** The folder of a file; the file itself where it has a row, or where it lies in no folder. */
function roomOf(layers, path) {
  const folder = posix.dirname(path);
  return Object.hasOwn(layers, path) || folder === "." ? path : folder;
}

function isTest(path) {
  return /\.test\.[cm]?[jt]sx?$/u.test(path);
}

function readSources(root) {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.[cm]?tsx?$/u.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted((a, b) => (a < b ? -1 : 1))
    .map((path) => ({ path: relative(root, path).split(sep).join("/"), source: readFileSync(path, "utf8") }));
}

function main() {
  const home = fileURLToPath(new URL("..", import.meta.url));
  for (const name of TABLES) {
    const table = JSON.parse(readFileSync(join(home, name), "utf8"));
    const violations = findViolations(table, readSources(join(home, table.root)));
    for (const { file, line, message } of violations)
      console.error(`${posix.join(table.root, file)}${line > 0 ? `:${line}` : ""} ${message}`);
    if (violations.length > 0) process.exitCode = 1;
  }
}

if (process.argv[1] && import.meta.url === pathToFileURL(realpathSync(process.argv[1])).href) main();
