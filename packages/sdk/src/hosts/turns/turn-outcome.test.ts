import { expect, test } from "vitest";
import { launcher } from "../claude-code/launcher.js";
import { outcomeOf, type TurnOutcome } from "./turn-outcome.js";

interface Printed {
  exitCode?: number | null;
  signal?: string | null;
  stdout?: string;
  stderr?: string;
}

function outcome({ exitCode = 0, signal = null, stdout = "", stderr = "" }: Printed): TurnOutcome {
  return outcomeOf(launcher, { exitCode, signal, outcome: "exited" }, { stdout, stderr });
}

const result = (fields: object): string => `${JSON.stringify({ type: "result", subtype: "success", ...fields })}\n`;

test("the last result counts, wherever its type stands, behind the middle of a line and before noise", () => {
  const stdout = `xt":"cut"}\n{"type":"system"}\n${result({ result: "old" })}{"is_error":false,"result":"new","type":"result"}\nbye {\n`;
  expect(outcome({ stdout })).toEqual({ kind: "ended", message: "new" });
});

test("an agent that has said nothing has ended all the same", () => {
  expect(outcome({ stdout: result({ is_error: false, result: "" }) })).toEqual({ kind: "ended" });
});

test("the host's word for an error of the API is kept", () => {
  const said = `${JSON.stringify({ type: "assistant", error: "billing_error", message: {} })}\n`;
  const stdout = `${said}${result({ is_error: true, result: "Credit balance is too low" })}`;
  expect(outcome({ exitCode: 1, stdout })).toEqual({
    kind: "failed",
    why: "Credit balance is too low",
    error: "billing_error",
  });
});

test("an error is one by the document or by the exit code", () => {
  const api = result({ is_error: true, result: "API Error: 529\noverloaded" });
  expect(outcome({ stdout: api })).toEqual({ kind: "failed", why: "API Error: 529 overloaded" });
  const good = result({ is_error: false, result: "fine" });
  expect(outcome({ exitCode: 1, stdout: good, stderr: "boom" })).toEqual({ kind: "failed", why: "fine boom" });
  const during = `${JSON.stringify({ type: "result", subtype: "error_during_execution", is_error: true })}\n`;
  expect(outcome({ exitCode: 1, stdout: during })).toEqual({ kind: "failed", why: "error_during_execution" });
});

test("a limit of the account has a time when the host has said one, and was refused by it", () => {
  const event = (info: object): string => `${JSON.stringify({ type: "rate_limit_event", rate_limit_info: info })}\n`;
  const why = "You've hit your session limit · resets 10:18am (UTC)";
  const refused = result({ is_error: true, api_error_status: 429, result: why });
  const rejected = event({ status: "rejected", resetsAt: 1_794_824_292, rateLimitType: "five_hour" });
  const limited = { kind: "failed", why, limitedUntilMs: 1_794_824_292_000 };
  expect(outcome({ exitCode: 1, stdout: `${rejected}${refused}` })).toEqual(limited);
  const others = [
    event({ status: "allowed_warning", resetsAt: 1_794_824_292 }),
    event({ status: "rejected" }),
    event({ status: "rejected", resetsAt: "soon" }),
    `${rejected}${event({ status: "allowed", resetsAt: 1_794_824_292 })}`,
    '{"type":"rate_limit_event"}\n',
  ];
  for (const told of others) expect(outcome({ stdout: `${told}${refused}` })).toEqual({ kind: "failed", why });
  const overloaded = result({ is_error: true, api_error_status: 529, result: "busy" });
  expect(outcome({ stdout: `${rejected}${overloaded}` })).toEqual({ kind: "failed", why: "busy" });
  const fine = result({ is_error: false, result: "fine" });
  expect(outcome({ stdout: `${rejected}${fine}` })).toEqual({ kind: "ended", message: "fine" });
});

test("an end without a word is described", () => {
  expect(outcome({})).toEqual({ kind: "failed", why: "it ended without a result" });
  expect(outcome({ exitCode: 9 })).toEqual({ kind: "failed", why: "it ended with exit code 9" });
  expect(outcome({ exitCode: null, signal: "SIGKILL" })).toEqual({ kind: "failed", why: "it was killed by SIGKILL" });
});

test("what the host says about the session, in its own words", () => {
  const unknown = "No conversation found with session ID: 5d1c";
  expect(outcome({ exitCode: 1, stderr: unknown })).toEqual({ kind: "session unknown" });
  expect(outcome({ exitCode: 1, stdout: result({ is_error: true, errors: [unknown] }) })).toEqual({
    kind: "session unknown",
  });
  expect(outcome({ exitCode: 1, stderr: "Error: Session ID 5d1c is already in use." })).toEqual({
    kind: "session known",
  });
  // An agent that only talks about it has ended its turn like any other.
  expect(outcome({ stdout: result({ is_error: false, result: unknown }) })).toEqual({
    kind: "ended",
    message: unknown,
  });
});

test("a program that was stopped or never began is no failure of a turn", () => {
  const printed = { stdout: "", stderr: "" };
  expect(outcomeOf(launcher, { exitCode: null, signal: "SIGTERM", outcome: "stopped" }, printed)).toEqual({
    kind: "stopped",
  });
  const startError = { code: "ENOENT", message: "there is no claude" };
  expect(outcomeOf(launcher, { exitCode: null, signal: null, outcome: "not-started", startError }, printed)).toEqual({
    kind: "not started",
    why: "there is no claude",
  });
});
