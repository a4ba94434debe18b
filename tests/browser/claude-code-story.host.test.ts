/** The whole way of a question: an agent asks in the real host, and a person answers in a real browser. */
import { randomUUID } from "node:crypto";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { newPerson, startChrome } from "../fixtures/browser/chrome.js";
import { QuestionPage } from "../fixtures/browser/question-page.js";
import { WebInbox } from "../fixtures/browser/web-inbox.js";
import { HostProject } from "../hosts/rig/host-run.js";
import { answerDialogs, openTerminal } from "../hosts/rig/host-terminal.js";
import { NEWEST_HOST } from "../hosts/rig/install-hosts.js";
import { bash, callsTool, says } from "../hosts/rig/scripted-model.js";

const PROCESS = `export async function process(inputs, ctx) {
  const { approved, feedback, comments } = await ctx.breakpoint(
    { title: "Release", question: "Ship it to everybody?", context: { files: ["plan.txt"] } },
    { onReject: "return" },
  );
  return { approved, feedback, comments: comments.map(({ text, quote }) => ({ text, quote })) };
}
`;

/** The last line of every dialog. */
const OPEN_DIALOG = "Chat about this";

let browser: Browser;
beforeAll(async () => {
  browser = await startChrome();
});
afterAll(() => browser.close());

describe.each(NEWEST_HOST)("a question of an agent in Claude Code %s, answered in the inbox", (version) => {
  test("B5 P8: the person comments on a line and rejects in the browser; the dialog closes, and the work continues", async () => {
    const project = new HostProject(version, { "p.mjs": PROCESS, "plan.txt": "First the tests.\nThen the release.\n" });
    answerDialogs(project);
    const sessionId = randomUUID();
    await project.create("p.mjs", "r", ["--harness", "claude-code", "--session-id", sessionId, "--prompt", "Release."]);
    const { nextActions } = await project.ask(["run:iterate", "r"]);
    const effectId = nextActions[0]?.effectId ?? "";
    const inbox = await WebInbox.of(project);
    onTestFinished(() => inbox.end());
    const asks = callsTool("AskUserQuestion", {
      questions: [
        {
          question: effectId,
          header: "Release",
          multiSelect: false,
          options: ["one", "two"].map((label) => ({ label, description: "a placeholder" })),
        },
      ],
    });
    const terminal = await openTerminal(project, {
      sessionId,
      scenario: ({ kind, number }) =>
        (kind === "main" && [asks, bash("babysitter run:iterate r --json")][number - 1]) || says("THE END."),
    });
    await terminal.shows(OPEN_DIALOG);

    const person = await newPerson(browser);
    onTestFinished(() => person.close());
    const question = await QuestionPage.open(await inbox.signIn(person), inbox, inbox.asked("r", effectId));
    await question.comment({ path: "plan.txt", line: 2, text: "Not before Monday." });
    await question.decide({ kind: "reject", reason: "first the tests" });

    await terminal.until(() => project.count("r", "RUN_COMPLETED") === 1, "the end of the run");
    expect((await project.ask(["run:iterate", "r"])).output).toEqual({
      approved: false,
      feedback: "first the tests",
      comments: [{ text: "Not before Monday.", quote: "Then the release." }],
    });
    const decided = project.events("r").filter(({ type }) => type === "EFFECT_RESOLVED");
    expect(decided).toMatchObject([
      { payload: { result: { value: { via: "web", verified: true, proof: "session" } } } },
    ]);
    const told = terminal.model.main.map(({ news }) => news).join("\n");
    expect(told).toContain(`${effectId} was already decided, and that decision stays: rejected`);
    expect(told).toContain("first the tests");
    expect(terminal.text).not.toContain(OPEN_DIALOG);
  });
});
