import { describe, expect, it } from "vitest";
import { detectChecks } from "./detect-checks.js";

function checksOf(files: Record<string, string>): string[] {
  return detectChecks({
    read: (name) => (Object.hasOwn(files, name) ? files[name] : undefined),
    has: (name) => Object.hasOwn(files, name),
  }).map(({ name, command }) => `${name}: ${command}`);
}

const scripts = (all: Record<string, unknown>, more: object = {}): string => JSON.stringify({ scripts: all, ...more });

describe("checks that a project has", () => {
  it.each<[string, Record<string, string>, string[]]>([
    ["nothing", {}, []],
    [
      "scripts of npm",
      { "package.json": scripts({ build: "tsc", lint: "oxlint", dev: "vite", test: "vitest", typecheck: "tsc" }) },
      ["test: npm test", "lint: npm run lint", "typecheck: npm run typecheck", "build: npm run build"],
    ],
    ["npm's placeholder", { "package.json": scripts({ test: 'echo "Error: no test specified" && exit 1' }) }, []],
    ["scripts that are none", { "package.json": scripts({ test: 7, lint: " ", build: null }) }, []],
    ["a package.json that is no JSON", { "package.json": "{" }, []],
    ["a package.json without scripts", { "package.json": "[]" }, []],
    [
      "pnpm by its lock file",
      { "package.json": scripts({ test: "x" }), "pnpm-lock.yaml": "" },
      ["test: pnpm run test"],
    ],
    ["yarn by its lock file", { "package.json": scripts({ lint: "x" }), "yarn.lock": "" }, ["lint: yarn run lint"]],
    [
      "bun by its name, whatever lock file is there",
      { "package.json": scripts({ test: "x" }, { packageManager: "bun@1.2.0" }), "yarn.lock": "" },
      ["test: bun run test"],
    ],
    [
      "rules of make, and no assignments, comments or recipes",
      { Makefile: ".PHONY: test lint\nbuild := out\n# lint: x\nall test: deps\n\tbuild: no\ncheck:\n\ttrue\n" },
      ["test: make test"],
    ],
    ["double colons of make", { makefile: "lint::\n\tx\n" }, ["lint: make lint"]],
    ["pytest by its settings", { "pyproject.toml": "[tool.pytest.ini_options]\n" }, ["test: pytest"]],
    [
      "pytest as a dependency, run by uv",
      { "pyproject.toml": 'dev = ["pytest>=8"]\n', "uv.lock": "" },
      ["test: uv run pytest"],
    ],
    ["pytest in setup.cfg", { "setup.cfg": "[tool:pytest]\n" }, ["test: pytest"]],
    ["python without pytest", { "pyproject.toml": "[project]\nname = 'x'\n" }, []],
    [
      "ruff and mypy, run by poetry",
      { "pyproject.toml": "[tool.ruff]\n[tool.mypy]\n", "poetry.lock": "" },
      ["lint: poetry run ruff check", "typecheck: poetry run mypy ."],
    ],
    ["cargo", { "Cargo.toml": "" }, ["test: cargo test", "build: cargo build"]],
    ["go", { "go.mod": "" }, ["test: go test ./...", "lint: go vet ./...", "build: go build ./..."]],
    [
      "several tools",
      { "package.json": scripts({ test: "x" }), Makefile: "test:\n", "go.mod": "" },
      [
        "test: npm test",
        "make-test: make test",
        "go-test: go test ./...",
        "lint: go vet ./...",
        "build: go build ./...",
      ],
    ],
  ])("C23: %s", (_, files, expected) => {
    expect(checksOf(files)).toEqual(expected);
  });
});
