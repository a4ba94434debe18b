import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { parseSync } from "oxc-parser";

/** The declarations of everything that a file of declarations exports, by name, with what is said about them. */
export function readApi(entry) {
  const found = [...exportsOf(readDeclarations(entry))].map(([name, place]) => [
    name,
    `${place.name === name ? "" : `// as ${name}\n`}${textOf(place)}`,
  ]);
  return Object.fromEntries(found.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function readDeclarations(path) {
  const source = readFileSync(path, "utf8");
  const { program, comments, errors } = parseSync(path, source, { lang: "dts", sourceType: "module" });
  if (errors.length > 0) throw new Error(`${path}: ${errors[0].message}`);
  const file = { path, source, comments, declarations: new Map(), imports: new Map(), exports: new Map(), all: [] };
  for (const node of program.body) addStatement(file, node);
  return file;
}

function addStatement(file, node) {
  if (node.type === "ImportDeclaration") {
    for (const { local, imported } of node.specifiers)
      if (imported) file.imports.set(local.name, { from: node.source.value, name: imported.name });
  } else if (node.type === "ExportAllDeclaration") {
    file.all.push(node.source.value);
  } else if (node.type === "ExportNamedDeclaration" && node.declaration === null) {
    for (const { local, exported: given } of node.specifiers)
      file.exports.set(given.name, { from: node.source?.value, name: local.name });
  } else if (node.type === "ExportNamedDeclaration") {
    for (const name of addDeclaration(file, node.declaration)) file.exports.set(name, { name });
  } else {
    addDeclaration(file, node);
  }
}

/** Answers the names; a function has one declaration for each of its signatures. */
function addDeclaration({ declarations }, node) {
  const names = (node.declarations ?? [node]).flatMap(({ id }) => id?.name ?? []);
  for (const name of names) declarations.set(name, [...(declarations.get(name) ?? []), node]);
  return names;
}

/** Every exported name with the file that declares it and its name there. */
function* exportsOf(file) {
  for (const [name, exit] of file.exports) yield [name, declared(file, exit)];
  for (const from of file.all) yield* exportsOf(readDeclarations(beside(file, from)));
}

function declared(file, { from, name }) {
  if (from !== undefined) return exported(readDeclarations(beside(file, from)), name);
  if (file.declarations.has(name)) return { file, name };
  const handedOn = file.imports.get(name);
  if (handedOn !== undefined) return declared(file, handedOn);
  throw new Error(`${file.path} does not declare ${name}`);
}

function exported(file, name) {
  const place = new Map(exportsOf(file)).get(name);
  if (place === undefined) throw new Error(`${file.path} does not export ${name}`);
  return place;
}

function beside({ path }, from) {
  return resolve(dirname(path), from.replace(/\.js$/u, ".d.ts"));
}

function textOf({ file: { source, comments, declarations }, name }) {
  return declarations
    .get(name)
    .map(({ start, end }) => {
      const said = comments.findLast(
        (comment) => comment.end <= start && /^\s*(?:export )?$/u.test(source.slice(comment.end, start)),
      );
      const doc = said === undefined ? "" : `${source.slice(said.start, said.end)}\n`;
      return doc + source.slice(start, end).replace(/^declare /u, "");
    })
    .join("\n");
}
