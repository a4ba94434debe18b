import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { TerminalScreen } from "../../../../../tests/fixtures/cli/progress/terminal-screen.js";
import type { Question } from "../../drive/progress.js";

function question(fields: Partial<Question> = {}): Question {
  return { effectId: "effect-1", title: undefined, question: "Ship it?", options: [], context: null, ...fields };
}

const COLOURS = question({ title: "A colour", question: "Which one?", options: ["Blue", "Deep green", "No"] });

function ask(asked: Question, ...more: string[]): TerminalScreen {
  return new TerminalScreen("ask.mjs", [JSON.stringify(asked), ...more], { cols: 80, rows: 30 });
}

/** Types each line when the prompt is there for it, and answers what the asker made of it. */
async function answerTo(
  screen: TerminalScreen,
  lines: readonly string[],
): Promise<{ answer: unknown; interrupts: number }> {
  for (const [index, line] of lines.entries()) {
    await screen.until(({ raw }) => raw.split(/answer: |reason \(optional\): |to confirm: /).length >= index + 2);
    screen.type(line);
  }
  await screen.exit;
  const [, answer = "", interrupts = ""] = /answer=(.*) interrupts=(\d+) end/.exec(screen.history.join("")) ?? [];
  return { answer: JSON.parse(answer) as unknown, interrupts: Number(interrupts) };
}

test.each([
  ["y", { approved: true }],
  ["YES", { approved: true }],
  [" approve ", { approved: true }],
  ["c", "none"],
])("C7: answering %j", async (line, answer) => {
  expect(await answerTo(ask(question()), [`${line}\r`])).toEqual({ answer, interrupts: 0 });
});

test.each([
  ["n", "", { approved: false }],
  ["no", "too early", { approved: false, feedback: "too early" }],
  ["reject", "  日本語 ", { approved: false, feedback: "日本語" }],
])("C7: answering %j is asked why, and %j will do", async (line, reason, answer) => {
  expect(await answerTo(ask(question()), [`${line}\r`, `${reason}\r`])).toEqual({ answer, interrupts: 0 });
});

test.each([
  ["1", { approved: true, option: "Blue" }],
  ["deep GREEN", { approved: true, option: "Deep green" }],
  ["3", { approved: false, option: "No" }],
  ["no", { approved: false, option: "No" }],
  ["y", { approved: true }],
])("C7: choosing %j", async (line, answer) => {
  expect(await answerTo(ask(COLOURS), [`${line}\r`])).toEqual({ answer, interrupts: 0 });
});

test("C7: an empty line or anything unclear is not an answer; the question is asked again", async () => {
  const screen = ask(COLOURS);
  const lines = ["\r", "maybe\r", "0\r", "4\r", "yn\r", "\r", "2\r"];
  expect(await answerTo(screen, lines)).toMatchObject({ answer: { approved: true, option: "Deep green" } });
  expect(screen.raw.match(/not one of the options/g)).toHaveLength(4);
});

test("C22: what is marked as high risk is decided by whoever types the run's name, and by no `y`", async () => {
  const risky = question({ risk: "high", confirm: "run-1" });
  const screen = ask(risky);
  const lines = ["y\r", "y\r", "y\r", "run-1\r"];
  expect(await answerTo(screen, lines)).toMatchObject({ answer: { approved: true, confirmed: true } });
  expect(screen.raw).toContain("risk: high");
  expect(screen.raw.match(/nothing was decided/g)).toHaveLength(1);
  expect(screen.raw.match(/^ {2}approved/gm)).toHaveLength(1);
  expect(await answerTo(ask(risky), ["n\r", "too early\r", "run-1\r"])).toMatchObject({
    answer: { approved: false, feedback: "too early", confirmed: true },
  });
  expect(await answerTo(ask(risky), ["y\r", "\u0004"])).toMatchObject({ answer: "none" });
});

test("C22: an answer that does not count is never called approved", async () => {
  const screen = ask(question(), "refused");
  await answerTo(screen, ["y\r"]);
  expect(screen.raw).toContain("This answer does not count:");
  expect(screen.raw).toContain("Too late.");
  expect(screen.raw).not.toMatch(/^ {2}approved/m);
});

test("without options a number is no answer", async () => {
  expect(await answerTo(ask(question()), ["1\r", "y\r"])).toMatchObject({ answer: { approved: true } });
});

test("C7: Ctrl-C leaves it open and reaches the program as an interrupt", async () => {
  expect(await answerTo(ask(question()), ["y\u0003"])).toEqual({ answer: "none", interrupts: 1 });
  expect(await answerTo(ask(question()), ["n\r", "because\u0003"])).toEqual({ answer: "none", interrupts: 1 });
});

test("C7: Ctrl-D leaves it open, also in the middle of a rejection", async () => {
  expect(await answerTo(ask(question()), ["\u0004"])).toEqual({ answer: "none", interrupts: 0 });
  expect(await answerTo(ask(question()), ["n\r", "\u0004"])).toEqual({ answer: "none", interrupts: 0 });
});

test("C7: a question that was answered elsewhere ends", async () => {
  const screen = ask(question());
  await screen.until(({ text }) => text.includes("answer:"));
  process.kill(screen.pid, "SIGUSR2");
  expect(await answerTo(screen, [])).toEqual({ answer: "none", interrupts: 0 });
  expect(screen.text).toContain("(answered elsewhere)");
});

test("C7: what was typed before the question appeared is not an answer to it", async () => {
  const screen = ask(question(), "late");
  await screen.until(({ text }) => text.includes("working"));
  screen.type("y\r");
  await screen.until(({ text }) => text.includes("working\ny"));
  process.kill(screen.pid, "SIGHUP");
  await screen.until(({ text }) => text.includes("answer:"));
  expect(screen.text).not.toContain("approved");
  expect(await answerTo(screen, ["n\r", "\r"])).toEqual({ answer: { approved: false }, interrupts: 0 });
});

test("C7: the question is shown whole: title, text, files, context and choices, and nothing in it is obeyed", async () => {
  const evil = "\u001b[2J\u001b]0;x\u0007";
  const screen = ask(
    question({
      title: `Release ${evil}`,
      question: `Ship 1.2.0?\nIt cannot be undone.${evil}\n`,
      options: [`Blue${evil}`, "Green"],
      context: {
        files: [{ path: "dist/report.md", format: "markdown" }, "notes.txt"],
        risk: "low",
        sizes: [1, 2],
        [evil]: evil,
      },
    }),
  );
  await screen.until(({ text }) => text.includes("answer:"));
  const shown = String.raw`\x1b[2J\x1b]0;x\x07`;
  expect(screen.text.trim().split("\n")).toEqual([
    `? Release ${shown}`,
    "  Ship 1.2.0?",
    `  It cannot be undone.${shown}`,
    "  file              dist/report.md",
    "  file              notes.txt",
    "  risk              low",
    "  sizes             [1,2]",
    `  ${shown}  ${shown}`,
    "",
    `  1  Blue${shown}`,
    "  2  Green",
    "  1-2 choose   y approve   n reject   c decide later",
    "  answer:",
  ]);
  await answerTo(screen, ["c\r"]);
});

test("from a pipe lines are taken as they come, and its end is no answer", async () => {
  const run = async (input: string): Promise<string> => {
    const script = fileURLToPath(new URL("../../../../../tests/fixtures/cli/progress/ask.mjs", import.meta.url));
    const child = spawn(process.execPath, [script, JSON.stringify(question())], { stdio: ["pipe", "pipe", "inherit"] });
    onTestFinished(() => void child.kill("SIGKILL"));
    let out = "";
    child.stdout.on("data", (chunk: Buffer) => void (out += chunk.toString()));
    child.stdin.end(input);
    await new Promise((resolve) => void child.on("close", resolve));
    return /answer=(.*) interrupts/.exec(out)?.[1] ?? out;
  };
  expect(await run("what\n\nno\ntoo late\n")).toBe('{"approved":false,"feedback":"too late"}');
  expect(await run("what\n")).toBe('"none"');
  expect(await run("")).toBe('"none"');
});
