import { describe, expect, it } from "vitest";
import {
  COMPLETED,
  checked,
  claim,
  command,
  contractOf,
  file,
  mustNot,
  PROMISE,
  PROOF,
  results,
  said,
  situation,
  stateOf,
  step,
  TREE,
  type Turn,
} from "../../../../../tests/fixtures/loop/situations.js";
import type { LoopMode } from "../../model/loop-contract.js";
import type { CriterionChecked } from "../../model/loop-events.js";
import type { RunStatus } from "../../model/run-state.js";
import { blockedReason, claimOf, isVainClaim, nearClaim } from "./claim.js";
import {
  criterionStanding,
  everyTurnCriteria,
  resultOn,
  sortCriteria,
  uncheckedCriteria,
} from "./criteria-standing.js";
import { decide } from "./decide.js";

const codeOf = (turn: Turn): string => decide(situation(turn)).code;
const COMPLETE = "<loop-complete>all criteria met</loop-complete>";
const TESTS = command("tests");
const LINT = command("lint");
const GREEN: Turn = { contract: { criteria: [TESTS] }, state: { results: results({ tests: true }) } };

describe("L6: only a completed run's proof in `<promise>` ends a run-bound loop", () => {
  it("L6: the proof ends it, and the end is by proof", () => {
    expect(decide(situation({ run: COMPLETED, says: `Done.\n\n${said(PROOF)}` }))).toEqual({
      code: "completion_proof_matched",
      action: "done",
      attestation: "proof",
    });
  });

  it.each<[what: string, says: string]>([
    ["the promise of the contract", said(PROMISE)],
    ["a loop-complete block", COMPLETE],
    ["the proof without its tags", PROOF],
    ["the proof in a fence", `\`\`\`\n${said(PROOF)}\n\`\`\``],
    ["the beginning of the proof", said(PROOF.slice(0, -1))],
    ["the proof in capitals", said(PROOF.toUpperCase())],
    ["the placeholder of our own hint", said("SECRET")],
    ["a wildcard", said("*")],
    ["an empty promise", said("")],
    ["nothing", "I am done."],
  ])("L6: not %s, although the run has completed", (_, says) => {
    expect(codeOf({ run: COMPLETED, says })).toBe("proof_missing");
  });

  it.each<RunStatus>(["created", "running", "waiting", "blocked", "failed", "cancelled", "paused"])(
    "L6: no promise while the run is %s",
    (state) => {
      const run = { hasProcess: true, state };
      for (const says of [said(PROMISE), said(PROOF), said("anything"), COMPLETE])
        expect(codeOf({ run, says })).toBe("run_incomplete");
      expect(codeOf({ run, says: "still at work" })).toBe("continue_loop");
    },
  );

  it("L6: nor the proof while a criterion of the run is unmet, unchecked or a step is open", () => {
    const proven = { run: COMPLETED, says: said(PROOF) };
    const contract = { criteria: [TESTS] };
    expect(codeOf({ ...proven, ...GREEN })).toBe("completion_proof_matched");
    expect(codeOf({ ...proven, contract, state: { results: results({ tests: false }) } })).toBe("claim_rejected");
    expect(codeOf({ ...proven, contract })).toBe("verifying");
    expect(codeOf({ ...proven, state: { steps: [step("docs", "open")] } })).toBe("steps_remaining");
  });

  it("a loop without a process does not take a proof, nor ask for one", () => {
    expect(codeOf({ run: { proof: PROOF }, says: said(PROOF) })).toBe("continue_loop");
    expect(codeOf({ run: { state: "completed" } })).toBe("continue_loop");
    expect(isVainClaim(situation({ says: COMPLETE }))).toBe(false);
  });

  it("a promise that comes with the proof takes nothing from it", () => {
    const both = situation({ run: COMPLETED, says: `${said(PROMISE)}\n\n${said(PROOF)}` });
    expect(claimOf(both)).toEqual({ proof: true, promise: false, complete: false });
    expect(isVainClaim(both)).toBe(false);
    expect(decide(both).code).toBe("completion_proof_matched");
  });
});

describe("L10: dual-condition exit: the claim and what the engine has seen", () => {
  it("L10: a claim ends the loop as verified when every criterion is met on this tree", () => {
    const contract = { criteria: [TESTS, LINT, file("README.md")] };
    const all = results({ tests: true, lint: true, "README.md": true });
    expect(decide(situation({ contract, state: { results: all }, says: said(PROMISE) }))).toEqual({
      code: "completed_verified",
      action: "done",
      attestation: "verified",
    });
    for (const missing of Object.keys(all)) {
      const { [missing]: _, ...others } = all;
      expect(codeOf({ contract, state: { results: others }, says: said(PROMISE) })).toBe("verifying");
      const red = { ...others, ...results({ [missing]: false }) };
      expect(codeOf({ contract, state: { results: red }, says: said(PROMISE) })).toBe("claim_rejected");
    }
  });

  it("L10: met criteria alone do not end it: the agent is asked twice, then a person is", () => {
    const confirmations = [0, 1, 2, 3].map((asked) =>
      codeOf({ ...GREEN, state: { ...GREEN.state, confirmations: asked } }),
    );
    expect(confirmations).toEqual([
      "criteria_met_confirm",
      "criteria_met_confirm",
      "confirm_missing",
      "confirm_missing",
    ]);
  });

  it("L10: an agent is asked only when everything is met on a known tree, and not in a run-bound loop", () => {
    expect(codeOf({ contract: { criteria: [TESTS] } })).toBe("continue_loop");
    expect(codeOf({ ...GREEN, state: { ...GREEN.state, steps: [step("docs", "open")] } })).toBe("continue_loop");
    expect(codeOf({ ...GREEN, run: { hasProcess: true } })).toBe("continue_loop");
    expect(codeOf({ contract: { criteria: [claim("docs")] } })).toBe("continue_loop");
    const { tree: _, ...blind } = situation(GREEN).probes;
    expect(decide({ ...situation(GREEN), probes: blind }).code).toBe("continue_loop");
  });

  it("L10: a claim about a tree that nobody can hash is never believed", () => {
    const claimed = situation({ ...GREEN, says: said(PROMISE) });
    const { tree: _, ...blind } = claimed.probes;
    expect(decide({ ...claimed, probes: blind }).code).toBe("verifying");
  });

  it("L10: a red criterion is named before unchecked ones are waited for", () => {
    const contract = { criteria: [TESTS, LINT] };
    expect(codeOf({ contract, state: { results: results({ tests: false }) }, says: said(PROMISE) })).toBe(
      "claim_rejected",
    );
  });

  it.each<[mode: LoopMode, criteria: boolean, code: string]>([
    ["prompt", false, "continue_loop"],
    ["prompt", true, "completed_verified"],
    ["criteria", true, "completed_verified"],
    ["criteria", false, "no_criteria"],
    ["tasks", false, "promise_matched"],
  ])("L10: `<loop-complete>` in a %s loop, criteria: %s: %s", (mode, withCriteria, code) => {
    const turn = withCriteria ? GREEN : {};
    expect(codeOf({ ...turn, contract: { ...turn.contract, mode }, says: COMPLETE })).toBe(code);
  });

  it("L10: a promise where nothing can be checked ends the loop by claim only", () => {
    for (const criteria of [[], [claim("docs")]])
      expect(decide(situation({ contract: { criteria }, says: said(PROMISE) }))).toEqual({
        code: "promise_matched",
        action: "done",
        attestation: "claim",
      });
    expect(codeOf({ contract: { mode: "criteria", criteria: [claim("docs")] }, says: said(PROMISE) })).toBe(
      "promise_matched",
    );
  });

  it("L10: a criteria loop whose criteria are gone pauses at a claim", () => {
    expect(codeOf({ contract: { mode: "criteria" }, says: said(PROMISE) })).toBe("no_criteria");
    expect(codeOf({ contract: { mode: "criteria" } })).toBe("continue_loop");
  });

  it("L12: open and failed steps are named at a claim, done ones are not in the way", () => {
    const code = (...statuses: ("open" | "done" | "failed")[]): string =>
      codeOf({ says: said(PROMISE), state: { steps: statuses.map((status, i) => step(`s${i}`, status)) } });
    expect(code("done", "done")).toBe("promise_matched");
    expect(code("done", "open")).toBe("steps_remaining");
    expect(code("failed", "done")).toBe("steps_remaining");
  });
});

describe("what must not succeed", () => {
  const contract = { criteria: [TESTS, mustNot("wiped")] };
  const green = results({ tests: true });
  const claimed = { contract, says: said(PROMISE) };

  it("pauses the loop as soon as it has succeeded on this tree, also at a claim", () => {
    const violated = { ...green, ...results({ wiped: true }) };
    expect(codeOf({ ...claimed, state: { results: violated } })).toBe("must_not_violated");
    expect(codeOf({ contract, state: { results: violated } })).toBe("must_not_violated");
    const elsewhere = { ...green, wiped: [checked("wiped", true, { before: "old", after: "old" })] };
    expect(codeOf({ contract, state: { results: elsewhere } })).toBe("continue_loop");
  });

  it("must have been looked at on this very tree before a claim is believed", () => {
    expect(codeOf({ ...claimed, state: { results: green } })).toBe("verifying");
    expect(codeOf({ ...claimed, state: { results: { ...green, ...results({ wiped: false }) } } })).toBe(
      "completed_verified",
    );
  });

  it.each(["timed-out", "not-started"] as const)("has said nothing when it %s", (outcome) => {
    const wiped = [checked("wiped", false, { outcome })];
    expect(codeOf({ ...claimed, state: { results: { ...green, wiped } } })).toBe("verifying");
  });

  it("holds a loop that ends by claim as well", () => {
    const turn = { contract: { criteria: [mustNot("wiped")] }, says: said(PROMISE) };
    expect(codeOf(turn)).toBe("verifying");
    expect(codeOf({ ...turn, state: { results: results({ wiped: false }) } })).toBe("promise_matched");
  });

  it("a required check that timed out is red, not unknown", () => {
    const tests = [checked("tests", false, { outcome: "timed-out" })];
    const state = stateOf({ results: { tests } }, contractOf({ criteria: [TESTS] }));
    expect(uncheckedCriteria(state, TREE)).toEqual([]);
  });
});

describe("L10: a result counts for the tree as it is now", () => {
  const at = (before: string, after: string, parts: Partial<CriterionChecked> = {}): CriterionChecked =>
    checked("tests", true, { before, after, ...parts });

  it.each<[what: string, result: CriterionChecked, counts: boolean]>([
    ["on this tree", at(TREE, TREE), true],
    ["on another", at("old", "old"), false],
    ["that began here and left another", at(TREE, "other"), false],
    ["that made this tree while an agent worked", at("old", TREE), false],
    ["that made this tree while no agent worked", at("old", TREE, { alone: true }), true],
    ["that left another while no agent worked", at(TREE, "other", { alone: true }), false],
  ])("L10: one %s: %s", (_, result, counts) => {
    expect(resultOn([result], TREE)).toEqual(counts ? result : undefined);
    expect(resultOn([result], undefined)).toBeUndefined();
  });

  it("L10: the newest that counts is taken, whatever was before and whatever is known of other trees", () => {
    const red = checked("tests", false, { at: "2" });
    const green = checked("tests", true, { at: "1" });
    const elsewhere = checked("tests", true, { before: "old", after: "old" });
    expect(resultOn([green, red, elsewhere], TREE)).toBe(red);
    expect(resultOn([red, green], TREE)).toBe(green);
    expect(resultOn([], TREE)).toBeUndefined();
  });

  it("a failure that left files behind takes an older success on the tree where it began with it", () => {
    const green = checked("tests", true);
    const leaving = checked("tests", false, { after: "with-artifacts" });
    expect(resultOn([green, leaving], TREE)).toBeUndefined();
    expect(resultOn([green, leaving, green], TREE)).toBe(green);
    expect(resultOn([green, { ...leaving, ok: true }], TREE)).toBe(green);
    const turn = { contract: { criteria: [TESTS] }, says: said(PROMISE) };
    expect(codeOf({ ...turn, state: { results: { tests: [green, leaving] } } })).toBe("verifying");
  });

  it("criteria named like something that every object has are unknown at first", () => {
    const state = stateOf({}, contractOf({ criteria: [command("constructor")] }));
    expect(criterionStanding(state, command("constructor"), TREE)).toBe("unknown");
    expect(codeOf({ contract: state.contract, says: said(PROMISE) })).toBe("verifying");
  });

  it("required are commands and files; claims and forbidden commands are not", () => {
    const criteria = [TESTS, LINT, file("a"), claim("docs"), mustNot("wiped")];
    const state = stateOf({ results: results({ tests: true, lint: false }) }, contractOf({ criteria }));
    const ids = (list: readonly { id: string }[]): string[] => list.map(({ id }) => id);
    const { green, red, unknown } = sortCriteria(state, TREE);
    expect([ids(green), ids(red), ids(unknown)]).toEqual([["tests"], ["lint"], ["a"]]);
    expect(ids(uncheckedCriteria(state, TREE))).toEqual(["a", "wiped"]);
  });

  it("after every turn run the fast ones and those that must not succeed", () => {
    const fast = command("fast", { tier: "fast" });
    const slowForbidden = command("slow", { role: "must-not" });
    const criteria = [fast, TESTS, slowForbidden, mustNot("wiped"), file("a"), claim("docs")];
    expect(everyTurnCriteria(criteria)).toEqual([fast, slowForbidden, mustNot("wiped")]);
  });
});

describe("L4: words count across text blocks", () => {
  it("L4: any block of the last words may hold the claim", () => {
    for (const words of [said(PROMISE), COMPLETE]) {
      const at = (...blocks: string[]): string => codeOf({ contract: { mode: "tasks" }, probes: { blocks } });
      expect([at(words, "then"), at("first", words), at("first", words, "then")]).toEqual(
        Array(3).fill("promise_matched"),
      );
      expect(at("first", "then")).toBe("continue_loop");
    }
    const vain = { run: { hasProcess: true }, probes: { blocks: ["first", said("x"), "then"] } };
    expect(codeOf(vain)).toBe("run_incomplete");
  });
});

describe("L4: a withdrawn claim does not count", () => {
  const early = (...lastWords: string[]): Turn => ({
    contract: { mode: "tasks" },
    probes: { blocks: [`Done.\n\n${said(PROMISE)}`, COMPLETE, ...lastWords], lastWords },
  });
  const near = (turn: Turn): unknown => [codeOf(turn), nearClaim(situation(turn))];
  const ends = (...lastWords: string[]): unknown =>
    near({ contract: { mode: "tasks" }, probes: { blocks: lastWords } });

  it("L4: only the words after the last tool call count, and an earlier claim gets a hint", () => {
    expect(near(early("The tests are red."))).toEqual(["continue_loop", "early"]);
    expect(near(early())).toEqual(["continue_loop", "early"]);
    expect(near(early("All green.", said(PROMISE)))).toEqual(["promise_matched", undefined]);
    expect(near(early("All green.", COMPLETE))).toEqual(["promise_matched", undefined]);
    expect(near(early("<loop-blocked>no key</loop-blocked>"))).toEqual(["continue_loop", undefined]);
  });

  it("L4: the last promise of the last words wins, and being blocked takes a claim back", () => {
    const [other, blocked] = [said("NOT YET"), "<loop-blocked>no key</loop-blocked>"];
    expect(ends(said(PROMISE), other)).toEqual(["continue_loop", undefined]);
    expect(ends(`${said(PROMISE)}\n\n${other}`)).toEqual(["continue_loop", undefined]);
    expect(ends(other, said(PROMISE))).toEqual(["promise_matched", undefined]);
    expect(ends(`${said(PROMISE)}\n\n${blocked}`)).toEqual(["continue_loop", undefined]);
    expect(ends(COMPLETE, blocked)).toEqual(["continue_loop", undefined]);
    expect(ends(blocked, said(PROMISE))).toEqual(["promise_matched", undefined]);
    expect(ends(said(PROMISE), COMPLETE)).toEqual(["promise_matched", undefined]);
  });

  it("L4: a near miss gets a hint", () => {
    for (const words of ["all-done", "ALL - DONE", "ALL DONE", "ALL-DONE.", "**ALL-DONE**", "All-\nDone"])
      expect([words, ends(said(words))]).toEqual([words, ["continue_loop", "inexact"]]);
    for (const text of [
      `<Promise>${PROMISE}</Promise>`,
      `<promise >${PROMISE}</promise>`,
      `<PROMISE>${PROMISE}</ promise>`,
      "<Loop-Complete>all</Loop-Complete>",
    ])
      expect([text, ends(text)]).toEqual([text, ["continue_loop", "inexact"]]);
    for (const text of [said("ALL"), `${said("ALL")}\n\n${said("DONE-b6067d")}`])
      expect([text, ends(text)]).toEqual([text, ["continue_loop", "other"]]);
    for (const text of [said(""), "ALL-DONE", `\`${said(PROMISE)}\``, `I will not say ${said("all-done")}`])
      expect([text, ends(text)]).toEqual([text, ["continue_loop", undefined]]);
    expect(near({ says: "<Loop-Complete>all</Loop-Complete>" })).toEqual(["continue_loop", undefined]);
  });

  it("L4: to a promise of nothing but marks, other marks are another promise", () => {
    const contract = { promise: { text: "***", issued: false } };
    expect(near({ contract, says: said("!!!") })).toEqual(["continue_loop", "other"]);
    expect(near({ contract, says: said("***") })).toEqual(["promise_matched", undefined]);
  });

  it("L4 L6: the completion proof counts anywhere in the turn, and a run-bound loop gets no hint about promises", () => {
    const probes = { blocks: [said(PROOF), "Bye."], lastWords: ["Bye."] };
    expect(near({ run: COMPLETED, probes })).toEqual(["completion_proof_matched", undefined]);
    expect(near({ ...early("Bye."), run: { hasProcess: true } })).toEqual(["run_incomplete", undefined]);
  });
});

describe("words of being blocked", () => {
  it("the last reason of the turn counts, white space aside, and an empty one does not", () => {
    const reason = (...blocks: string[]): string | undefined => blockedReason(situation({ probes: { blocks } }));
    const tag = (text: string): string => `<loop-blocked>${text}</loop-blocked>`;
    expect(reason(tag("no  key\n"), tag("no network"))).toBe("no network");
    expect(reason(tag("no  key\n"), tag(" "))).toBe("no key");
    expect(reason("blocked", said(PROMISE))).toBeUndefined();
  });
});
