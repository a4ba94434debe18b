/** Which commands a project has for proving itself, by the files that it keeps. */
import type { Check } from "../../config/setting-types.js";
import { isJsonObject } from "../../model/json.js";

/** A look at the files in the root of a project. */
export interface RootFiles {
  /** Undefined when there is no such file. */
  read(name: string): string | undefined;
  has(name: string): boolean;
}

const NAMES = ["test", "lint", "typecheck", "build"];

/** Commands of several tools are all named; a name that is taken gets its tool in front. */
export function detectChecks(files: RootFiles): Check[] {
  const found = [
    ...tool("npm", fromPackageJson(files)),
    ...tool("make", fromMakefile(files)),
    ...tool("python", fromPython(files)),
    ...tool("cargo", files.has("Cargo.toml") ? { test: "cargo test", build: "cargo build" } : {}),
    ...tool("go", files.has("go.mod") ? { test: "go test ./...", lint: "go vet ./...", build: "go build ./..." } : {}),
  ];
  const checks: Check[] = [];
  for (const { tool: name, check } of found) {
    const isTaken = checks.some((other) => other.name === check.name);
    checks.push(isTaken ? { ...check, name: `${name}-${check.name}` } : check);
  }
  return checks;
}

type Commands = Partial<Record<string, string>>;

function tool(name: string, commands: Commands): { tool: string; check: Check }[] {
  return NAMES.flatMap((what) => {
    const command = commands[what];
    return command === undefined ? [] : [{ tool: name, check: { name: what, command } }];
  });
}

/** What npm writes into a new package.json: a script that says that there are no tests. */
const NO_TESTS = /no test specified/u;

function fromPackageJson(files: RootFiles): Commands {
  const manifest = parsed(files.read("package.json"));
  const scripts = isJsonObject(manifest) ? manifest["scripts"] : undefined;
  if (!isJsonObject(manifest) || !isJsonObject(scripts)) return {};
  const manager = packageManager(files, manifest["packageManager"]);
  const isReal = (name: string): boolean => {
    const script = Object.hasOwn(scripts, name) ? scripts[name] : undefined;
    return typeof script === "string" && script.trim() !== "" && !NO_TESTS.test(script);
  };
  const command = (name: string): string =>
    name === "test" && manager === "npm" ? "npm test" : `${manager} run ${name}`;
  return Object.fromEntries(NAMES.filter(isReal).map((name) => [name, command(name)]));
}

const LOCK_FILES: Record<string, string> = {
  "pnpm-lock.yaml": "pnpm",
  "yarn.lock": "yarn",
  "bun.lock": "bun",
  "bun.lockb": "bun",
};

function packageManager(files: RootFiles, stated: unknown): string {
  const named = typeof stated === "string" ? /^(npm|pnpm|yarn|bun)@/u.exec(stated)?.[1] : undefined;
  const lockFile = Object.keys(LOCK_FILES).find((name) => files.has(name));
  return named ?? (lockFile === undefined ? "npm" : (LOCK_FILES[lockFile] as string));
}

function fromMakefile(files: RootFiles): Commands {
  const text = ["GNUmakefile", "makefile", "Makefile"].map((name) => files.read(name)).find((found) => found);
  if (text === undefined) return {};
  // `name: …` is a rule, `name := …` an assignment, and a line that begins with a tab belongs to a rule.
  const targets = [...text.matchAll(/^([^\s#:=][^#:=\r\n\u2028\u2029]*):{1,2}(?!=)/gmu)].flatMap((rule) =>
    (rule[1] as string).trim().split(/\s+/u),
  );
  return Object.fromEntries(NAMES.filter((name) => targets.includes(name)).map((name) => [name, `make ${name}`]));
}

function fromPython(files: RootFiles): Commands {
  const project = files.read("pyproject.toml") ?? "";
  const says = (file: string, pattern: RegExp): boolean => pattern.test(files.read(file) ?? "");
  const hasPytest =
    files.has("pytest.ini") ||
    files.has("conftest.py") ||
    /^\[tool\.pytest[.\]]|["']pytest\b/mu.test(project) ||
    says("setup.cfg", /^\[tool:pytest\]/mu) ||
    says("tox.ini", /^\[pytest\]/mu);
  const runner = files.has("uv.lock") ? "uv run " : files.has("poetry.lock") ? "poetry run " : "";
  return {
    ...(hasPytest ? { test: `${runner}pytest` } : {}),
    ...(files.has("ruff.toml") || /^\[tool\.ruff[.\]]/mu.test(project) ? { lint: `${runner}ruff check` } : {}),
    ...(files.has("mypy.ini") || /^\[tool\.mypy[.\]]/mu.test(project) ? { typecheck: `${runner}mypy .` } : {}),
  };
}

function parsed(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : (JSON.parse(text) as unknown);
  } catch {
    return undefined;
  }
}
