/** What becomes of a rejection in processes that look at it in different ways, or do not. */
import { describe, it } from "vitest";
import { ask, askingProject, call } from "../fixtures/runs/asked-project.js";

const NEXT = `await ctx.task({ id: "deploy", kind: "agent" });`;

const PROCESSES: { what: string; body: string; ends: { status: string; output?: unknown; next?: string } }[] = [
  { what: "asks for more", body: `await ctx.breakpoint("Sure?"); ${NEXT}`, ends: { status: "failed" } },
  { what: "returns", body: `await ctx.breakpoint("Sure?"); return "deployed";`, ends: { status: "failed" } },
  { what: "returns it unread", body: `return { answer: await ctx.breakpoint("Sure?") };`, ends: { status: "failed" } },
  {
    what: "reads it",
    body: `const answer = await ctx.breakpoint("Sure?"); if (!answer.approved) return answer.feedback; ${NEXT}`,
    ends: { status: "completed", output: "not today" },
  },
  {
    what: "destructures it",
    body: `const { approved, feedback } = await ctx.breakpoint("Sure?"); return { approved, feedback };`,
    ends: { status: "completed", output: { approved: false, feedback: "not today" } },
  },
  {
    what: "spreads it",
    body: `const all = { ...(await ctx.breakpoint("Sure?")) }; return all.approved;`,
    ends: { status: "completed", output: false },
  },
  {
    what: "asks for a throw and catches it",
    body: `try { await ctx.breakpoint("Sure?", { onReject: "throw" }); } catch (error) { return error.name + " " + error.details.reason; } ${NEXT}`,
    ends: { status: "completed", output: "BreakpointRejectedError not today" },
  },
  {
    what: "catches without having asked for a throw",
    body: `try { await ctx.breakpoint("Sure?"); ${NEXT} } catch {} return "went on";`,
    ends: { status: "failed" },
  },
  {
    what: "takes it back by itself",
    body: `await ctx.breakpoint("Sure?", { onReject: "return" }); ${NEXT}`,
    ends: { status: "waiting", next: "deploy" },
  },
];

describe.concurrent("a rejection", () => {
  for (const { what, body, ends } of PROCESSES)
    it(`C7 C22: a process that ${what} ends ${ends.status}`, async ({ expect, onTestFinished }) => {
      const project = askingProject({ onTestFinished }, body);
      const id = await ask(project, "r");
      expect(await call(project, ["breakpoint:reject", id, "--reason", "not today"])).toMatchObject({ code: 0 });
      const { status, output, nextActions, error } = (await project.run(["run:iterate", "r", "--json"])).json();
      expect(status === "executed" ? "waiting" : status).toBe(ends.status);
      expect(output).toEqual(ends.output);
      expect(nextActions.map(({ taskId }) => taskId)).toEqual(ends.next === undefined ? [] : [ends.next]);
      if (ends.status === "failed") expect(error).toMatchObject({ code: "BREAKPOINT_REJECTED" });
    });
});
