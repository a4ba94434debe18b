/** The server is killed in the middle of its work, and has more questions than anyone has. */
import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import type { QuestionList } from "../../packages/breakpoints/src/wire/inbox-wire.js";
import { type Browser, InboxServer } from "../fixtures/breakpoints/inbox-server.js";
import { questionId, START, writeRun } from "../fixtures/breakpoints/many-questions.js";
import { Project } from "../fixtures/project.js";

const DECISIONS = 200;
const KILLS = 20;

async function pagesOf(browser: Browser, query: string): Promise<QuestionList["questions"]> {
  const rows: QuestionList["questions"] = [];
  for (let after = ""; ; ) {
    const page: QuestionList = await browser.read(`/api/questions?${query}${after === "" ? "" : `&after=${after}`}`);
    rows.push(...page.questions);
    if (page.next === null) return rows;
    after = page.next;
  }
}

/** Until all that is there was read. */
async function complete(browser: Browser, open: number): Promise<QuestionList> {
  for (;;) {
    const list = await browser.read<QuestionList>("/api/questions?limit=1");
    if (list.open === open) return list;
  }
}

describe("kill -9", () => {
  it("B6: at random moments of 200 decisions: none is lost, none counts twice, and the index is right after the restart", async () => {
    const project = new Project();
    const env = { REPO_ROOT: project.dir };
    const runs = Array.from({ length: DECISIONS }, (_, n) => `run-${n}`);
    for (const [n, runId] of runs.entries())
      await writeRun(project.runsDir, { runId, questions: [`Question ${n}?`], at: START + n });
    let server = await InboxServer.start(project, { env });
    let browser = await server.signIn();
    /** What the server has said yes to. */
    const acknowledged = new Map<string, string>();
    const open = new Set(runs);
    const statuses = new Set([200, 409]);
    for (let kill = 0; kill < KILLS; kill += 1) {
      const batch = [...open].slice(0, Math.ceil(DECISIONS / KILLS));
      const killAfter = Math.floor(Math.random() * batch.length);
      let answered = 0;
      await Promise.all(
        batch.map(async (runId, n) => {
          const feedback = `${kill}-${n}`;
          const decision = n % 2 === 0 ? "approve" : "reject";
          try {
            const reply = await browser.post(`/api/questions/${questionId(runId)}/decision`, {
              decision,
              feedback,
              shown: null,
            });
            if (reply.status === 200) acknowledged.set(runId, feedback);
            statuses.add(reply.status);
            open.delete(runId);
          } catch {
            // The connection is gone with the server: whether it was decided is not known here.
          } finally {
            answered += 1;
            if (answered === killAfter + 1) await server.kill("SIGKILL");
          }
        }),
      );
      await server.kill("SIGKILL");
      server = await InboxServer.start(project, { env });
      browser = await server.signIn();
    }
    for (const runId of open) {
      const reply = await browser.post(`/api/questions/${questionId(runId)}/decision`, {
        decision: "approve",
        shown: null,
      });
      expect([200, 409]).toContain(reply.status);
    }
    const listed = await pagesOf(browser, "state=decided&limit=100");
    expect([listed.length, [...statuses]]).toEqual([DECISIONS, [200, 409]]);
    expect((await complete(browser, 0)).total).toBe(0);
    for (const runId of runs) {
      const decisions = project.events(runId, "EFFECT_RESOLVED");
      expect([runId, decisions.length]).toEqual([runId, 1]);
      const { payload } = decisions[0] as { payload: object };
      const { feedback, approved } = (payload as { result: { value: { feedback?: string; approved: boolean } } }).result
        .value;
      expect(acknowledged.get(runId) ?? feedback).toBe(feedback);
      const row = listed.find(({ id }) => id === questionId(runId));
      expect([runId, row?.state, row?.reason]).toEqual([runId, approved ? "approved" : "rejected", feedback]);
    }
  }, 600_000);
});

describe("two thousand questions", () => {
  it("are all listed, in order, a page at a time; the next start reads no journal again", async () => {
    const project = new Project();
    const env = { REPO_ROOT: project.dir };
    const count = 2_000;
    for (let n = 0; n < count; n += 1)
      await writeRun(project.runsDir, { runId: `run-${n}`, questions: [`Question ${n}?`], at: START + n * 1_000 });
    const first = await InboxServer.start(project, { env });
    await complete(await first.signIn(), count);
    await first.kill("SIGTERM");
    // Whoever opens a run without caches writes them: those that are missing afterwards were not opened.
    for (let n = 0; n < count; n += 1) fs.rmSync(path.join(project.runDir(`run-${n}`), "state"), { recursive: true });
    const second = await InboxServer.start(project, { env });
    const browser = await second.signIn();
    await complete(browser, count);
    const rows = await pagesOf(browser, "limit=200");
    expect(rows.map(({ question }) => question)).toEqual(Array.from({ length: count }, (_, n) => `Question ${n}?`));
    const { total, questions } = await browser.read<QuestionList>("/api/questions?search=question%201999%3F");
    expect([total, questions[0]?.question]).toEqual([1, "Question 1999?"]);
    // Those that were written just before they were read are read once more: the time of a change is not exact.
    const opened = Array.from({ length: count / 2 }, (_, n) => `run-${n}`).filter((runId) =>
      fs.existsSync(path.join(project.runDir(runId), "state")),
    );
    expect(opened).toEqual([]);
    await second.kill();
    // Longer than what cleans up after tests has time for.
    fs.rmSync(project.runsDir, { recursive: true });
  }, 600_000);
});
