import { expect, test } from "vitest";
import { claudeCode } from "./claude-code.js";
import { inSlashWords } from "./slash-words.js";

test.each([
  ["To go on: babysitter loop:resume run-1 --take", "To go on: /babysitter:resume run-1 --take"],
  ["Use loop:pause or run:cancel.", "Use /babysitter:pause or /babysitter:cancel."],
  ["Report: babysitter loop:report run-1", "Report: /babysitter:status run-1"],
  ["babysitter loop:verify run-1", "babysitter loop:verify run-1"],
])("%j becomes %j", (text, words) => {
  expect(inSlashWords(text)).toBe(words);
});

test("users of the plugin are told in its words, its agent never", () => {
  const answer = {
    message: "To go on: babysitter loop:resume run-1",
    continueWith: { reason: "babysitter loop:status run-1", delta: "babysitter loop:status run-1" },
  };
  const env = { AI_AGENT: "claude-code_2-1-325_harness" };
  const delta = { hookSpecificOutput: { hookEventName: "Stop", additionalContext: answer.continueWith.delta } };
  expect(claudeCode.render("stop", answer, { ...env, CLAUDE_PLUGIN_ROOT: "/p" })).toEqual({
    ...delta,
    systemMessage: "To go on: /babysitter:resume run-1",
  });
  expect(claudeCode.render("stop", answer, env)).toEqual({ ...delta, systemMessage: answer.message });
});
