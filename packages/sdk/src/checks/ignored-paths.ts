/** What never belongs to the working tree, and what belongs to it although git ignores it. */

/** What the engine itself writes, in the project and in projects inside it. */
const ENGINE_FILES = /(?:^|\/)(?:\.a5c\/runs|\.loop)(?:\/|$)/u;

/** True for paths, relative to the project, that change because the engine works. */
export function isEngineFile(name: string): boolean {
  return ENGINE_FILES.test(name);
}

/** The same for git, as arguments behind `--`. */
export const WITHOUT_ENGINE_FILES = [".", ":(exclude,glob)**/.a5c/runs/**", ":(exclude,glob)**/.loop/**"];

/** Say which versions of other people's code are used; where git ignores them they count all the same. */
export const LOCK_FILES = [
  "Cargo.lock",
  "Gemfile.lock",
  "Pipfile.lock",
  "Podfile.lock",
  "bun.lock",
  "bun.lockb",
  "composer.lock",
  "deno.lock",
  "flake.lock",
  "go.sum",
  "gradle.lockfile",
  "mix.lock",
  "npm-shrinkwrap.json",
  "package-lock.json",
  "packages.lock.json",
  "pdm.lock",
  "pnpm-lock.yaml",
  "poetry.lock",
  "pubspec.lock",
  "uv.lock",
  "yarn.lock",
];
