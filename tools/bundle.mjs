/**
 * Builds what tsc does not: the command line as one CommonJS file with the driver beside it, and the two
 * forms of the TypeScript stripper with its compiler inside, so that an installed package needs no dependency.
 *
 *   node tools/bundle.mjs [package directory] [--sizes]
 */
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";
import { asciiOnly } from "./ascii-only.mjs";
import { lazyBuiltins } from "./lazy-builtins.mjs";

const home = fileURLToPath(new URL("..", import.meta.url));
const [place] = process.argv.slice(2).filter((argument) => !argument.startsWith("--"));
const sdk = resolve(place ?? join(home, "packages/sdk"));
const tellsSizes = process.argv.includes("--sizes");

/**
 * What most commands never need is left in files of its own, read when it is asked for: every hook pays for
 * the size of the command line. The driver brings its own copies of what it shares with the other commands.
 */
const SIBLINGS = [
  { module: "src/cli/command-loaders", file: "./commands.cjs" },
  { module: "src/hosts/answer/answer-host", file: "./host-hooks.cjs" },
  { module: "src/load/strip-types", file: "./strip-types.cjs" },
  { module: "src/cli/commands/run", file: "./run.cjs" },
  { module: "src/machine/programs/task-runner", file: "./task-runner.cjs" },
];

const siblingsStayOutside = {
  name: "siblings-stay-outside",
  resolveId(id, importer) {
    if (importer === undefined || !id.startsWith(".")) return null;
    const module = relative(sdk, resolve(dirname(importer), id)).replace(/\.[jt]s$/u, "");
    const sibling = SIBLINGS.find((candidate) => candidate.module === module);
    return sibling ? { id: sibling.file, external: true } : null;
  },
  renderChunk(code) {
    const required = SIBLINGS.reduce(
      (text, { file }) => text.replaceAll(`import("${file}")`, `Promise.resolve().then(() => require("${file}"))`),
      code,
    );
    return lazyBuiltins(required);
  },
};

/** The library's stripper shares the other modules of the library instead of carrying copies. */
const ownModulesStayOutside = {
  name: "own-modules-stay-outside",
  resolveId: (id, importer) =>
    importer?.startsWith(join(sdk, "src")) && id.startsWith(".") ? { id, external: true } : null,
};

// The stripper is nearly all foreign code, which nobody reads here, and hosts wait for the hooks at every end of a
// turn; everything else stays readable.
const TARGETS = [
  {
    entry: "src/cli/main.ts",
    file: "dist/cli/babysitter.cjs",
    format: "cjs",
    plugin: siblingsStayOutside,
    executable: true,
  },
  { entry: "src/cli/command-loaders.ts", file: "dist/cli/commands.cjs", format: "cjs", plugin: siblingsStayOutside },
  {
    entry: "src/hosts/answer/answer-host.ts",
    file: "dist/cli/host-hooks.cjs",
    format: "cjs",
    minify: true,
    plugin: siblingsStayOutside,
  },
  { entry: "src/cli/commands/run.ts", file: "dist/cli/run.cjs", format: "cjs", plugin: siblingsStayOutside },
  {
    entry: "src/machine/programs/task-runner.ts",
    file: "dist/cli/task-runner.cjs",
    format: "cjs",
    plugin: siblingsStayOutside,
  },
  { entry: "src/load/strip-types.ts", file: "dist/cli/strip-types.cjs", format: "cjs", minify: true },
  {
    entry: "src/load/strip-types.ts",
    file: "dist/load/strip-types.js",
    format: "es",
    minify: true,
    plugin: ownModulesStayOutside,
  },
];

const inlined = new Set();
for (const target of TARGETS) {
  const chunk = await build(target);
  for (const id of chunk.moduleIds) {
    const packageDir = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/u.exec(id)?.[0];
    if (packageDir) inlined.add(packageDir);
  }
  if (tellsSizes) console.log(`${target.file} ${(Buffer.byteLength(chunk.code) / 1024).toFixed(1)} KiB`);
}
writeLauncher(join(sdk, "dist/cli/bin/babysitter"));
writeFileSync(
  join(sdk, "dist/third-party-licenses.txt"),
  renderLicenses([...inlined].toSorted((a, b) => (a < b ? -1 : 1))),
);

async function build({ entry, file, format, minify = false, plugin, executable }) {
  const warnings = [];
  const bundle = await rolldown({
    cwd: sdk,
    input: entry,
    platform: "node",
    // ES modules first: of CommonJS packages nothing can be left out.
    resolve: { mainFields: ["module", "main"] },
    plugins: plugin ? [plugin] : [],
    // A busy machine is no reason to fail.
    checks: { bundlerTimings: false },
    onLog: (level, log) => level === "warn" && warnings.push(log.message),
  });
  const { output } = await bundle.generate({
    format,
    file,
    minify,
    codeSplitting: false,
    comments: false,
    strict: true,
  });
  await bundle.close();
  if (warnings.length > 0) throw new Error(`${file} was not built:\n${warnings.join("\n")}`);
  const [chunk] = output;
  refuseStrayImports(file, chunk);
  const path = join(sdk, file);
  mkdirSync(dirname(path), { recursive: true });
  const code = minify && format === "cjs" ? asciiOnly(chunk.code) : chunk.code;
  writeFileSync(path, executable ? `#!/usr/bin/env node\n${code.replace(/^#!.*\n/u, "")}` : code);
  if (executable) chmodSync(path, 0o755);
  return chunk;
}

/** The command line under the name that people type, for the PATH of hooks. */
function writeLauncher(path) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, '#!/bin/sh\nexec "$(dirname "$0")/../babysitter.cjs" "$@"\n');
  chmodSync(path, 0o755);
}

/** A bundle may need Node and files of this package, nothing that has to be installed. */
function refuseStrayImports(file, chunk) {
  const stray = [...chunk.imports, ...chunk.dynamicImports].filter((id) => !isBuiltin(id) && !id.startsWith("."));
  if (stray.length > 0)
    throw new Error(`${file} would need packages that are not installed with it: ${stray.join(", ")}`);
}

function renderLicenses(packageDirs) {
  const sections = packageDirs.map((dir) => {
    const manifest = JSON.parse(readFileSync(join(dir, "package.json"), "utf8"));
    const { name, version, license } = manifest;
    const file = readdirSync(dir).find((entry) => /^licen[cs]e/iu.test(entry));
    const text = file ? readFileSync(join(dir, file), "utf8") : statedLicense(dir, manifest);
    return `${name} ${version} (${license})\n\n${text.trim()}\n`;
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
