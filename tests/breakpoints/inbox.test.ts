/** The inbox as its pages use it: sign-in, lists, one question, what people say to it. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type {
  DecisionReply,
  FilePage,
  Me,
  QuestionDetail,
  QuestionList,
  WireError,
} from "../../packages/breakpoints/src/wire/inbox-wire.js";
import { type Browser, InboxServer } from "../fixtures/breakpoints/inbox-server.js";
import { Project } from "../fixtures/project.js";
import { makeTempDir, removeTempDir } from "../fixtures/temp-dir.js";

const root = makeTempDir();
const project = new Project({ "plan.md": "# Plan\n\nfirst\nsecond\n" }, "project", root);
let server: InboxServer;
let browser: Browser;

beforeAll(async () => {
  server = await InboxServer.startForFile(project, { env: { REPO_ROOT: project.dir } });
  browser = await server.signIn();
});
afterAll(async () => {
  await server.kill();
  removeTempDir(root);
});

/** A question of its own; answers its id. */
async function ask(payload: object): Promise<string> {
  const reply = await server.post("/api/breakpoints", payload);
  return reply.json()["breakpointId"] as string;
}

const detail = (id: string): Promise<QuestionDetail> => browser.read(`/api/questions/${id}`);
const list = (query = ""): Promise<QuestionList> => browser.read(`/api/questions?${query}`);

describe("the inbox", () => {
  it("B1 B2: a question is listed, shown with its files, commented on lines, and decided", async () => {
    const id = await ask({
      question: "Ship it?",
      title: "Release",
      options: ["now", { label: "no", id: "never" }],
      consequences: { approve: "It is live.", reject: "It waits." },
      context: { files: ["plan.md", "../outside"], ticket: 7 },
    });
    const live = await browser.live();
    expect(await list()).toMatchObject({
      open: 1,
      total: 1,
      next: null,
      unreadable: [],
      questions: [{ id, state: "open" }],
    });
    const question = await detail(id);
    expect(question).toMatchObject({
      id,
      question: "Ship it?",
      title: "Release",
      state: "open",
      stops: "run",
      agent: false,
      project: { name: "project", root: project.dir },
      options: [
        { label: "now", rejects: false },
        { label: "no", id: "never", rejects: true },
      ],
      facts: { ticket: 7 },
      consequences: { approve: "It is live.", reject: "It waits." },
      needs: "session",
      decision: null,
      command: `babysitter breakpoint:approve ${id}`,
      files: [
        { n: 0, path: "plan.md", bytes: 21, comparisons: [] },
        { n: 1, path: "../outside", refused: "outside the project" },
      ],
    });
    expect(JSON.stringify(question)).not.toContain("second");
    expect(await browser.read<FilePage>(`/api/questions/${id}/files/0`)).toEqual({
      text: "# Plan\n\nfirst\nsecond\n",
      from: 0,
      next: null,
      bytes: 21,
    });
    const said = await browser.post(`/api/questions/${id}/comments`, {
      text: "why?",
      path: "plan.md",
      line: 3,
      endLine: 4,
    });
    expect([said.status, said.json()]).toMatchObject([
      201,
      { count: 1, comment: { text: "why?", line: 3, endLine: 4, quote: "first\nsecond", verified: true } },
    ]);
    await live.until(({ changed }) => changed.some((row) => row.id === id && row.commentCount === 1));
    const decided = await browser.post(`/api/questions/${id}/decision`, {
      decision: { option: "now" },
      shown: question.shown,
    });
    expect(decided.json() as unknown as DecisionReply).toMatchObject({
      outcome: "committed",
      question: {
        state: "approved",
        option: "now",
        decision: { approved: true, option: "now", via: "web", verified: true, proof: "session" },
      },
    });
    const told = await live.until(({ changed }) => changed.some((row) => row.id === id && row.state === "approved"));
    expect(told.data).toMatchObject({ open: 0 });
    expect(await list("state=decided")).toMatchObject({
      open: 0,
      total: 1,
      questions: [{ id, via: "web", commentCount: 1 }],
    });
    const late = await browser.post(`/api/questions/${id}/decision`, {
      decision: "reject",
      feedback: "no",
      shown: question.shown,
    });
    expect([late.status, late.json() as unknown as WireError]).toMatchObject([
      409,
      { error: { code: "EFFECT_ALREADY_RESOLVED" }, question: { id, state: "approved" } },
    ]);
  });

  it("says who is signed in, and where", async () => {
    expect(await browser.read<Me>("/api/me")).toMatchObject({
      version: expect.any(String) as string,
      passkeys: [],
      devices: [{ device: browser.device, name: "Firefox", current: true }],
    });
  });
});
