import { describe, expect, it } from "vitest";
import { questionIn } from "../../model/breakpoint-question.js";
import type { Json, JsonObject } from "../../model/json.js";
import type { OpenQuestion } from "../host.js";
import {
  type AskedDialog,
  answeredInput,
  answerIn,
  decisionWords,
  dialogFor,
  isDialog,
  meantQuestion,
  questionIdIn,
} from "./question-dialog.js";

const SHOWN = "0123456789abcdef".repeat(4);

function open(payload: JsonObject, effectId = "effect-1a2b"): OpenQuestion {
  return { effectId, shown: SHOWN, question: questionIn({ breakpoint: { payload } }, undefined) };
}

const dialogOf = (payload: JsonObject): AskedDialog => dialogFor(open(payload));
const inputOf = (payload: JsonObject): JsonObject => dialogOf(payload).input;
const labels = ({ input }: AskedDialog): string[] => input.questions[0].options.map(({ label }) => label);
const ship = { question: "Ship it?", title: "Release" };

describe("a question as a dialog", () => {
  it("has the run's words, the title as header, and explicit answers", () => {
    expect(dialogOf(ship).input).toEqual({
      questions: [
        {
          question: "Ship it?\n\nbabysitter breakpoint:show effect-1a2b [01234567]",
          header: "Release",
          options: [
            { label: "Approve", description: "The run continues." },
            { label: "Reject", description: "The run receives a rejection." },
          ],
          multiSelect: false,
        },
      ],
    });
  });

  it("says of the process's own answers what they count as", () => {
    const dialog = dialogOf({ question: "When?", options: ["now", { label: "never", reject: true, id: "n" }] });
    expect(dialog.input.questions[0].options).toEqual([
      { label: "now", description: "Counts as an approval." },
      { label: "never", description: "Counts as a rejection." },
    ]);
    expect([...dialog.choices]).toEqual([
      ["now", { option: "now" }],
      ["never", { option: "n" }],
    ]);
  });

  it.each([
    [["go"], ["go", "Reject"]],
    [["no"], ["no", "Approve"]],
    [
      ["a", "a", "a (2)"],
      ["a", "a (2)", "a (2) (2)"],
    ],
    [
      ["", " \n"],
      ["Answer 1", "Answer 2"],
    ],
  ])("always offers two answers or more that differ: %j", (options, expected) => {
    expect(labels(dialogOf({ question: "?", options }))).toEqual(expected);
  });

  it("offers four at most, a no among them; the others can be typed", () => {
    const dialog = dialogOf({ question: "Which?", options: ["a", "b", "c", "d", "e", "no"] });
    expect(labels(dialog)).toEqual(["a", "b", "c", "no"]);
    expect(dialog.input.questions[0].question).toContain("Or type: d | e\n");
    expect([...dialog.choices.keys()]).toEqual(["a", "b", "c", "d", "e", "no"]);
  });

  it("shows what is hidden, and stays lower than a terminal", () => {
    const text = dialogOf({ question: `Ship\u001B[2K it?\u202E\n${"line\n".repeat(100)}`, title: "x".repeat(99) });
    const [{ question, header }] = text.input.questions;
    expect(question).toContain(String.raw`Ship\x1b[2K it?\u{202e}`);
    expect(question.split("\n").length).toBeLessThan(22);
    expect(header.length).toBeLessThanOrEqual(30);
    const long = dialogOf({
      question: "y".repeat(10_000),
      context: { files: Array.from({ length: 9 }, () => "f.md") },
    });
    expect(long.input.questions[0].question.length).toBeLessThan(700);
    expect(long.input.questions[0].question).toContain("About: f.md, f.md, f.md, f.md, f.md and 4 more");
  });
});

describe("what an agent means by its own call", () => {
  const asks = (question: string, more: JsonObject = {}): JsonObject => ({
    questions: [{ question, header: "h", ...more }],
  });
  const both = [open(ship), open({ question: "Delete  it?" }, "effect-9f")];
  it.each([
    [asks("effect-9f"), "effect-9f"],
    [asks("May I (effect-1a2b)?"), "effect-1a2b"],
    [asks("May I?", { header: "effect-9f" }), "effect-9f"],
    [asks(" Delete\nit? "), "effect-9f"],
    [inputOf(ship), "effect-1a2b"],
    [
      { questions: [...(asks("Own?")["questions"] as Json[]), ...(asks("effect-9f.")["questions"] as Json[])] },
      "effect-9f",
    ],
    [asks("Should I ship it?"), undefined],
    [asks("effect-1a2bc"), undefined],
    [asks("effect-1a2"), undefined],
    [{ questions: "effect-9f" }, undefined],
    [{ questions: [null, 7, { question: 8 }] }, undefined],
    [{}, undefined],
  ])("%j", (input, expected) => {
    expect(meantQuestion(input, both)?.effectId).toBe(expected);
  });
});

describe("what the host says was answered", () => {
  const dialog = dialogOf(ship);
  const { questions } = inputOf(ship);
  const [{ question }] = dialog.input.questions;
  const response = (answers: Json, more: JsonObject = {}): JsonObject => ({
    questions: questions as Json,
    answers,
    ...more,
  });

  it.each([
    ["Approve", "approve"],
    ["Reject", "reject"],
  ])("%s is a choice", (label, choice) => {
    const notes = { annotations: { [question]: { notes: " why not " } } };
    expect(answerIn(response({ [question]: label }), dialog)).toEqual({ kind: "choice", choice, label });
    expect(answerIn(response({ [question]: label }, notes), dialog)).toMatchObject({ notes: "why not" });
  });

  it.each(["approve", "Approve.", "Approve, Reject", "yes"])("%s is only a comment", (text) => {
    expect(answerIn(response({ [question]: text }), dialog)).toEqual({ kind: "comment", text });
  });

  it.each([
    ["nothing", undefined],
    ["a text", "Approve"],
    ["no answers", response({})],
    ["a list", response(["Approve"])],
    ["an empty one", response({ [question]: " " })],
    ["one that is no text", response({ [question]: ["Approve"] })],
    ["one to another question", response({ "Ship it?": "Approve" })],
    ["several", response({ [question]: "Approve", other: "Approve" })],
    ["one after a time-out", response({ [question]: "Approve" }, { afkTimeoutMs: 60_000 })],
    ["one without its question", { answers: { [question]: "Approve" } }],
    ["one to another dialog", { ...response({ [question]: "Approve" }), questions: [{ question }] }],
  ])("%s is no answer", (_, given) => {
    expect(answerIn(given, dialog)).toEqual({ kind: "none" });
  });

  it("a dialog is only itself, in whatever order a host writes its fields", () => {
    const [asked] = questions as [JsonObject];
    const other = open(ship).question;
    expect(isDialog({ questions: [Object.fromEntries(Object.entries(asked).toReversed())] }, dialog)).toBe(true);
    expect(isDialog({ questions: [{ ...asked, multiSelect: true }] }, dialog)).toBe(false);
    expect(isDialog({ questions: [asked, asked] }, dialog)).toBe(false);
    expect(isDialog(inputOf(ship), dialogFor({ effectId: "effect-1a2b", shown: `f${SHOWN}`, question: other }))).toBe(
      false,
    );
    expect(questionIdIn(inputOf(ship))).toBe("effect-1a2b");
    expect(questionIdIn({ questions: [asked, asked] })).toBeUndefined();
    expect(questionIdIn({ questions: [{ question: `${question} or so` }] })).toBeUndefined();
  });
});

describe("a decision from elsewhere in the dialog", () => {
  const chosen = dialogOf({ question: "When?", options: ["now", { label: "Never", id: "n", reject: true }] });
  it.each([
    [dialogOf(ship), { approved: true }, "Approve"],
    [dialogOf(ship), { approved: false, feedback: "first\nthe tests" }, "Rejected: first the tests"],
    [dialogOf(ship), { approved: false }, "Reject"],
    [chosen, { approved: true, option: "now" }, "now"],
    [chosen, { approved: true }, "Approved"],
    [chosen, { approved: false, option: "n", feedback: "Never" }, "Never"],
    [chosen, { approved: false, feedback: "now" }, "Rejected: now"],
  ])("%# is an answer that means the same", (dialog, result, words) => {
    expect(decisionWords(dialog, result)).toBe(words);
    const [{ question }] = dialog.input.questions;
    expect(answeredInput(dialog, words)).toEqual({ ...dialog.input, answers: { [question]: words } });
  });
});
