/** Every way in which an answer can come, against everything that can be answered. */
import { describe, expect, it } from "vitest";
import { AskedRun, codedError } from "../../../../tests/fixtures/runs/asked-run.js";
import type { DecisionSource, DecisionWay } from "../model/who-may-decide.js";
import { commentBreakpoint } from "./comment-breakpoint.js";
import { type DecisionAnswer, type DecisionRequest, decideBreakpoint } from "./decide-breakpoint.js";
import { postResult } from "./post-result.js";

const WAYS: Record<DecisionWay, DecisionSource> = {
  cli: { via: "cli", terminal: true, agent: false },
  terminal: { via: "terminal", terminal: true, agent: false },
  policy: { via: "policy", terminal: true, agent: false },
  "task:post": { via: "task:post", terminal: true, agent: false },
  web: { via: "web", verified: true },
  telegram: { via: "telegram", verified: true, confirmed: true },
  hook: { via: "hook", verified: true },
};
const VERIFIED: DecisionWay[] = ["web", "telegram", "hook"];

/** The same ways, when nobody can say that a person is at the other end. */
const DOUBTFUL: DecisionSource[] = [
  ...(["cli", "terminal", "policy"] as const).flatMap((via) => [
    { via, terminal: false, agent: false },
    { via, terminal: true, agent: true },
  ]),
  { via: "web", verified: false },
  { via: "telegram", verified: false },
];

const RISKY = { question: "Delete production?", risk: "high" };

const CHOICES = {
  question: "When?",
  options: ["now", { id: "later", label: "Later today" }, { label: "Drop it", style: "danger" }, "No"],
};

async function decide(
  run: AskedRun,
  source: DecisionSource,
  request: Partial<DecisionRequest> = {},
): Promise<DecisionAnswer> {
  const effectId = request.effectId ?? (await run.effectId());
  return decideBreakpoint(await run.journal(), { decision: "approve", by: "ann", source, ...request, effectId });
}

const waysWithout = (...others: DecisionWay[]): [DecisionWay, DecisionSource][] =>
  (Object.entries(WAYS) as [DecisionWay, DecisionSource][]).filter(([via]) => !others.includes(via));

for (const [via, source] of waysWithout()) {
  describe(`an answer by ${via}`, () => {
    it("C7 C22: an approval reaches the process with every field", async () => {
      const run = await AskedRun.begin({ payload: "Go on?" });
      const [opened] = await run.open();
      const { outcome, result } = await decide(run, source, { response: "go ahead" });
      const expected = {
        approved: true,
        release: true,
        response: "go ahead",
        feedback: "go ahead",
        comment: "go ahead",
        comments: [],
        respondedBy: "ann",
        author: "ann",
        allResponses: [{ respondedBy: "ann", approved: true, response: "go ahead" }],
        decidedAt: run.clock.now().toISOString(),
        via,
        verified: VERIFIED.includes(via),
        shown: opened?.shown,
      };
      expect({ outcome, result }).toEqual({ outcome: "committed", result: expected });
      expect(await run.iterate()).toMatchObject({ status: "completed", output: expected });
      expect((await run.events("EFFECT_RESOLVED"))[0]?.payload).toMatchObject({ by: "post", metadata: { source } });
    });

    it("C22: an option must be offered, and one that means no is a rejection", async () => {
      for (const [option, recorded] of [
        ["now", { approved: true, option: "now" }],
        ["LATER TODAY", { approved: true, option: "later" }],
        ["later", { approved: true, option: "later" }],
        ["Drop it", { approved: false, option: "Drop it", feedback: "Drop it" }],
        ["no", { approved: false, option: "No", feedback: "No" }],
      ] as const) {
        const run = await AskedRun.begin({ payload: CHOICES });
        expect((await decide(run, source, { decision: { option } })).result).toMatchObject(recorded);
      }
      const run = await AskedRun.begin({ payload: CHOICES });
      const error = await codedError(decide(run, source, { decision: { option: "maybe" } }));
      expect(error).toMatchObject({ code: "BREAKPOINT_OPTION_UNKNOWN", exitCode: 2 });
      expect(error.hint).toContain("now, Later today, Drop it, No");
    });

    it("C22: a comment decides nothing and comes with the answer", async () => {
      const run = await AskedRun.begin();
      const effectId = await run.effectId();
      const { comment, count } = await commentBreakpoint(await run.journal(), {
        effectId,
        text: "what about Friday?",
        by: "bob",
        source,
      });
      expect({ comment, count }).toMatchObject({
        comment: { author: "bob", via, text: "what about Friday?" },
        count: 1,
      });
      expect(await run.iterate()).toMatchObject({ status: "waiting" });
      expect((await decide(run, source)).result.comments).toEqual([
        {
          author: "bob",
          via,
          text: "what about Friday?",
          verified: VERIFIED.includes(via),
          at: run.clock.now().toISOString(),
        },
      ]);
      const late = commentBreakpoint(await run.journal(), { effectId, text: "too late", by: "bob", source });
      expect(await codedError(late)).toMatchObject({ code: "EFFECT_ALREADY_RESOLVED", exitCode: 7 });
    });

    it("C22: the same decision twice is one; another one is refused and told the first", async () => {
      const run = await AskedRun.begin({ payload: CHOICES });
      const effectId = await run.effectId();
      await decide(run, source, { effectId, decision: { option: "now" } });
      const again = await decide(run, source, { effectId, decision: { option: "now" }, by: "bob" });
      expect(again).toMatchObject({ outcome: "duplicate", result: { respondedBy: "ann", option: "now" } });
      for (const other of [
        { decision: "approve" as const },
        { decision: "reject" as const, feedback: "no" },
        { decision: { option: "later" } },
        { decision: { option: "now" }, response: "and quickly" },
      ]) {
        const error = await codedError(decide(run, source, { effectId, by: "bob", ...other }));
        expect(error).toMatchObject({ code: "EFFECT_ALREADY_RESOLVED", exitCode: 7 });
        expect(error.message).toContain(`approved (now) by ann, ${via}`);
        expect(error.details["recorded"]).toMatchObject({ approved: true, option: "now", respondedBy: "ann" });
      }
      expect(await run.events("EFFECT_RESOLVED")).toHaveLength(1);
    });

    it("C22: of twenty contradictory decisions at once one wins, and everyone else is told it", async () => {
      const run = await AskedRun.begin();
      const effectId = await run.effectId();
      const answers = await Promise.allSettled(
        Array.from({ length: 20 }, (_, index) =>
          decide(run, source, {
            effectId,
            by: `person-${index}`,
            ...(index % 2 === 0 ? { decision: "approve" } : { decision: "reject", feedback: `because ${index}` }),
          }),
        ),
      );
      type Winner = { respondedBy: string; approved: boolean };
      const resolved = await run.events("EFFECT_RESOLVED");
      const [winner, ...others] = resolved.map(({ payload }) => (payload.result as { value: Winner }).value);
      expect(others).toEqual([]);
      const committed = answers.filter(
        (answer) => answer.status === "fulfilled" && answer.value.outcome === "committed",
      );
      expect(committed).toHaveLength(1);
      for (const answer of answers) {
        const told =
          answer.status === "fulfilled"
            ? answer.value.result
            : (answer.reason as { details: { recorded: Winner } }).details.recorded;
        expect(told).toMatchObject({ respondedBy: winner?.respondedBy, approved: winner?.approved });
      }
    });

    it("C22: a decision about something other than what is shown is refused", async () => {
      const run = await AskedRun.begin();
      const [opened] = await run.open();
      const error = await codedError(decide(run, source, { shown: "0".repeat(64) }));
      expect(error).toMatchObject({ code: "BREAKPOINT_CHANGED", exitCode: 7 });
      expect(error.message).toMatch(/ does not have the hash 0{64}\.$/u);
      expect((await codedError(decide(run, source, { shown: null }))).message).toContain("changed since it was asked");
      expect((await decide(run, source, { shown: opened?.shown as string })).outcome).toBe("committed");
    });

    it("C22: from an agent's environment it counts in a run of nobody's session, and says where it came from", async () => {
      const run = await AskedRun.begin();
      const fromAgent: DecisionSource = { ...source, agent: true };
      await decide(run, fromAgent);
      expect((await run.events("EFFECT_RESOLVED"))[0]?.payload.metadata).toEqual({ source: fromAgent });
    });
  });
}

describe("answers that have rules of their own", () => {
  for (const [via, source] of waysWithout("policy"))
    it(`C22: a rejection by ${via} carries its reason, and needs one`, async () => {
      const run = await AskedRun.begin();
      for (const feedback of [undefined, "", "  ", "\u200b", "\ufeff\u00a0\u3164"])
        expect(
          await codedError(
            decide(run, source, { decision: "reject", ...(feedback === undefined ? {} : { feedback }) }),
          ),
        ).toMatchObject({ code: "BREAKPOINT_REASON_MISSING", exitCode: 2 });
      const { result } = await decide(run, source, { decision: "reject", feedback: "too risky" });
      expect(result).toMatchObject({ approved: false, release: false, feedback: "too risky", comment: "too risky" });
      expect(await run.iterate()).toMatchObject({ output: { approved: false, feedback: "too risky", via } });
    });

  for (const [via, source] of waysWithout("task:post"))
    it(`C22: in a run of an agent's session an answer by ${via} counts only when a person gives it`, async () => {
      const run = await AskedRun.begin({ session: "session-1" });
      for (const other of DOUBTFUL.filter((doubtful) => doubtful.via === via))
        expect(await codedError(decide(run, other))).toMatchObject({ code: "DECISION_NOT_ALLOWED", exitCode: 7 });
      expect((await decide(run, source)).outcome).toBe("committed");
    });

  for (const [via, source] of waysWithout("web", "telegram"))
    it(`C22: high risk is more than ${via} can decide, unless answers are open`, async () => {
      const run = await AskedRun.begin({ payload: RISKY });
      const error = await codedError(decide(run, source));
      expect(error).toMatchObject({ code: "DECISION_NOT_ALLOWED", exitCode: 7, details: { why: "high-risk" } });
      expect(error.hint).toContain("answers: open");
      expect((await decide(run, source, { answers: "open" })).outcome).toBe("committed");
    });

  for (const via of ["web", "telegram"] as const)
    it(`C22: ${via} with an identified person decides what is of high risk, and without one it does not`, async () => {
      const run = await AskedRun.begin({ payload: RISKY });
      expect(await codedError(decide(run, { via }))).toMatchObject({ code: "DECISION_NOT_ALLOWED" });
      expect((await decide(run, WAYS[via])).result).toMatchObject({ via, verified: true });
    });

  it("C22: task:post is refused in a run of an agent's session, naming the right way, unless answers are open", async () => {
    const run = await AskedRun.begin({ session: "session-1" });
    const source = WAYS["task:post"];
    const error = await codedError(decide(run, source));
    expect(error).toMatchObject({ code: "DECISION_NOT_ALLOWED", exitCode: 7, details: { why: "agent-session" } });
    expect(error.hint).toContain(`babysitter breakpoint:approve ${await run.effectId()}`);
    expect((await decide(run, source, { answers: "open" })).result).toMatchObject({ approved: true, verified: false });
  });

  it("C22: a policy that rejects names itself as the reason", async () => {
    const run = await AskedRun.begin();
    const { result } = await decide(run, WAYS.policy, { decision: "reject", by: "policy:nightly" });
    expect(result).toMatchObject({ approved: false, via: "policy", feedback: "Rejected by policy:nightly." });
  });
});

describe("an answer as a bare result", () => {
  const post = async (run: AskedRun, value: unknown): Promise<unknown> =>
    (
      await postResult(await run.journal(), {
        effectId: await run.effectId(),
        result: { status: "ok", value },
      })
    ).recorded.value;

  it("C22: what it claims about its way, its proof and its time does not count", async () => {
    const run = await AskedRun.begin();
    const [opened] = await run.open();
    const claims = { via: "telegram", verified: true, decidedAt: "1999-01-01T00:00:00.000Z", shown: "f".repeat(64) };
    expect(await post(run, { approved: true, respondedBy: "The CEO", ...claims })).toEqual({
      approved: true,
      respondedBy: "The CEO",
      comments: [],
      via: "task:post",
      verified: false,
      decidedAt: run.clock.now().toISOString(),
      shown: opened?.shown,
    });
  });

  it("C22: an answer to what nobody was shown does not say that someone was", async () => {
    const run = await AskedRun.begin();
    expect(await post(run, { approved: true, shown: "f".repeat(64) })).not.toHaveProperty("shown");
  });

  it("C22: neither a value nor an error ends a question of an agent's session", async () => {
    const run = await AskedRun.begin({ session: "session-1" });
    const effectId = await run.effectId();
    for (const result of [
      { status: "ok" as const, value: { approved: true } },
      { status: "ok" as const, value: { approved: false } },
      { status: "error" as const, error: "stop asking" },
    ])
      expect(await codedError(postResult(await run.journal(), { effectId, result }))).toMatchObject({
        code: "DECISION_NOT_ALLOWED",
      });
    expect(await run.events("EFFECT_RESOLVED")).toEqual([]);
  });

  it("C22: the same answer again is a duplicate, another one is not", async () => {
    const run = await AskedRun.begin();
    const effectId = await run.effectId();
    const again = async (value: object): Promise<string> =>
      (await postResult(await run.journal(), { effectId, result: { status: "ok", value } })).outcome;
    expect(await again({ approved: false, feedback: "no" })).toBe("committed");
    run.clock.set(run.clock.now().getTime() + 60_000);
    expect(await again({ approved: false, feedback: "no" })).toBe("duplicate");
    for (const other of [{ approved: true }, { approved: false, feedback: "yes" }, { approved: false, option: "x" }])
      expect(await codedError(again(other))).toMatchObject({ code: "EFFECT_ALREADY_RESOLVED" });
  });
});

describe("questions that are not what they seem", () => {
  it("C22: a task of another kind, an unknown ID and a finished run accept no decision", async () => {
    const run = await AskedRun.begin({ process: async (_, ctx) => ctx.task({ id: "t", kind: "agent" }) });
    const { pending } = (await run.journal()).summary;
    const effectId = Object.keys(pending)[0] as string;
    for (const id of [effectId, "effect-0"])
      expect(await codedError(decide(run, WAYS.cli, { effectId: id }))).toMatchObject({ code: "EFFECT_NOT_FOUND" });
    const cancelled = await AskedRun.begin();
    const id = await cancelled.effectId();
    await (await cancelled.journal()).commit((_, appended) =>
      appended.length > 0 ? [] : [{ type: "RUN_CANCELLED", timestamp: new Date(0).toISOString(), payload: {} }],
    );
    expect(await codedError(decide(cancelled, WAYS.cli, { effectId: id }))).toMatchObject({ code: "RUN_FINISHED" });
  });

  it("C22: payloads of any shape can be answered", async () => {
    for (const payload of [
      {},
      { options: "none" },
      { options: [null, 7, {}], context: 5 },
      { question: 7, risk: {} },
    ]) {
      const run = await AskedRun.begin({ payload });
      await run.open();
      expect((await decide(run, WAYS.cli)).result.approved).toBe(true);
    }
  });
});
