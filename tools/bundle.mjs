/**
 * Builds what tsc does not: the command line, the files of the library that need a package, which is built into them, so
 * that an installed package needs no dependency, and the pages of the inbox.
 *
 *   node tools/bundle.mjs [--sizes]
 */
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";
import { build as buildPages } from "vite";
import { PAGE_CONFIGS, sourcesOf, stampBuild } from "./build-stamp.mjs";
import { lazyBuiltins } from "./lazy-builtins.mjs";
import { minified } from "./minified.mjs";

const home = fileURLToPath(new URL("..", import.meta.url));
const sdk = join(home, "packages/sdk");
const sources = sourcesOf(home);
const tellsSizes = process.argv.includes("--sizes");

/**
 * Built apart, each as one file. Hosts wait for the hooks at every end of a turn: what V8 has compiled of them is kept
 * (load/code-cache.ts), and that works for one file. The
 * stripper and the validator of inputs are nearly all foreign code, which nobody reads here.
 */
const ALONE = [
  { entry: "src/machine/agents/answer-hook", file: "host-hooks.cjs" },
  { entry: "src/load/strip-types", file: "strip-types.cjs" },
  { entry: "src/machine/check-inputs", file: "check-inputs.cjs" },
];
const MAIN = "src/cli/main";
/** The entry of programs that show runs and pass on decisions. It shares the files of the command line. */
const OPERATE = { entry: "src/operate", file: "operate.cjs" };
const COMMAND_TABLE = { entry: "src/cli/command-loaders", file: "command-loaders.cjs" };

/** Leaves the given modules to the files they are built into. */
const leaveTo = (siblings) => ({
  name: "leave-to-siblings",
  resolveId(id, importer) {
    if (importer === undefined || !id.startsWith(".")) return null;
    const module = relative(sdk, resolve(dirname(importer), id)).replace(/\.[jt]s$/u, "");
    const sibling = siblings.find(({ entry }) => entry === module);
    return sibling ? { id: `./${sibling.file}`, external: true } : null;
  },
});

/** What the library builds in shares its other modules instead of carrying copies; executors are none of them. */
const ownModulesStayOutside = {
  name: "own-modules-stay-outside",
  resolveId(id, importer) {
    if (!importer?.startsWith(join(sdk, "src")) || !id.startsWith(".")) return null;
    return resolve(dirname(importer), id).startsWith(join(sdk, "src/effects/")) ? null : { id, external: true };
  },
};

/**
 * Every command is a file of its own, read when it is asked for. What all starts need is in `babysitter.cjs`, which
 * hosts call most of the time for nothing. What several commands need is there once, in the first of these files that
 * has a place for it, else in `shared.cjs`: who only looks at runs does not read what plays a process, and who plays
 * one does not read what checks a loop. Each file needs only those above it. `operate.cjs` moves nothing into
 * them: what it shares with a single command is a file that those two read.
 */
const SHELVES = [
  { file: "command-loaders", neededBy: [COMMAND_TABLE.entry] },
  { file: "help-texts", neededBy: commandsNamed("help") },
  {
    file: "looking",
    neededBy: commandsNamed("run-list", "run-status", "run-events", "task-list", "breakpoint-list", "report"),
  },
  { file: "playing", neededBy: commandsNamed("run-iterate", "task-post") },
].map((shelf) => ({ ...shelf, modules: new Set() }));

function commandsNamed(...names) {
  return names.map((name) => `src/cli/commands/${name}`);
}

/** How many parts of the command line that are read on their own need a module. */
const users = new Map();
const neededByStart = new Set();
const isShared = (id) => users.get(id) > 1;

/** Puts on each shelf what its commands import, directly or not, as soon as they are read. */
const fillShelves = {
  name: "fill-shelves",
  buildEnd() {
    const add = (modules, id) => {
      if (modules.has(id)) return;
      modules.add(id);
      for (const imported of this.getModuleInfo(id)?.importedIds ?? []) add(modules, imported);
    };
    const fileOf = (entry) => join(sdk, `${entry}.ts`);
    for (const { neededBy, modules } of SHELVES) for (const entry of neededBy) add(modules, fileOf(entry));
    add(neededByStart, fileOf(MAIN));
    const starts = [...this.getModuleIds()].filter((id) => this.getModuleInfo(id)?.dynamicImporters.length > 0);
    for (const start of [fileOf(MAIN), ...starts]) {
      const modules = new Set();
      add(modules, start);
      for (const id of modules) users.set(id, (users.get(id) ?? 0) + 1);
    }
  },
};

const commandLine = {
  input: { babysitter: `${MAIN}.ts`, operate: `${OPERATE.entry}.ts` },
  plugins: [leaveTo(ALONE), fillShelves],
  output: {
    format: "cjs",
    entryFileNames: "[name].cjs",
    chunkFileNames: ({ name }) => (name === "src" ? "sdk.cjs" : "[name].cjs"),
    codeSplitting: {
      // Of equal ones the first counts.
      groups: [
        { name: "babysitter", test: (id) => neededByStart.has(id) },
        ...SHELVES.map(({ file, modules }) => ({
          name: file,
          test: (id) => modules.has(id) && isShared(id),
          minShareCount: 2,
        })),
        { name: "shared", test: isShared, minShareCount: 2 },
      ],
    },
  },
};

const alone = ({ entry, file }) => ({
  input: `${entry}.ts`,
  plugins: [leaveTo([...ALONE, COMMAND_TABLE].filter((sibling) => sibling.entry !== entry))],
  output: { format: "cjs", file, codeSplitting: false },
});

/** A file of the library that needs a package, which is built into it. It is read on demand. */
const CHECK_INPUTS = {
  input: "src/machine/check-inputs.ts",
  plugins: [ownModulesStayOutside],
  output: { format: "es", entryFileNames: "machine/check-inputs.js", minify: true, codeSplitting: false },
};

/** The compiler is large, and uses nothing else of ours: the library reads the file of the command line. */
const STRIP_TYPES = {
  fileName: "load/strip-types.js",
  code: 'import door from "../cli/strip-types.cjs";\nexport const { stripTypes } = door;\n',
};

/** The licence of packages that leave the choice. */
const CHOSEN = { dompurify: "Apache-2.0" };

const pages = Promise.all(PAGE_CONFIGS.map((name) => buildPages({ configFile: join(home, name) })));
const built = await Promise.all([commandLine, ...ALONE.map(alone)].map(build));
refuseCopies(built[0]);
const programs = await Promise.all(
  built.flat().map(async (chunk) => ({ ...chunk, code: await minified(chunk.fileName, forNode(chunk.code)) })),
);
const library = await build(CHECK_INPUTS);
write("dist/cli", programs);
write("dist", [...library, STRIP_TYPES, doorOf(OPERATE)]);
removeOthers(join(sdk, "dist/cli"), programs);
chmodSync(join(sdk, "dist/cli/babysitter.cjs"), 0o755);
writeLauncher(join(sdk, "dist/cli/bin/babysitter"));
writeFileSync(join(sdk, "dist/third-party-licenses.txt"), renderLicenses(inlinedPackages([...programs, ...library])));
const pageChunks = (await pages).flatMap(({ output }) => output).filter(({ type }) => type === "chunk");
writeFileSync(
  join(home, "packages/breakpoints/dist/third-party-licenses.txt"),
  renderLicenses(inlinedPackages(pageChunks)),
);
stampBuild(home, sources);

async function build({ input, plugins, output }) {
  const warnings = [];
  const bundle = await rolldown({
    cwd: sdk,
    input,
    platform: "node",
    // ES modules first: of CommonJS packages nothing can be left out.
    resolve: { mainFields: ["module", "main"] },
    plugins,
    // A busy machine is no reason to fail.
    checks: { bundlerTimings: false },
    onLog: (level, log) => level === "warn" && warnings.push(log.message),
  });
  const { output: chunks } = await bundle.generate({ ...output, comments: false, strict: true });
  await bundle.close();
  if (warnings.length > 0) throw new Error(`${JSON.stringify(input)} was not built:\n${warnings.join("\n")}`);
  for (const chunk of chunks) refuseStrayImports(chunk, chunks);
  return chunks.map(({ fileName, code, moduleIds, exports }) => ({ fileName, code, moduleIds, exports }));
}

function forNode(code) {
  const required = [...ALONE, COMMAND_TABLE].reduce(
    (text, { file }) => text.replaceAll(`import("./${file}")`, `Promise.resolve().then(() => require("./${file}"))`),
    code,
  );
  return lazyBuiltins(required);
}

function write(folder, chunks) {
  for (const { fileName, code } of chunks) {
    const isProgram = fileName === "babysitter.cjs";
    const file = join(sdk, folder, fileName);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, isProgram ? `#!/usr/bin/env node\n${code}` : code);
    if (tellsSizes) console.log(`${folder}/${fileName} ${(Buffer.byteLength(code) / 1024).toFixed(1)} KiB`);
  }
}

/**
 * What a program gets that imports an entry which shares the files of the command line. Loading those must not start the
 * command line (src/cli/main.ts).
 */
function doorOf({ entry, file }) {
  const { exports } = built[0].find(({ fileName }) => fileName === file);
  const code = `import { createRequire } from "node:module";
const loading = Symbol.for("@a5c-ai/babysitter-sdk/loading");
globalThis[loading] = true;
const door = createRequire(import.meta.url)("./cli/${file}");
delete globalThis[loading];
export const { ${exports.toSorted().join(", ")} } = door;
`;
  return { fileName: `${relative("src", entry)}.js`, code };
}

function removeOthers(folder, chunks) {
  const wanted = new Set(chunks.map(({ fileName }) => fileName));
  for (const name of readdirSync(folder)) if (name.endsWith(".cjs") && !wanted.has(name)) rmSync(join(folder, name));
}

function inlinedPackages(chunks) {
  const found = chunks
    .flatMap(({ moduleIds }) => moduleIds)
    .map((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/u.exec(id)?.[0])
    .filter((dir) => dir !== undefined);
  return [...new Set(found)].toSorted((a, b) => (a < b ? -1 : 1));
}

/** The command line under the name that people type, for the PATH of hooks. */
function writeLauncher(path) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, '#!/bin/sh\nexec "$(dirname "$0")/../babysitter.cjs" "$@"\n');
  chmodSync(path, 0o755);
}

/** A bundle may need Node and files of this package, nothing that has to be installed. */
function refuseStrayImports({ fileName, imports, dynamicImports }, chunks) {
  const files = new Set(chunks.map((chunk) => chunk.fileName));
  const stray = [...imports, ...dynamicImports].filter((id) => !isBuiltin(id) && !id.startsWith(".") && !files.has(id));
  if (stray.length > 0)
    throw new Error(`${fileName} would need packages that are not installed with it: ${stray.join(", ")}`);
}

/** A module that is in two files of one program has its state twice. */
function refuseCopies(chunks) {
  const modules = chunks.flatMap(({ moduleIds }) => moduleIds);
  const copies = modules.filter((id, at) => modules.indexOf(id) !== at);
  if (copies.length > 0) throw new Error(`The command line has these modules twice: ${copies.join(", ")}`);
}

function renderLicenses(packageDirs) {
  const sections = packageDirs.map((dir) => {
    const manifest = JSON.parse(readFileSync(join(dir, "package.json"), "utf8"));
    const { name, version, license } = manifest;
    const file = readdirSync(dir).find((entry) => /^licen[cs]e/iu.test(entry));
    const text = file ? readFileSync(join(dir, file), "utf8") : statedLicense(dir, manifest);
    return `${name} ${version} (${CHOSEN[name] ?? license})\n\n${text.trim()}\n`;
  });
  return ["The files of this package contain code of these packages.\n", ...sections].join(`\n${"-".repeat(72)}\n\n`);
}

/** Some packages only name their licence and author; the words of the MIT licence are always the same. */
function statedLicense(dir, { license, author }) {
  const holder = typeof author === "string" ? author : author?.name;
  if (license !== "MIT" || !holder)
    throw new Error(`${relative(home, dir)} has no license file, so it must not be inlined`);
  return readFileSync(join(home, "LICENSE"), "utf8").replace(/^Copyright .*$/mu, `Copyright (c) ${holder}`);
}
