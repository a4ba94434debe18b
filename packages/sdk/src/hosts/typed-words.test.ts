import { expect, test } from "vitest";
import { claudeCode } from "./claude-code/claude-code.js";
import { inTypedWords } from "./typed-words.js";

test.each([
  ["To resume: babysitter loop:resume run-1 --take", "To resume: /babysitter:resume run-1 --take"],
  ["Use loop:pause or run:cancel.", "Use /babysitter:pause or /babysitter:cancel."],
  ["Report: babysitter loop:report run-1", "Report: /babysitter:status run-1"],
  ["babysitter loop:verify run-1", "babysitter loop:verify run-1"],
])("%j becomes %j", (text, words) => {
  expect(inTypedWords(text, claudeCode.words)).toBe(words);
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
