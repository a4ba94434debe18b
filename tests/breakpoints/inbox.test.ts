/** The inbox as its pages use it: sign-in, lists, one question, what people say to it. */
import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import type {
  DecisionReply,
  FilePage,
  Me,
  QuestionDetail,
  WireError,
} from "../../packages/breakpoints/src/wire/inbox-wire.js";
import { InboxScene } from "../fixtures/breakpoints/inbox-scene.js";
import type { Reply } from "../fixtures/breakpoints/inbox-server.js";

const LONG_LINE = "ü".repeat(200_000);
const LINES = Array.from({ length: 40_000 }, (_, n) => `line ${n} ✓`).join("\n");
const scene = new InboxScene({
  "plan.md": "# Plan\n\nfirst\nsecond\n",
  "lines.txt": LINES,
  "long.txt": `${LONG_LINE}\nend`,
  "p.mjs": `export async function process(inputs, ctx) {
  const { approved, feedback, option, comments } = await ctx.breakpoint({ question: "Go?", options: ["now", "no"] }, { onReject: "return" });
  return { approved, feedback, option, comments };
}
`,
});
const { project } = scene;
const ask = (payload: object): Promise<string> => scene.ask(payload);
const detail = (id: string): Promise<QuestionDetail> => scene.detail(id);

describe("the inbox", () => {
  it("B1 B2: a question is listed, shown with its files, commented on lines, and decided", async () => {
    const id = await ask({
      question: "Ship it?",
      title: "Release",
      options: ["now", { label: "no", id: "never" }],
      consequences: { approve: "It is live.", reject: "It waits." },
      context: { files: ["plan.md", "../outside"], ticket: 7 },
    });
    const live = await scene.browser.live();
    expect(await scene.list()).toMatchObject({
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
    expect(await scene.browser.read<FilePage>(`/api/questions/${id}/files/0`)).toEqual({
      text: "# Plan\n\nfirst\nsecond\n",
      from: 0,
      next: null,
      bytes: 21,
    });
    const said = await scene.browser.post(`/api/questions/${id}/comments`, {
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
    const decided = await scene.browser.post(`/api/questions/${id}/decision`, {
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
    expect(await scene.list({ state: "decided" })).toMatchObject({
      open: 0,
      total: 1,
      questions: [{ id, via: "web", commentCount: 1 }],
    });
    const late = await scene.browser.post(`/api/questions/${id}/decision`, {
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
    expect(await scene.browser.read<Me>("/api/me")).toMatchObject({
      version: expect.any(String) as string,
      passkeys: [],
      devices: [{ device: scene.browser.device, name: "Firefox", current: true }],
    });
  });

  it("B1: the process receives exactly what was decided in the browser, with the comments", async () => {
    for (const [n, words] of (
      [
        { decision: "approve", feedback: "fine" },
        { decision: "reject", feedback: "not yet" },
        { decision: { option: "no" } },
      ] as const
    ).entries()) {
      const runId = `told-${n}`;
      await project.create("p.mjs#process", runId, ["--session-id", runId]);
      const { nextActions } = await project.ask(["run:iterate", runId]);
      const id = nextActions[0]?.effectId as string;
      const { shown } = await detail(id);
      await scene.browser.post(`/api/questions/${id}/comments`, { text: "look here" });
      expect((await scene.browser.post(`/api/questions/${id}/decision`, { ...words, shown })).status).toBe(200);
      const { output } = await project.ask(["run:iterate", runId]);
      const approved = words.decision === "approve";
      expect(output).toMatchObject({ approved, comments: [{ text: "look here", verified: true }] });
      expect(output).toMatchObject("feedback" in words ? { feedback: words.feedback } : { option: "no" });
    }
  });

  it("B1: of fifty contradictory decisions at once one counts, and the others are shown the winner", async () => {
    const id = await ask({ question: "Which?" });
    const { shown } = await detail(id);
    const replies = await Promise.all(
      Array.from({ length: 50 }, (_, n) =>
        scene.browser.post(`/api/questions/${id}/decision`, {
          decision: n % 2 === 0 ? "approve" : "reject",
          feedback: `number ${n}`,
          shown,
        }),
      ),
    );
    const [winner, ...others] = replies.filter(({ status }) => status === 200);
    expect(others).toEqual([]);
    const { question } = (winner as Reply).json() as unknown as DecisionReply;
    const losers = replies.filter(({ status }) => status === 409);
    expect(losers).toHaveLength(49);
    for (const loser of losers) expect(loser.json()).toMatchObject({ question: { id, decision: question.decision } });
  });

  it("a decision about something else than what is shown is refused with how the question stands", async () => {
    const id = await ask({ question: "Still this?" });
    const reply = await scene.browser.post(`/api/questions/${id}/decision`, {
      decision: "approve",
      shown: "0".repeat(64),
    });
    expect([reply.status, reply.json()]).toMatchObject([
      409,
      { error: { code: "BREAKPOINT_CHANGED" }, question: { id, state: "open" } },
    ]);
  });

  it("files come in pages of whole lines that make up the whole text; a line longer than a page is divided between characters", async () => {
    const id = await ask({ question: "Read?", context: { files: ["lines.txt", "long.txt"] } });
    for (const [n, content] of [LINES, `${LONG_LINE}\nend`].entries()) {
      const pages: FilePage[] = [];
      for (let from: number | null = 0; from !== null; ) {
        const page: FilePage = await scene.browser.read(`/api/questions/${id}/files/${n}?from=${from}`);
        expect([page.from, page.bytes]).toEqual([from, Buffer.byteLength(content)]);
        expect(Buffer.byteLength(page.text)).toBeLessThanOrEqual(256 * 1024);
        pages.push(page);
        from = page.next;
      }
      expect(pages.length).toBeGreaterThan(1);
      expect(pages.map(({ text }) => text).join("") === content).toBe(true);
      const ends = pages.slice(0, -1).map(({ text }) => text.endsWith("\n"));
      expect(ends.every((isLine) => isLine)).toBe(n === 0);
    }
    for (const wrong of ["9", "0?side=base", "0?side=approved", "0?side=other", "-1", "0?from=-1", "x", "0?from=1e3"])
      expect([wrong, (await scene.browser.get(`/api/questions/${id}/files/${wrong}`)).status]).toEqual([
        wrong,
        /^[x-]|other|from/u.test(wrong) ? 400 : 404,
      ]);
  });

  it("the oldest question that stops a run comes first, the last decision first; pages leave nothing out", async () => {
    const before = (await scene.listAll()).length;
    const ids: string[] = [];
    for (let n = 0; n < 5; n += 1) ids.push(await ask({ question: `In order ${n}` }));
    const rows = (await scene.listAll({ limit: "2" })).map(({ id }) => id);
    expect(rows).toHaveLength(before + 5);
    expect(rows.filter((id) => ids.includes(id))).toEqual(ids);
    for (const id of ids) {
      const { shown } = await detail(id);
      await scene.browser.post(`/api/questions/${id}/decision`, { decision: "approve", shown });
    }
    const decided = (await scene.listAll({ state: "decided", limit: "3" })).map(({ id }) => id);
    expect(decided.slice(0, 5)).toEqual(ids.toReversed());
    for (const query of [
      "state=both",
      "after=x",
      "after=W10",
      "limit=0",
      "limit=-1",
      "limit=x",
      `search=${"x".repeat(300)}`,
    ])
      expect([query, (await scene.browser.get(`/api/questions?${query}`)).status]).toEqual([query, 400]);
  });

  it("search finds questions by all of its words, in whatever case, and takes every character as it is", async () => {
    const hostile = `100% of O'Brien's "_rows_" \\ ; DROP TABLE questions; -- \u0000 Ünïcödé [a-z]* NEAR AND OR`;
    const id = await ask({ question: hostile, title: "Migration" });
    await scene.browser.post(`/api/questions/${id}/decision`, {
      decision: "reject",
      feedback: "Zanzibar",
      shown: (await detail(id)).shown,
    });
    const found = async (search: string): Promise<boolean> =>
      (await scene.list({ state: "decided", search })).questions.some((row) => row.id === id);
    for (const search of [
      "zanzibar",
      "MIGRATION ünïcödé",
      "100%",
      "o'brien's",
      '"_rows_"',
      "\\",
      "drop table",
      "[a-z]*",
      "--",
      id,
      project.dir,
    ])
      expect([search, await found(search)]).toEqual([search, true]);
    for (const search of ["zanzibar nowhere", "1_0%", "zan%bar", "z_nzibar"])
      expect([search, await found(search)]).toEqual([search, false]);
    for (const search of ["'", '"', "' OR 1=1 --", 'NEAR("', "^", "(", "\u0000", "\ud800", "%00", "a".repeat(200)])
      expect((await scene.browser.get(`/api/questions?${new URLSearchParams({ search }).toString()}`)).status).toBe(
        200,
      );
    expect((await scene.list()).total).toBeGreaterThan(0);
  });

  it("when a question was first opened is noted by the inbox, once, and not in the journal", async () => {
    const id = await ask({ question: "Seen?" });
    expect((await scene.list({ search: "Seen?" })).questions[0]).not.toHaveProperty("seenAt");
    const { seenAt } = await detail(id);
    expect(await detail(id)).toMatchObject({ seenAt });
    expect((await scene.browser.post(`/api/questions/${id}/seen`, {})).json()).toEqual({ seenAt });
    expect((await scene.list({ search: "Seen?" })).questions[0]).toMatchObject({ id, seenAt });
    const log = path.join(project.home, ".a5c", "inbox", "seen.jsonl");
    expect(fs.readFileSync(log, "utf8").split(id)).toHaveLength(2);
    expect(fs.statSync(log).mode & 0o777).toBe(0o600);
    const { run } = await detail(id);
    expect(JSON.stringify(project.events(run.id))).not.toContain("SEEN");
  });

  it("bodies that are wrong get an answer that names what is wrong", async () => {
    const id = await ask({ question: "Right?" });
    const wrong: [string, unknown, string][] = [
      ["decision", { decision: "maybe", shown: null }, '"decision"'],
      ["decision", { decision: { option: 1 }, shown: null }, '"decision"'],
      ["decision", { decision: { option: "a", more: 1 }, shown: null }, '"decision"'],
      ["decision", { decision: "approve" }, '"shown"'],
      ["decision", { decision: "approve", shown: 7 }, '"shown"'],
      ["decision", { decision: "approve", shown: null, author: "The CEO" }, '"author"'],
      ["decision", { decision: "approve", shown: null, verified: true }, '"verified"'],
      ["decision", { decision: "approve", shown: null, assertion: {} }, "credentialId"],
      ["decision", { decision: "reject", shown: null }, "no reason"],
      ["decision", { decision: { option: "none" }, shown: null }, "no option"],
      ["comments", {}, '"text"'],
      ["comments", { text: " " }, '"text"'],
      ["comments", { text: "x", line: 1 }, '"path"'],
      ["comments", { text: "x", path: "plan.md", line: 0 }, '"line"'],
      ["comments", { text: "x", path: "plan.md", line: 1 }, "shows no file"],
      ["challenge", { decision: "approve", shown: null }, '"shown"'],
    ];
    for (const [verb, body, words] of wrong) {
      const reply = await scene.browser.post(`/api/questions/${id}/${verb}`, body);
      expect([body, reply.status]).toEqual([body, 400]);
      expect((reply.json() as unknown as WireError).error.message).toContain(words);
    }
    expect(await detail(id)).toMatchObject({ state: "open", comments: [] });
    expect((await scene.browser.get("/api/questions/effect-none")).status).toBe(404);
  });
});
