/** `babysitter init`: creates what a project needs and does not have. */

import fs from "node:fs";
import path from "node:path";
import { readConfigFile } from "../../config/read-config.js";
import type { Check } from "../../config/setting-types.js";
import { detectChecks } from "../../machine/project/detect-checks.js";
import { type PlacedFile, placeFile, placeLines } from "../../machine/project/place-files.js";
import { explainPlaces, isFolder } from "../../machine/project/project-root.js";
import { contentOf, rootFiles } from "../../machine/project/root-files.js";
import {
  ATTRIBUTES_LINE,
  configText,
  EDITOR_FILES,
  EXAMPLE_FILES,
  editorText,
  exampleText,
  ignoredLines,
  type Language,
  RUNS_LINE,
  schemaText,
} from "../../machine/project/templates.js";
import { BabysitterError } from "../../model/errors.js";
import { inLine } from "../../model/terminal-text.js";
import type { Command, Invocation } from "../grammar/invocation.js";
import { alignColumns } from "../output/output.js";

export const command: Command = async (invocation) => {
  const { projectRoot, why } = explainPlaces(invocation.places(), invocation.env, invocation.options.text("runs-dir"));
  checkRoot(projectRoot);
  const trackRuns = invocation.options.flag("track-runs");
  const language = languageOf(projectRoot, invocation.options.flag("ts"));
  const detected = detectChecks(rootFiles(projectRoot));
  const files = [...placeAll(projectRoot, { trackRuns, language, detected })];
  const isDone = files.every(({ outcome }) => outcome === "kept");
  const next = isDone ? [] : nextSteps(invocation, projectRoot, language);
  const document = { projectRoot, why, trackRuns, files, detectedChecks: detected, changed: !isDone, next };
  const lines = [
    `Project ${inLine(projectRoot)} (${why})`,
    "",
    alignColumns(files.map(({ outcome, file, note }) => [`  ${outcome}`, file, note ?? ""])),
    "",
    ...(isDone
      ? ["Nothing to do: everything is already set up."]
      : [foundText(detected), "next:", ...next.map((step) => `  ${inLine(step)}`)]),
  ];
  return { document, text: lines.join("\n") };
};

function checkRoot(root: string): void {
  const home = path.join(root, ".a5c");
  if (!isFolder(root)) throw unusable(root, "the folder does not exist");
  if (fs.lstatSync(home, { throwIfNoEntry: false }) !== undefined && !isFolder(home))
    throw unusable(home, "it is a file, but babysitter needs a folder there");
}

function unusable(place: string, why: string): BabysitterError {
  return new BabysitterError("PROJECT_UNWRITABLE", `${place} cannot be set up: ${why}.`, {
    hint: "Move it away, or choose another project by changing the current folder or REPO_ROOT.",
    details: { path: place },
  });
}

/** Whoever clones a project gets the language that it was set up with. */
function languageOf(root: string, wantsTypeScript: boolean): Language {
  const isTypeScript = wantsTypeScript || fs.existsSync(path.join(root, EXAMPLE_FILES.typescript));
  return isTypeScript ? "typescript" : "javascript";
}

function* placeAll(
  root: string,
  { trackRuns, language, detected }: { trackRuns: boolean; language: Language; detected: Check[] },
): Generator<PlacedFile> {
  const config = placeFile(root, ".a5c/config.json", configText(detected));
  yield config.outcome === "kept" ? { ...config, ...noteOnConfig(root, detected) } : config;
  yield placeIgnores(root, trackRuns, language);
  if (isInGit(root)) yield placeLines(root, ".gitattributes", { lines: [ATTRIBUTES_LINE] });
  yield placeFile(root, EXAMPLE_FILES[language], exampleText(language));
  yield placeLocal(root, ".a5c/config.schema.json", schemaText());
  const types = typesDir(root);
  if (types !== undefined) yield placeLocal(root, EDITOR_FILES[language], editorText(types));
}

/** Whether runs are tracked is decided when the file is made, or by asking for it; later calls leave it alone. */
function placeIgnores(root: string, trackRuns: boolean, language: Language): PlacedFile {
  const file = ".a5c/.gitignore";
  const lines = ignoredLines({ trackRuns, language });
  if (trackRuns) return placeLines(root, file, { lines, without: [RUNS_LINE] });
  const exists = fs.existsSync(path.join(root, file));
  return placeLines(root, file, { lines: exists ? lines.filter((line) => line !== RUNS_LINE) : lines });
}

/** Files of this installation: another one may have made them differently. */
function placeLocal(root: string, file: string, text: string): PlacedFile {
  const placed = placeFile(root, file, text);
  if (placed.outcome === "made" || contentOf(path.join(root, file)) === text) return placed;
  return { ...placed, note: "it differs from what this version generates; delete it and run init again to update it" };
}

function noteOnConfig(root: string, detected: Check[]): { note?: string } {
  try {
    const found = readConfigFile(path.join(root, ".a5c", "config.json"), "team")?.settings.get("checks");
    const known = ((found?.value ?? []) as Check[]).map(({ command: line }) => line);
    const missing = detected.filter(({ command: line }) => !known.includes(line));
    return missing.length === 0
      ? {}
      : { note: `found, but not in its checks: ${missing.map((check) => check.command).join(", ")}` };
  } catch (error) {
    if (!BabysitterError.is(error)) throw error;
    return { note: "it is invalid; see babysitter config:show" };
  }
}

function foundText(checks: readonly Check[]): string {
  if (checks.length === 0) return "Found no checks; add commands that verify your work to .a5c/config.json.";
  return `Found checks: ${checks.map((check) => check.command).join(", ")}`;
}

function nextSteps({ cwd }: Invocation, root: string, language: Language): string[] {
  const inFolder = (file: string): string => path.relative(cwd, path.join(root, file)) || ".";
  return [
    `babysitter run ${inFolder(EXAMPLE_FILES[language])}`,
    `babysitter process:check ${inFolder(EXAMPLE_FILES[language])}`,
    "babysitter config:show --origin",
    ...(isInGit(root) ? [`git add ${inFolder(".a5c")} ${inFolder(".gitattributes")}`] : []),
  ];
}

function isInGit(root: string): boolean {
  for (let dir = root; ; dir = path.dirname(dir)) {
    if (fs.existsSync(path.join(dir, ".git"))) return true;
    if (dir === path.dirname(dir)) return false;
  }
}

/** The types beside this very program; through the project's own installation where that is the same. */
function typesDir(root: string): string | undefined {
  const dist = path.dirname(path.dirname(fs.realpathSync(process.argv[1] as string)));
  if (!fs.existsSync(path.join(dist, "index.d.ts"))) return undefined;
  const installed = "node_modules/@a5c-ai/babysitter-sdk/dist";
  const own = path.join(root, installed);
  const isSame = fs.existsSync(own) && fs.realpathSync(own) === dist;
  return isSame ? `../${installed}` : dist.split(path.sep).join("/");
}
