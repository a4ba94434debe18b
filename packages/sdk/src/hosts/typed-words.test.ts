import { expect, test } from "vitest";
import { claudeCode } from "./claude-code/claude-code.js";
import { inTypedWords } from "./typed-words.js";

test.each([
  ["To resume: babysitter loop:resume run-1 --take", "To resume: /babysitter:resume run-1 --take"],
  ["Use loop:pause or run:cancel.", "Use /babysitter:pause or /babysitter:cancel."],
  ["Report: babysitter loop:report run-1", "Report: /babysitter:report run-1"],
  ["babysitter loop:verify run-1", "/babysitter:verify run-1"],
  ["See: babysitter loop:amend --help", "See: /babysitter:amend --help"],
  [
    'type `babysitter breakpoint:approve <id>` (or `breakpoint:reject <id> --reason "…"`)',
    'type `/babysitter:approve <id>` (or `/babysitter:reject <id> --reason "…"`)',
  ],
  ["waiting for your answer: babysitter breakpoint:show e-1", "waiting for your answer: /babysitter:status e-1"],
  ["`babysitter breakpoint:list` lists the open ones", "`/babysitter:approve` lists the open ones"],
  ["fix: babysitter doctor", "fix: /babysitter:doctor"],
  [
    "To continue in a copy: babysitter run:fork run-1 --at 3",
    "To continue in a copy: !babysitter run:fork run-1 --at 3",
  ],
  ["next: babysitter run run-1 --retry", "next: !babysitter run run-1 --retry"],
  ["`babysitter run:list --open` lists the open runs.", "`!babysitter run:list --open` lists the open runs."],
  // No commands of ours.
  ["⏸ Babysitter run: paused", "⏸ Babysitter run: paused"],
  [
    "npm run:cancel-all, http://x/loop:pause, node:fs, a-loop:pause",
    "npm run:cancel-all, http://x/loop:pause, node:fs, a-loop:pause",
  ],
])("%j becomes %j, once", (text, words) => {
  expect(inTypedWords(text, claudeCode.words)).toBe(words);
  expect(inTypedWords(words, claudeCode.words)).toBe(words);
  expect(inTypedWords(text, undefined)).toBe(text);
});

test("users of the plugin are told in its words, its agent never", () => {
  const answer = {
    message: "To resume: babysitter loop:resume run-1",
    continueWith: { reason: "babysitter loop:status run-1", delta: "babysitter loop:status run-1" },
  };
  const env = { AI_AGENT: "claude-code_2-1-325_harness" };
  const delta = { hookSpecificOutput: { hookEventName: "Stop", additionalContext: answer.continueWith.delta } };
  expect(claudeCode.render("stop", answer, { ...env, CLAUDE_PLUGIN_ROOT: "/p" })).toEqual({
    ...delta,
    systemMessage: "To resume: /babysitter:resume run-1",
  });
  expect(claudeCode.render("stop", answer, env)).toEqual({ ...delta, systemMessage: answer.message });
});
