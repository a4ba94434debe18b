import { expect, it } from "vitest";
import { RULE_EXAMPLES } from "../../../../../tests/fixtures/loop/rule-examples.js";
import {
  COMPLETED,
  checked,
  command,
  PROMISE,
  results,
  said,
  situation,
  spent,
  step,
  type Turn,
} from "../../../../../tests/fixtures/loop/situations.js";
import { decide } from "../rules/decide.js";
import { progressLine } from "./progress-line.js";

function lineFor(turn: Turn): string {
  const all = situation(turn);
  return progressLine(all, decide(all));
}

const exampleOf = (code: string): Turn => RULE_EXAMPLES[code] as Turn;
const criteria = [command("tests"), command("lint")];
const red = checked("tests", false);

it.each<[what: string, turn: Turn, line: string]>([
  [
    "what is not met, and the money",
    {
      contract: { criteria },
      limits: { usd: 5 },
      state: { iteration: 1, results: results({ tests: false, lint: true }) },
      probes: { spend: spent(0.012) },
    },
    "🔄 2/50, not met: tests (exit 1), $0.01 of $5",
  ],
  ["nothing to tell but the number", {}, "🔄 3/50"],
  ["no limit", { limits: { iterations: 0 } }, "🔄 3"],
  ["a fractional limit", { limits: { usd: 2.5 }, probes: { spend: spent(1) } }, "🔄 3/50, $1.00 of $2.50"],
  ["money without a limit", { probes: { spend: spent(0.5) } }, "🔄 3/50, $0.50"],
  [
    "a model without a price",
    { probes: { spend: spent(0.5, { usd: null, unpriced: ["new"] }) } },
    "🔄 3/50, at least $0.50",
  ],
  ["no call found", { probes: { spend: spent(0, { usd: null, calls: 0 }) } }, "🔄 3/50"],
  [
    "results for an older tree",
    {
      contract: { criteria },
      state: { results: { tests: [checked("tests", false, { before: "old", after: "old" })] } },
    },
    "🔄 3/50, not met when last checked: tests (exit 1), not checked: lint",
  ],
  [
    "other outcomes",
    {
      contract: { criteria: [command("a"), command("b"), command("c")] },
      state: {
        results: {
          a: [{ ...red, outcome: "timed-out" }],
          b: [{ ...red, outcome: "not-started" }],
          c: [{ ...red, exitCode: null, signal: "SIGKILL" }],
        },
      },
    },
    "🔄 3/50, not met: a (timed out), b (could not be started), c (killed by SIGKILL)",
  ],
  [
    "many criteria",
    {
      contract: { criteria: ["a", "b", "c", "d", "e", "f"].map((id) => command(id)) },
    },
    "🔄 3/50, not checked: a, b, c, d and 2 more",
  ],
  ["steps", { state: { steps: [step("a", "done"), step("b", "open")] } }, "🔄 3/50, 1/2 steps"],
  ["a check that runs", exampleOf("verifying"), "🔄 2/50, checking: tests"],
  ["a wrong claim", exampleOf("claim_rejected"), "🔄 3/50, not met: tests (exit 1)"],
  ["everything met", exampleOf("criteria_met_confirm"), "🔄 3/50, every criterion is met"],
  ["a warning", exampleOf("breaker_half_open"), "🔄 3/50, stuck? no progress in three turns"],
  ["an idle agent", exampleOf("idle_warning"), "🔄 3/50, no tool call in 3 turns"],
  [
    "a run that waits",
    { run: { hasProcess: true, state: "waiting", pendingKinds: ["agent", "node"] } },
    "🔄 3/50, waiting for: agent, node",
  ],
  ["a run that has completed", { run: COMPLETED }, "🔄 3/50, the run has completed, its proof is missing"],
  ["a run that failed", { run: { hasProcess: true, state: "failed" } }, "🔄 3/50, the run has failed"],
])("L3: the line for a person at the end of a turn: %s", (_, turn, line) => {
  expect(lineFor(turn)).toBe(line);
});

it("L3: no line asks a person to output a promise, and all of them are short", () => {
  const lines = Object.values(RULE_EXAMPLES)
    .filter((turn) => decide(situation(turn)).action === "block")
    .map(lineFor);
  expect(lines.length).toBeGreaterThan(8);
  for (const line of lines) {
    expect(line).not.toMatch(/promise|\n/u);
    expect(line.length).toBeLessThan(120);
  }
});

it("hides nothing that a name may contain", () => {
  const turn = { contract: { criteria: [command("a\u001B[2Jb\nc")] }, says: said(`not ${PROMISE}`) };
  expect(lineFor(turn)).toBe("🔄 3/50, not checked: a\\x1b[2Jb c");
});
