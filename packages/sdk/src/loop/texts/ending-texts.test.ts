import { describe, expect, it } from "vitest";
import { RULE_EXAMPLES } from "../../../../../tests/fixtures/loop/rule-examples.js";
import {
  checked,
  claim,
  command,
  minutesLater,
  mustNot,
  PROMISE,
  results,
  said,
  situation,
  spent,
  type Turn,
} from "../../../../../tests/fixtures/loop/situations.js";
import { shownTime } from "../../model/shown-amounts.js";
import { decide } from "../rules/decide.js";
import { endingWords } from "./ending-texts.js";

function whyOf(turn: Turn): string | undefined {
  const all = situation(turn);
  return endingWords(all, decide(all), { run: "run-1" })?.why;
}

const PINNED: [code: string, words: string][] = [
  ["transcript_missing", "⚠️  Babysitter run: Transcript file not found, and the host supplied no last message."],
  [
    "transcript_unreadable",
    "⚠️  Babysitter run: Failed to parse assistant message JSON\n   Error: Unexpected end of JSON input",
  ],
  ["max_iterations_reached", "🛑 Babysitter run: Max iterations (2) reached."],
  ["completion_proof_matched", "✅ Babysitter run: completed, the completion proof matches."],
  ["completed_verified", "✅ Babysitter run: done and verified: tests."],
  [
    "promise_matched",
    `✅ Babysitter run: Detected <promise>${PROMISE}</promise>\nEnded by the agent's claim; the engine had nothing to check.`,
  ],
];

describe("L3: what the user is told when the agent may stop", () => {
  it.each(PINNED)("L3: %s", (code, words) => {
    expect(whyOf(RULE_EXAMPLES[code] as Turn)).toBe(words);
  });

  it("L10: verified is only what the engine has checked; what was only said is named as such", () => {
    const criteria = [command("tests"), claim("docs"), mustNot("wiped"), claim("design")];
    const state = { results: results({ tests: true, wiped: false }) };
    expect(whyOf({ contract: { criteria }, state, says: said(PROMISE) })).toBe(
      "✅ Babysitter run: done and verified: tests. On the agent's word only: docs, design.",
    );
  });

  it.each<[denied: string[], told: string]>([
    [["Bash(npm test)", "Bash(npm test)"], "Bash(npm test)."],
    [["Bash(a\nb\u202e)"], "Bash(a b\\u{202e})."],
    [["Bash", "Write", "Edit", "a tool", "WebFetch"], "Bash, Write, Edit and 2 more."],
  ])("L5: %j, which the host keeps denying, is named", (denied, told) => {
    const turn = { ...RULE_EXAMPLES["stuck_permissions"], probes: { denied } } as Turn;
    const words = `🛑 Babysitter run: the host keeps denying a tool: ${told}`;
    expect(whyOf(turn)).toBe(words);
    const host = { toolSettings: "allow in settings.json" };
    expect(whyOf({ ...turn, host })).toBe(`${words} To allow it, add it to allow in settings.json.`);
  });

  it("L12: the end by <loop-complete> says so, and the promise comes first where both were given", () => {
    const contract: Turn["contract"] = { mode: "tasks" };
    const complete = "<loop-complete>\nAll done\n</loop-complete>";
    expect(whyOf({ contract, says: complete })).toBe(
      "✅ Babysitter run: Detected <loop-complete>\nEnded by the agent's claim; the engine had nothing to check.",
    );
    expect(whyOf({ contract, says: `${complete}\n\n${said(PROMISE)}` })).toContain(`Detected ${said(PROMISE)}`);
  });

  it("L10: what must not succeed is named when it has", () => {
    const criteria = [mustNot("wiped"), mustNot("leaked"), command("tests")];
    const state = { results: results({ wiped: false, leaked: true, tests: true }) };
    expect(whyOf({ contract: { criteria }, state })).toBe("🛑 Babysitter run: a must-not check succeeded: leaked.");
  });

  it("L10: what was changed is named, and how to accept it", () => {
    const tampered = [
      { name: "test.sh", what: "changed" },
      { name: "package.json#scripts.test", what: "gone" },
    ];
    const words = whyOf({ probes: { tampered } });
    expect(words).toContain("changed: test.sh (changed), package.json#scripts.test (gone).");
    expect(words).toContain("loop:amend --accept-changes");
  });

  it("L12: limits are shown with what was used", () => {
    const tokens = { input: 1, output: 20, cacheRead: 300, cacheWrite: 4_000 };
    expect(whyOf({ limits: { usd: 2 }, probes: { spend: spent(2.345) } })).toContain(
      "Budget reached ($2.35 of $2.00).",
    );
    expect(whyOf({ limits: { tokens: 9 }, probes: { spend: spent(0, { tokens }) } })).toContain("(4321 used)");
    expect(whyOf({ limits: { wallMs: 1 }, now: minutesLater(9) })).toContain(
      `(started ${shownTime("2026-03-01T10:00:00.000Z")})`,
    );
  });

  it("L12: unknown costs: which price is missing, or that the host does not tell", () => {
    const unpriced = ["new-a", "new-b"];
    expect(whyOf({ limits: { usd: 2 }, probes: { spend: spent(0, { usd: null, unpriced }) } })).toContain(
      "no price is known for new-a, new-b. A loop keeps the prices that it began with; for the next one, add it to the setting `prices`. To continue without the limit: babysitter loop:amend --budget-usd 0",
    );
    expect(whyOf({ limits: { usd: 2 } })).toContain("this host does not report what the session uses");
    expect(whyOf({ limits: { usd: 2 }, probes: { spend: spent(0, { usd: null, calls: 0 }) } })).toContain(
      "the session's transcript does not show what the last turns used, so the cost is unknown",
    );
  });

  it("L10: criteria are named: those that give no result, and those not met", () => {
    const criteria = [command("tests"), command("lint"), mustNot("wiped")];
    const claimed = { contract: { criteria }, says: said(PROMISE) };
    expect(whyOf({ ...claimed, state: { waits: 5, results: results({ lint: true }) } })).toContain(
      "no valid result for tests, wiped.",
    );
    const red = { ...results({ lint: true }), tests: [checked("tests", false)] };
    expect(whyOf({ ...claimed, state: { rejections: 4, results: red } })).toContain(
      "claimed 5 times to be done; not met: tests.",
    );
    const plateau = RULE_EXAMPLES["stuck_plateau"] as Turn;
    const state = { ...plateau.state, results: red };
    expect(whyOf({ ...plateau, contract: { criteria }, state })).toContain(
      "no check has shown an improvement for several turns. Unmet criteria: tests (exit code 1)",
    );
  });

  it("L5: the agent's own reason, the iteration of a review, the open question, the end of a sleep", () => {
    expect(whyOf(RULE_EXAMPLES["blocked_confirmed"] as Turn)).toContain("the agent cannot continue: no key");
    expect(whyOf(RULE_EXAMPLES["review_due"] as Turn)).toContain("time for your review, after iteration 2.");
    expect(whyOf(RULE_EXAMPLES["awaiting_human"] as Turn)).toBe(
      "⏸ Babysitter run: waiting for your answer: babysitter breakpoint:show q1",
    );
    expect(whyOf(RULE_EXAMPLES["awaiting_time"] as Turn)).toBe(
      `⏸ Babysitter run: sleeping until ${shownTime("2026-03-01T10:05:00.000Z")}.`,
    );
  });

  it("L12: an end tells what it took, as far as anyone knows", () => {
    const took = (turn: Turn): string | undefined => {
      const all = situation({ now: minutesLater(9), ...turn, says: said(PROMISE) });
      return endingWords(all, decide(all), { run: "run-1" })?.onward[0];
    };
    const tokens = { input: 1, output: 20, cacheRead: 300, cacheWrite: 4_000 };
    expect(took({ probes: { spend: spent(0.5, { tokens }) } })).toBe(
      "Iterations: 2 of 50, 9 min, 4,321 tokens, $0.50 at list prices.",
    );
    expect(took({ probes: { spend: spent(0.5, { tokens, usd: null }) } })).toBe(
      "Iterations: 2 of 50, 9 min, 4,321 tokens.",
    );
    expect(took({ limits: { iterations: 0 } })).toBe("Iterations: 2, 9 min.");
  });

  it("L8: everything that pauses is marked as a stop or a warning, everything done as done", () => {
    const marks = Object.entries(RULE_EXAMPLES).flatMap(([code, turn]) => {
      const { action } = decide(situation(turn));
      return action === "pause" || action === "done" ? [[code, action, (whyOf(turn) ?? "").split(" ")[0]]] : [];
    });
    expect(marks.filter(([, action, mark]) => (action === "done") !== (mark === "✅"))).toEqual([]);
    expect(marks.filter(([, , mark]) => mark === "⚠️").map(([code]) => code)).toEqual([
      "transcript_missing",
      "transcript_unreadable",
    ]);
  });
});
