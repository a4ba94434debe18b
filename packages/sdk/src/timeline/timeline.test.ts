import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { HOSTILE, problemsIn } from "../../../../tests/fixtures/hostile-text.js";
import type { JournalEvent } from "../model/events.js";
import { lanesOf } from "./lanes.js";
import { toMermaid } from "./mermaid.js";
import { toSvg } from "./svg.js";
import { timeSplit, timeUses } from "./time-split.js";
import { type Timeline, timelineOf } from "./timeline.js";

const START = Date.UTC(2026, 0, 20, 8);

/** A journal by hand: the fields that a picture needs. */
class Story {
  readonly events: JournalEvent[] = [];

  constructor(process = "release", path = "release.mjs") {
    this.add(0, "RUN_CREATED", { runId: "r", processId: process, entry: { path, export: "process" } });
  }

  add(at: number, type: JournalEvent["type"], payload: object, effectId?: string): this {
    const seq = this.events.length + 1;
    const timestamp = new Date(START + at).toISOString();
    const effect = effectId === undefined ? {} : { effectId, taskId: effectId, invocationKey: `${effectId}:1` };
    this.events.push({ seq, type, timestamp, payload, ...effect } as unknown as JournalEvent);
    return this;
  }

  ask(
    at: number,
    effectId: string,
    payload: { kind: string; title?: string; after?: number; iteration?: number },
  ): this {
    return this.add(at, "EFFECT_REQUESTED", { after: 1, iteration: 1, ...payload }, effectId);
  }

  begin(at: number, effectId: string, attempt = 1): this {
    return this.add(at, "EFFECT_STARTED", { attempt }, effectId);
  }

  end(at: number, effectId: string, payload: object = {}): this {
    return this.add(at, "EFFECT_RESOLVED", { status: "ok", attempt: 1, result: { value: null }, ...payload }, effectId);
  }

  picture(now = 10_000): Timeline {
    return timelineOf(this.events, new Date(START + now));
  }
}

function usual(): Story {
  return new Story()
    .ask(100, "a", { kind: "shell", title: "build" })
    .ask(100, "b", { kind: "shell", title: "lint" })
    .begin(150, "a")
    .begin(160, "b")
    .add(300, "EFFECT_ATTEMPT_FAILED", { attempt: 1, reason: "failed", error: { message: "boom" } }, "b")
    .end(400, "a")
    .begin(500, "b", 2)
    .end(600, "b", { attempt: 2 })
    .ask(600, "q", { kind: "breakpoint", title: "Ship it?", after: 9, iteration: 2 })
    .end(1_600, "q", { result: { value: { approved: false } } })
    .add(1_700, "RUN_COMPLETED", {});
}

describe("a run as a picture in time", () => {
  it("C21: steps with their attempts, lanes beside each other, bands of iterations, and where the time went", () => {
    const story = usual();
    const { spans, iterations, split, from, to, isOver, marks } = story.picture();
    expect(spans.map(({ id, who, state, lane, attempts }) => [id, who, state, lane, attempts.length])).toEqual([
      ["a", "engine", "ok", 0, 1],
      ["b", "engine", "ok", 1, 2],
      ["q", "person", "rejected", 0, 0],
    ]);
    expect(spans[1]?.attempts).toMatchObject([{ end: "failed", error: "boom" }, { end: "ok" }]);
    expect(spans.map(({ seqs }) => seqs)).toEqual(
      spans.map(({ id }) => story.events.filter(({ effectId }) => effectId === id).map(({ seq }) => seq)),
    );
    expect(iterations.map(({ iteration }) => iteration)).toEqual([1, 2]);
    expect([to - from, isOver, marks.map(({ text }) => text)]).toEqual([1_700, true, ["completed"]]);
    expect(split).toEqual({ workingMs: 350, waitingOnPersonMs: 1_000, waitingOnTimeMs: 100, idleMs: 250 });
  });

  it("what is under way reaches to now, and a clock that was set back moves nothing to the left", () => {
    const story = new Story().ask(500, "a", { kind: "shell" }).begin(100, "a");
    const { spans, to, isOver } = story.picture(900);
    expect(spans[0]).toMatchObject({ from: START + 500, attempts: [{ from: START + 500, end: "running" }] });
    expect([to - START, isOver]).toEqual([900, false]);
    expect(story.picture(-1_000).to).toBe(START + 500);
  });

  it("a step that is retried is open again, and so is the run", () => {
    const story = usual().add(1_800, "EFFECT_RETRIED", { attempt: 3, kind: "shell" }, "b");
    const { spans, isOver } = story.picture();
    expect([spans.find(({ id }) => id === "b")?.state, isOver]).toEqual(["open", false]);
  });

  it("turns of an agent: from a prompt, or from the word to go on, until its host asks whether it may stop", () => {
    const story = new Story()
      .add(0, "PROMPT_SUBMITTED", {})
      .add(1_000, "STOP_HOOK_INVOKED", { decision: "block" })
      .add(3_000, "STOP_HOOK_INVOKED", { decision: "approve" })
      .add(9_000, "PROMPT_SUBMITTED", {});
    const { spans } = story.picture(9_500);
    expect(spans.map(({ seq, seqs }) => [seq, ...seqs])).toEqual([
      [3, 2, 3],
      [4, 3, 4],
      [5, 5],
    ]);
    const turns = spans.map(({ from, to, state }) => [from - START, to && to - START, state]);
    expect(turns).toEqual([
      [0, 1_000, "ok"],
      [1_000, 3_000, "ok"],
      [9_000, undefined, "open"],
    ]);
  });

  it.each([
    ["only has a prompt is over with the turn that ended it", "", { isOver: true, to: 2_000, marks: ["completed"] }],
    ["has a process as well goes on with that", "release.mjs", { isOver: false, to: 9_000, marks: [] }],
  ])("a loop that %s", (_what, path, expected) => {
    const story = new Story("babysitter/loop", path)
      .add(0, "SESSION_BOUND", { by: "start" })
      .add(2_000, "STOP_HOOK_INVOKED", { decision: "approve", ended: "verified" });
    const { isOver, to, marks, spans } = story.picture(9_000);
    expect(spans.map((turn) => [turn.from - START, turn.to && turn.to - START])).toEqual([[0, 2_000]]);
    expect({ isOver, to: to - START, marks: marks.map(({ text }) => text) }).toEqual(expected);
  });

  const span = fc.record({
    who: fc.constantFrom("engine", "agent", "person", "time", "outside" as const),
    from: fc.integer({ min: 0, max: 1_000 }),
    length: fc.option(fc.integer({ min: 0, max: 500 }), { nil: undefined }),
    attempts: fc.array(fc.tuple(fc.integer({ min: 0, max: 400 }), fc.integer({ min: 0, max: 100 })), { maxLength: 3 }),
  });

  it("whatever overlaps, every moment counts once: the parts add up to the whole", () => {
    fc.assert(
      fc.property(fc.array(span), (drawn) => {
        const spans = drawn.map(({ who, from, length, attempts }) => ({
          who,
          from,
          ...(length === undefined ? {} : { to: from + length }),
          attempts: attempts.map(([after, took]) => ({ from: from + after, to: from + after + took })),
        }));
        const parts = Object.values(timeSplit(spans, { from: 0, to: 1_200 }));
        expect(parts.every((part) => part >= 0)).toBe(true);
        expect(parts.reduce((sum, part) => sum + part, 0)).toBe(1_200);
        const uses = timeUses(spans, { from: 0, to: 1_200 });
        expect([uses[0]?.from, uses.at(-1)?.to]).toEqual([0, 1_200]);
        expect(uses.every(({ to }, n) => to === (uses[n + 1]?.from ?? to))).toBe(true);
      }),
    );
  });

  it("no two steps of a lane overlap, and no lane is taken without need", () => {
    fc.assert(
      fc.property(fc.array(span), (drawn) => {
        const spans = drawn
          .map(({ from, length = 10 }) => ({ from, to: from + length }))
          .toSorted((a, b) => a.from - b.from);
        const lanes = lanesOf(spans, 2_000);
        for (const [at, { from }] of spans.entries()) {
          const before = spans.slice(0, at).filter((_, other) => lanes[other] === lanes[at]);
          expect(before.every(({ from: begun, to }) => Math.max(to, begun + 1) <= from)).toBe(true);
        }
        const most = spans.map(
          ({ from }, at) =>
            spans.slice(0, at + 1).filter(({ from: begun, to }) => Math.max(to, begun + 1) > from).length,
        );
        expect(Math.max(0, ...lanes.map((lane) => lane + 1))).toBeLessThanOrEqual(Math.max(0, ...most));
      }),
    );
  });
});

describe("pictures for a pull request", () => {
  it("C21: the flowchart shows what followed from what, and what was decided", () => {
    expect(toMermaid(usual().picture())).toBe(`flowchart TD
  start(["release"])
  s1["build<br/>shell, 300 ms"]:::done
  s2["lint<br/>shell, 500 ms, 2 attempts"]:::done
  s3{{"Ship it#63;<br/>breakpoint, 1.0 s"}}:::no
  start --> s1
  start --> s2
  s1 --> s3
  s2 --> s3
  finish(["completed"])
  s3 -->|rejected| finish
  classDef done stroke:#2e7d32,stroke-width:2px
  classDef no stroke:#c62828,stroke-width:2px
  classDef open stroke:#b26a00,stroke-width:2px,stroke-dasharray:4 3
  classDef gone stroke:#888888,stroke-dasharray:2 2
`);
  });

  const evil = `"]; click s1 "javascript:alert(1)" <img src=x onerror=alert(1)> </text><script>alert(1)</script> ${HOSTILE}`;

  it("names that want to be more are only names", () => {
    const picture = new Story(evil).ask(0, "a", { kind: "shell", title: evil }).picture();
    const [chart, drawing] = [toMermaid(picture), toSvg(picture)];
    expect(problemsIn(chart)).toEqual([]);
    // As numbers they would act where the chart is drawn.
    expect(
      [...chart.matchAll(/#(\d+);/gu)].filter(([, code]) => problemsIn(String.fromCodePoint(Number(code))).length > 0),
    ).toEqual([]);
    expect(problemsIn(drawing)).toEqual([]);
    expect(chart.replaceAll(/<br\/>|-->/gu, "")).not.toMatch(/[<>]|"\]; click|javascript:/u);
    expect(chart.split("\n").filter((line) => line.startsWith("  s1"))).toHaveLength(2);
    expect(new Set(drawing.match(/<\/?[a-z]+/giu))).toEqual(
      new Set([
        "<svg",
        "</svg",
        "<style",
        "</style",
        "<rect",
        "<text",
        "</text",
        "<line",
        "<g",
        "</g",
        "<title",
        "</title",
      ]),
    );
    expect(drawing.replaceAll(/>[^<]*</gu, "><")).not.toMatch(/\son\w+=/iu);
  });

  it("an empty run, and one with more steps than anybody reads", () => {
    expect(toMermaid(new Story().picture())).toContain("start --> finish");
    const long = new Story();
    for (let n = 0; n < 500; n += 1) long.ask(n, `e${n}`, { kind: "shell", after: n });
    expect(toMermaid(long.picture())).toContain("and 350 more steps");
    expect(toSvg(long.picture())).toContain("and 300 more steps");
    expect(toSvg(new Story().picture())).toContain("</svg>");
  });
});
