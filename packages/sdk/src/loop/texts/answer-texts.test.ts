import { describe, expect, it } from "vitest";
import { RULE_EXAMPLES } from "../../../../../tests/fixtures/loop/rule-examples.js";
import {
  COMPLETED,
  checked,
  claim,
  command,
  PROMISE,
  PROOF,
  RUNNING,
  results,
  said,
  sample,
  situation,
  spent,
  step,
  type Turn,
} from "../../../../../tests/fixtures/loop/situations.js";
import { decide } from "../rules/decide.js";
import { answerFor, runContext, type StopAnswer, unmetText } from "./answer-texts.js";

const GOAL = "Build a REST API\n\n---\nwith `$(quotes)`\n";
const CONTEXT = { runId: "run-1", run: "run-1", goal: GOAL, discovered: [] as string[] };

function answerTo(turn: Turn, discovered: string[] = []): StopAnswer {
  const all = situation(turn);
  return answerFor(all, decide(all), { ...CONTEXT, discovered });
}
const exampleOf = (code: string): Turn => RULE_EXAMPLES[code] as Turn;
const PROCESS: Turn = { run: { hasProcess: true }, limits: { iterations: 256 } };

describe("L3: block reason and systemMessage texts of a loop without a process", () => {
  it("L3: the reason is the prompt, byte for byte; the message says how to stop", () => {
    const { reason, message } = answerTo({
      state: { iteration: 5 },
      contract: { promise: { text: "DONE", issued: false } },
    });
    expect(reason).toBe(GOAL);
    expect(message).toBe("🔄 Babysitter iteration 6 | To stop: output <promise>DONE</promise> (ONLY when TRUE!)");
  });

  it("L10: a stop without a claim names what is unmet, with what is known about it", () => {
    const criteria = [command("lint clean"), command("tests"), command("types"), claim("docs")];
    const state = { results: results({ "lint clean": true, tests: false }) };
    const unmet = "Unmet criteria: tests (exit code 1), types (not checked on these files), docs is good";
    const { reason, delta } = answerTo({ contract: { criteria }, state });
    expect(reason).toBe(`${unmet}\n\n${GOAL}`);
    expect(delta?.split("\n")).toContain(unmet);
    const underway = answerTo({ contract: { criteria }, state, probes: { verifying: true } }).reason;
    expect(underway).toContain("tests (exit code 1), types (being checked), docs is good");
    const idle = answerTo({ ...exampleOf("idle_warning"), contract: { criteria }, state: { ...state, idleStops: 2 } });
    expect(idle.reason).toContain(`will be paused.\n${unmet}\n\n`);
    const ofRun = answerTo({ ...PROCESS, contract: { criteria }, state });
    expect(ofRun.reason).not.toContain("Unmet criteria");
  });

  it("L3: what the decision has to say comes before the prompt", () => {
    const { reason } = answerTo(exampleOf("idle_warning"));
    expect(reason).toMatch(/^You have ended several turns without calling a tool\./u);
    expect(reason?.endsWith(`\n\n${GOAL}`)).toBe(true);
  });
});

describe("L3: block reason and systemMessage texts per run state", () => {
  it.each<[what: string, run: Parameters<typeof runContext>[0]["run"], words: string]>([
    [
      "completed",
      { ...RUNNING, state: "completed" },
      "Run completed! To finish: call 'run:status --json', extract 'completionProof', output in <promise>SECRET</promise> tags.",
    ],
    [
      "waiting on kinds",
      { ...RUNNING, state: "waiting", pendingKinds: ["node", "breakpoint"] },
      "Waiting on: node, breakpoint. Check if pending effects are resolved, then call run:iterate.",
    ],
    ["failed", { ...RUNNING, state: "failed" }, "Run failed. Fix the run, journal or process and proceed."],
    ["default", { ...RUNNING, state: "running" }, "Continue orchestration (run:iterate)."],
    ["created", { ...RUNNING, state: "created" }, "Continue orchestration (run:iterate)."],
    ["waiting on nothing", { ...RUNNING, state: "waiting" }, "Continue orchestration (run:iterate)."],
    ["running with something pending", { ...RUNNING, pendingKinds: ["node"] }, "Continue orchestration (run:iterate)."],
  ])("L3: %s", (_, run, words) => {
    expect(runContext({ run })).toBe(words);
    const { reason, message } = answerTo({ ...PROCESS, run: { ...run, hasProcess: true } });
    expect(reason).toBe(`Babysitter iteration 3 | ${words}\n\n${GOAL}`);
    expect(message).toBe(`🔄 Babysitter iteration 3/256 [${run.state}]`);
  });

  it("L5: a loop without a limit shows none", () => {
    expect(answerTo({ ...PROCESS, limits: { iterations: 0 } }).message).toBe("🔄 Babysitter iteration 3 [running]");
  });

  it("L3: up to 10 discovered skills and agents are appended, before the prompt", () => {
    const names = Array.from({ length: 11 }, (_, index) => `skill-${index + 1}`);
    const ten = `Available skills and agents: ${names.slice(0, 10).join(", ")}`;
    for (const turn of [{}, PROCESS]) {
      const { reason, delta } = answerTo(turn, names);
      expect(reason?.endsWith(`${ten}\n\n${GOAL}`)).toBe(true);
      expect(delta?.split("\n")).toContain(ten);
      expect(reason).not.toContain("skill-11");
    }
    expect(answerTo(PROCESS).reason).not.toContain("Available");
  });
});

describe("L3: an agent that may stop is told nothing, the user why", () => {
  it("L3: approve is empty when nothing ended", () => {
    expect(answerTo(exampleOf("awaiting_background"))).toEqual({});
  });

  it("L3: an end has its words and what to do next", () => {
    const { why, message, reason, delta } = answerTo(exampleOf("max_iterations_reached"));
    expect(why).toBe("🛑 Babysitter run: Max iterations (2) reached.");
    expect(message).toBe(
      `${why}\nThe loop is paused and nothing is lost. To resume: babysitter loop:resume run-1 --max-iterations <n>`,
    );
    expect([reason, delta]).toEqual([undefined, undefined]);
  });
});

describe("the short text with what is new", () => {
  it("has the iteration, the goal, the next step, the budget and what to do now", () => {
    const { delta } = answerTo({
      limits: { usd: 5 },
      probes: { spend: spent(1.239) },
      state: { steps: [step("one", "done"), step("two", "open"), step("three", "open")] },
    });
    expect(delta?.split("\n")).toEqual([
      "Babysitter iteration 3/50 | goal: Fix the parser",
      "Next step: do two (when done: babysitter loop:step run-1 two --done)",
      "Budget: $1.24 of $5.00 used.",
      `Now: continue with the task, and check the status with: babysitter loop:status run-1. Only when everything is really done, output ${said(PROMISE)} alone on a line.`,
    ]);
    expect(delta).not.toContain("REST API");
  });

  it("has no budget line without a budget, or where nobody can tell", () => {
    for (const turn of [{ limits: { usd: 0 }, probes: { spend: spent(1) } }, { probes: { spend: spent(1) } }, {}])
      expect(answerTo(turn).delta).not.toContain("Budget");
    expect(answerTo({ limits: { usd: 5 }, state: { iteration: 1 } }).delta).not.toContain("Budget");
  });

  it("names the way to check where there is something to check", () => {
    expect(answerTo({ contract: { criteria: [command("tests")] } }).delta).toContain(
      "Now: continue with the task, and check it with: babysitter loop:verify run-1 --wait. Only when everything",
    );
  });

  it("of a run says where the run stands and sends the agent back to it", () => {
    expect(answerTo(PROCESS).delta?.split("\n")).toEqual([
      "Babysitter iteration 3/256 | goal: Fix the parser",
      "Continue orchestration (run:iterate).",
      "Now: babysitter run:iterate run-1 --json, then do the pending tasks and post their results.",
    ]);
  });

  it.each(["verifying", "ask_human", "proof_missing"])("of %s says nothing that would lead elsewhere", (code) => {
    expect(answerTo(exampleOf(code)).delta).not.toContain("Now: ");
  });

  it("fits into what hosts pass on, whatever a check has printed, and still says what to do", () => {
    const criteria = Array.from({ length: 40 }, (_, index) => command(`check-${index}`));
    const tail = "✗ failed ".repeat(2_000);
    const red = criteria.map(({ id }) => [id, [checked(id, false, { tail })]]);
    const { delta = "" } = answerTo({
      contract: { criteria },
      state: { results: Object.fromEntries(red) },
      says: said(PROMISE),
    });
    expect(delta.length).toBeLessThanOrEqual(9_000);
    expect(delta.length).toBeGreaterThan(8_990);
    expect(delta).toContain("\n… (babysitter loop:status shows all of it)\nNow: continue");
    expect(delta.endsWith("alone on a line.")).toBe(true);
  });

  it("fits even when something else is endless", () => {
    const promising = (length: number): string =>
      answerTo({ contract: { promise: { text: "x".repeat(length), issued: false } } }).delta ?? "";
    expect(promising(20_000)).toHaveLength(9_000);
    const room = 9_000 - promising(1).length + 1;
    expect(promising(room)).not.toContain("shows all of it");
    expect(promising(room + 1)).toContain("shows all of it");
  });

  it("shows a title of any length in one short line", () => {
    const title = `${"x".repeat(20_000)}\nnext: forged`;
    const { delta = "" } = answerTo({ contract: { title }, state: { steps: [{ ...step("a", "open"), title }] } });
    expect(delta.length).toBeLessThan(1_000);
    expect(delta).not.toContain("forged");
  });
});

describe("L5: the iteration shown is the one that starts", () => {
  it.each<[times: number, hint: string]>([
    [1, ""],
    [2, "But the check tests changes files itself (out/report.xml, a b), so its result is about files that are no"],
  ])("L10: a check that has changed files %d times is named with them", (times, hint) => {
    const changing = checked("tests", true, { before: "old", written: ["out/report.xml", "a\nb"] });
    const turn: Turn = {
      contract: { criteria: [command("tests")] },
      says: said(PROMISE),
      state: { results: { tests: Array.from({ length: times }, () => changing) } },
    };
    const { reason = "", delta = "" } = answerTo(turn);
    for (const text of [reason, delta]) {
      expect(text).toContain(hint);
      expect(text.includes("changes files itself")).toBe(hint !== "");
    }
  });

  it.each(["verifying", "ask_human"])("L5: %s does not use one up, so never more are shown than allowed", (code) => {
    const example = exampleOf(code);
    const turn = { ...example, run: { ...example.run, hasProcess: true, ...(code === "verifying" ? COMPLETED : {}) } };
    const claimed = code === "verifying" ? { ...turn, says: said(PROOF) } : turn;
    const { reason, delta, message } = answerTo(claimed);
    expect(message).toMatch(/^🔄 Babysitter iteration 2\/50 /u);
    expect(reason).toMatch(/^Babysitter iteration 2 /u);
    expect(delta).toMatch(/^Babysitter iteration 2\/50 /u);
  });
});

describe("L10: what a decision says besides continuing", () => {
  const saying = (turn: Turn): string => answerTo(turn).reason?.slice(0, -GOAL.length).trimEnd() ?? "";
  const red = (parts: Parameters<typeof checked>[2]): Turn => ({
    contract: { criteria: [command("tests")] },
    state: { results: { tests: [checked("tests", false, parts)] } },
    says: said(PROMISE),
  });

  it("L10: a wrong claim: which criterion, exit code, last lines, and where the rest is", () => {
    const tail = `${Array.from({ length: 20 }, (_, index) => `line ${index + 1}`).join("\n")}\n\n`;
    expect(saying(red({ exitCode: 3, tail, evidence: "evidence/tests/1.log" })).split("\n")).toEqual([
      "You said that you are done, but the engine checked and found that the current tree does not meet the criteria.",
      "Not met: tests (check tests): exit code 3",
      "last lines:",
      ...Array.from({ length: 15 }, (_, index) => `  | line ${index + 6}`),
      "(whole output: evidence/tests/1.log in the run directory)",
    ]);
  });

  it("L10: overlong lines are truncated at the start", () => {
    const words = saying(red({ tail: `${"x".repeat(3_000)}END` }));
    expect(words).toContain(`last lines:\n  | ${"x".repeat(1_497)}END`);
    expect(words).not.toContain("x".repeat(1_498));
  });

  it("L10: a check that printed nothing has no last lines", () => {
    expect(saying(red({ tail: "\n" }))).toMatch(/exit code 1$/u);
    expect(saying(red({ tail: "", evidence: "e.log" }))).toMatch(/exit code 1$/u);
  });

  it.each<[parts: Parameters<typeof checked>[2], words: string]>([
    [{ outcome: "timed-out", exitCode: null, signal: "SIGKILL" }, "timed out"],
    [{ outcome: "not-started", exitCode: null }, "could not be started"],
    [{ exitCode: null, signal: "SIGSEGV" }, "killed by SIGSEGV"],
    [{ exitCode: null }, "killed by a signal"],
    [{ kind: "file" }, "the file is missing or not as required"],
  ])("L10: why it is red: %j", (parts, words) => {
    expect(unmetText(situation(red(parts)))).toBe(`Not met: tests (check tests): ${words}`);
  });

  it("L10: every red criterion is named, green and unchecked ones are not", () => {
    const criteria = ["a", "b", "c", "d"].map((id) => command(id));
    const state = { results: results({ a: false, b: true, d: false }) };
    const lines = unmetText(situation({ contract: { criteria }, state })).split("\n");
    expect(lines.map((line) => line.slice(0, 10))).toEqual(["Not met: a", "Not met: d"]);
  });

  it.each<[code: string, words: string[], host?: Turn["host"]]>([
    ["verifying", ["babysitter loop:verify run-1 --wait", "without changing any file", "repeat your claim"]],
    ["steps_remaining", ["these steps are open: docs (do docs).", "babysitter loop:step run-1 <step> --done"]],
    ["run_incomplete", ["the run has not completed. Continue orchestration (run:iterate).", "completion proof ends"]],
    ["idle_warning", ["without calling a tool", "babysitter loop:status run-1", "the loop will be paused"]],
    ["criteria_met_confirm", ["Every criterion is met", said(PROMISE), "otherwise say what is left"]],
    ["ask_human", ["(q2)", "Do not answer it yourself", "just stop"]],
    ["ask_human", ["(q2)", "with AskThem", "`q2`", "Do not answer it yourself"], { questionTool: "AskThem" }],
  ])("L3: %s", (code, words, host = {}) => {
    const { reason, delta } = answerTo({ ...exampleOf(code), host: { ...exampleOf(code).host, ...host } });
    for (const word of words) {
      expect(reason).toContain(word);
      expect(delta).toContain(word);
    }
  });

  it("L6: a completed run: the short text names the command that shows the proof, never the proof itself", () => {
    const { reason, delta } = answerTo(exampleOf("proof_missing"));
    expect(reason).toBe(
      `Babysitter iteration 3 | ${runContext({ run: { ...RUNNING, state: "completed" } })}\n\n${GOAL}`,
    );
    expect(delta).toContain("babysitter run:status run-1 --json (field completionProof)");
    expect(`${reason}${delta}`).not.toContain(PROOF);
  });

  it("L12: a step is named by its title where it has one", () => {
    const steps = [{ ...step("a", "open"), title: "a" }, step("b", "failed"), step("c", "done")];
    expect(answerTo({ state: { steps }, says: said(PROMISE) }).reason).toContain("are open: a, b (do b). Do");
  });

  it.each<[code: string, words: string]>([
    ["stuck_oscillation", "has returned to an earlier state twice"],
    ["stuck_same_failure", "changed files, but the checks found exactly the same failures"],
    ["stuck_no_progress", "Nothing happened in the last three turns: no file changed"],
    ["stuck_plateau", "For five turns no check has shown an improvement"],
    ["iteration_too_fast", "were very short and nothing happened"],
  ])("L10: the warning before %s says what is wrong, and what follows", (code, words) => {
    const { state: { halfOpen: _, ...state } = {}, ...turn } = exampleOf(code);
    const { reason } = answerTo({ ...turn, state });
    expect(reason).toContain(words);
    expect(reason).toContain("Change your approach");
    expect(reason).toContain("If nothing changes in the next turn, the loop will be paused.");
  });

  it("L10: a warning names what is red", () => {
    const turn = { ...red({}), says: "trying", state: { ...red({}).state, progress: [sample(), sample()] } };
    expect(saying(turn)).toMatch(/\nNot met: tests \(check tests\): exit code 1$/u);
  });

  it("L10: a warning says which criteria were not checked on these files, and how they are", () => {
    const criteria = [command("tests"), command("lint")];
    const state = { progress: [sample(), sample()], results: { lint: [checked("lint", false)] } };
    expect(saying({ contract: { criteria }, says: "trying", state })).toMatch(
      /\nUnmet criteria: tests \(not checked on these files\), lint \(exit code 1\)\nTo check these files: babysitter loop:verify run-1 --wait$/u,
    );
  });

  it("a breaker of which nothing is known still warns", () => {
    const decision = { code: "breaker_half_open", action: "block" } as const;
    const words = (breaker?: string): string | undefined =>
      answerFor(situation(), breaker === undefined ? decision : { ...decision, breaker }, CONTEXT).reason;
    expect(words("new")).toMatch(/^You seem to be stuck\. Change/u);
    expect(words()).toMatch(/^Nothing happened in the last three turns/u);
  });
});
