import { describe, expect, it } from "vitest";
import { scoreSpec } from "./spec-rubric.js";

/** Points for outcome, scope, constraints, success and done, the shape, and the text. */
const SPECS: [points: string, shape: string, spec: string][] = [
  [
    "22222",
    "tool",
    "Migrate src/api from Express to Fastify. Keep the public API unchanged. Done when npm test and npm run lint exit 0.",
  ],
  [
    "22222",
    "tool",
    "Add cursor pagination to GET /api/users in src/routes/users.ts. Do not change the response fields. Done when `npm test` passes.",
  ],
  [
    "22222",
    "tool",
    "Fix the failing test in tests/date.test.ts without touching the test itself. Stop when npx vitest run tests/date.test.ts is green.",
  ],
  [
    "22222",
    "tool",
    "Reduce the size of dist/main.js to under 200 KB. No new dependencies. Done when `npm run build` passes and the file is below 200 KB.",
  ],
  [
    "22222",
    "tool",
    "Rename `getUser` to `findUser` in packages/core and packages/web. Only these two folders. `npm run typecheck` must pass; done when no old name is left.",
  ],
  [
    "22222",
    "tool",
    "Write unit tests for lib/parser.py until coverage is 90 %. Don't change lib/parser.py. Check with pytest --cov.",
  ],
  [
    "22222",
    "tool",
    "# Goal\nPort the build from webpack to vite in apps/web.\n# Constraints\n- must not change apps/web/src\n# Acceptance criteria\n- [ ] `pnpm build` exits with 0\n- [ ] bundle <= 500 kB",
  ],
  [
    "22222",
    "tool",
    "Upgrade the crate to edition 2024 in Cargo.toml. Never use unsafe. Done when cargo clippy has 0 warnings and cargo test passes.",
  ],
  [
    "22222",
    "tool",
    "Replace moment by date-fns in src/. Public functions stay as they are. Done when `npm test` passes and `grep -r moment src` finds nothing.",
  ],
  [
    "22222",
    "tool",
    "Add rate limiting to the login endpoint in server/auth.go: at most 5 attempts per minute, then it returns 429. Done when go test ./... passes.",
  ],
  [
    "22222",
    "tool",
    "Translate docs/*.md to German. Do not translate code blocks. Done when every file has a .de.md beside it and `npm run check-links` passes.",
  ],
  [
    "22222",
    "tool",
    "Make `slugify()` in src/slug.ts handle emoji, only using the standard library. npm test must pass. It is done when the 12 cases of the table pass.",
  ],
  ["21011", "colleague", "Add pagination to the users endpoint. Tests should pass."],
  [
    "21011",
    "colleague",
    "Fix the login bug where the session cookie is lost after a redirect. The tests must pass and nothing else should break.",
  ],
  [
    "21111",
    "colleague",
    "Add a dark mode to the settings page, using the existing theme variables. All tests should stay green.",
  ],
  ["22200", "colleague", "Refactor src/payments into smaller modules. Keep the behaviour the same."],
  ["22101", "colleague", "Write documentation for the public functions of src/sdk.ts. It should be simple."],
  ["22021", "colleague", "Remove unused exports from packages/core. npm test should pass."],
  [
    "21021",
    "colleague",
    "Implement CSV export for the report page; columns must be the same as in the table, and it should work with 10000 rows.",
  ],
  ["21121", "colleague", "Speed up the search page. It must load in under 300 ms."],
  ["22020", "colleague", "Create a script scripts/seed.ts that fills the database with 100 users."],
  ["21021", "colleague", "Add tests for the parser. Coverage should be 80 % and `npm test` must pass."],
  ["00000", "refused", ""],
  ["00000", "refused", "   \n\t "],
  ["10000", "refused", "make it better"],
  ["10000", "refused", "Make it better and faster please"],
  ["10000", "refused", "Improve code quality"],
  ["10000", "refused", "fix the bug"],
  ["10000", "refused", "fix everything"],
  ["10000", "refused", "Clean up the code"],
  ["21000", "refused", "Build a REST API"],
  ["00000", "refused", "continue"],
  ["10000", "refused", "Can you look at the app and see what's wrong?"],
  ["10000", "refused", "Refactor the project to be nicer"],
  ["10000", "refused", "Optimize performance"],
  ["00000", "refused", "please do your thing"],
  ["10000", "refused", "help me with my homework"],
  ["20000", "refused", "Add authentication"],
  ["00000", "refused", "?????"],
  ["11000", "refused", "Work on the frontend for a while and improve what you find."],
  ["02020", "refused", "Behebe den Fehler in src/login.ts, `npm test` muss mit 0 enden"],
  ["02020", "refused", "修复 src/login.ts 里的错误，`npm test` 必须通过"],
  ["00000", "refused", "Verbessere den Code"],
  ["20000", "refused", "Use either TCP/IP and/or Node.js, GitHub, macOS"],
  [
    "22222",
    "tool",
    "Bump lodash to 4.17.21 in package.json and package-lock.json, nothing else may change (do not touch other versions). Finished when npm ci && npm test succeed.",
  ],
  [
    "22222",
    "tool",
    "In internal/store/cache.go the LRU cache leaks goroutines. Fix the leak; the exported API must not change. Accepted when go test -race ./internal/store passes 20 times in a row.",
  ],
  [
    "22222",
    "tool",
    "Convert all class components under web/src/components to function components. Don't change snapshots. Done once `yarn test` and `yarn lint` pass.",
  ],
  [
    "22222",
    "tool",
    "Please set up GitHub Actions in .github/workflows/ci.yml that runs pytest on 3.11 and 3.12. Avoid third-party actions. Complete when the workflow is green.",
  ],
  ["21010", "refused", "The checkout form accepts negative quantities. Reject them with a message. Please add a test."],
  ["22001", "colleague", "Update the README so that the install steps match the CLI, keep it short."],
  ["22000", "refused", "Our nightly job fails with ENOSPC. Find out why and fix scripts/backup.sh."],
  ["00000", "refused", "The site feels slow, do something about it"],
  ["20000", "refused", "Write me a game"],
  ["20000", "refused", "Learn the codebase, then make improvements wherever you see fit"],
  ["20000", "refused", "Refactor auth"],
  ["22011", "colleague", "Delete dead code in src/legacy and make sure CI passes"],
  ["22021", "colleague", "Implement the TODOs in lib/queue.rb. rspec must stay green."],
  ["01000", "refused", "Explain how the parser works"],
  [
    "22222",
    "tool",
    "Add a --json flag to the `list` command in src/cli/list.ts. The text output must not change. Done when npm test passes and `node dist/cli.js list --json | jq .` exits 0.",
  ],
  ["21000", "refused", "Add a button"],
];

describe("L12: task loop: spec rubric, tool/colleague shape", () => {
  it.each(SPECS)("%s %s: %j", (points, shape, spec) => {
    const { parts, shape: found, score } = scoreSpec(spec);
    const digits = Object.values(parts).map((part) => part.points);
    expect([digits.join(""), found]).toEqual([points, shape]);
    expect(score).toBe(digits.reduce((sum, digit) => sum + digit, 0 as number));
  });

  it.each([
    [10, "tool", "Fix src/a.ts. Do not touch src/b.ts. Done when npm test passes."],
    [8, "tool", "Fix src/a.ts. Do not touch src/b.ts. npm test."],
    [7, "colleague", "Fix src/a.ts. Keep it simple. npm test."],
    [5, "colleague", "Fix src/a.ts. Keep it simple."],
    [4, "refused", "Fix src/a.ts."],
  ])("L12: a score of %i is %s", (score, shape, spec) => {
    expect(scoreSpec(spec)).toMatchObject({ score, shape });
  });

  it("L12: asks about what is unclear, the least clear first, and nothing else", () => {
    const { questions } = scoreSpec("Improve src/a.ts. Done when npm test passes.");
    expect(questions.map((question) => question.split(" ").slice(0, 2).join(" "))).toEqual([
      "What must",
      "What exactly",
    ]);
    expect(scoreSpec("").questions).toHaveLength(5);
    expect(scoreSpec("Fix src/a.ts. Do not touch src/b.ts. Done when npm test passes.").questions).toEqual([]);
  });

  it("L12: says what it has found, in one harmless line each", () => {
    const { parts } = scoreSpec("Fix src/a.ts. Don't break `\u001b[2Jx`. Done when `npm test \u0007` passes.");
    expect(parts.scope.reasons[0]).toBe("names src/a.ts");
    expect(parts.constraints.reasons).toEqual(["bound: Don't"]);
    expect(parts.success.reasons[0]).toBe("command: `npm test \\x07`");
    expect(parts.done.reasons).toEqual(["end state: Done when"]);
  });

  it("L12: criteria, claims, must-nots and protected files of the command line count like words", () => {
    const spec = "Fix src/a.ts";
    const shapeWith = (flags: Parameters<typeof scoreSpec>[1]): unknown[] => {
      const { score, shape } = scoreSpec(spec, flags);
      return [score, shape];
    };
    expect(shapeWith({})).toEqual([4, "refused"]);
    expect(shapeWith({ claims: ["it looks good"] })).toEqual([6, "colleague"]);
    expect(shapeWith({ commands: ["npm test"] })).toEqual([8, "tool"]);
    expect(shapeWith({ commands: ["npm test"], mustNots: ["grep TODO src/a.ts"] })).toEqual([10, "tool"]);
    expect(shapeWith({ protects: ["tests/**"] })).toEqual([6, "colleague"]);
  });

  it.each([
    ["slashes", "a/"],
    ["dashes", "a-"],
    ["letters", "a"],
    ["dots", "a."],
    ["line breaks", "\n"],
    ["spaces", " "],
    ["backticks", "`sh "],
    ["assignments", "`A=A "],
    ["digits", "1"],
    ["comparisons", "< "],
    ["verbs", "to fix the "],
    ["underscores", "a_"],
    ["camels", "aA"],
    ["keeps", "keep a "],
    ["boxes", "- [ "],
  ])("L12: 200 KB of %s get a judgement as well", (_, part) => {
    const { score } = scoreSpec(part.repeat(Math.ceil(200_000 / part.length)));
    expect(score).toBeLessThan(10);
  });
});
