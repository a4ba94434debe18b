import { type JournalEvent, stateAfter } from "@a5c-ai/babysitter-sdk/view";
import { describe, expect, it } from "vitest";
import type { RunDetail } from "../../wire/run-wire.js";
import type { RunSource } from "../model/run-source.js";
import { RunData } from "./run-data.js";

const BEGIN = Date.parse("2026-11-17T10:00:00Z");

function runOf(length: number, name = "r"): JournalEvent[] {
  return Array.from({ length }, (_, index) => ({
    seq: index + 1,
    id: `${name} ${index}`,
    timestamp: new Date(BEGIN + index * 1_000).toISOString(),
    format: 1,
    checksum: "",
    ...(index === 0
      ? { type: "RUN_CREATED", payload: { runId: name, processId: "p", entry: { path: "p.mjs", export: "p" } } }
      : {
          type: "EFFECT_REQUESTED",
          effectId: `e${index}`,
          taskId: "t",
          payload: { kind: "shell", title: `Step ${index}`, after: 0, iteration: 1 },
        }),
  })) as unknown as JournalEvent[];
}

/** A run that is read in pages, from an array that the test changes. */
class Shelf {
  events: JournalEvent[];
  asked: number[] = [];
  broken: Error | undefined;

  constructor(events: JournalEvent[]) {
    this.events = events;
  }

  get source(): RunSource {
    return {
      detail: async () => ({ id: "r", state: "waiting" }) as RunDetail,
      events: async (after: number) => {
        this.asked.push(after);
        if (this.broken !== undefined && after > 0) throw this.broken;
        return { events: this.events.slice(after, after + 100), total: this.events.length };
      },
      files: async () => ({ files: [], more: false }),
    } as unknown as RunSource;
  }
}

describe("what a page knows of a run", () => {
  it("reads page by page until all is there, later only what is new", async () => {
    const shelf = new Shelf(runOf(350));
    const data = new RunData(shelf.source);
    await data.load();
    expect([data.events.value.length, data.total.value, shelf.asked]).toEqual([350, 350, [0, 100, 200, 300]]);
    shelf.events = runOf(351);
    await data.load();
    expect([data.events.value.length, shelf.asked.at(-1)]).toEqual([351, 350]);
    expect([data.name.value, data.titles.value.get("e7")]).toEqual(["r", "Step 7"]);
  });

  it("a journal that was replaced by a shorter one is read from the beginning", async () => {
    const shelf = new Shelf(runOf(250));
    const data = new RunData(shelf.source);
    await data.load();
    shelf.events = runOf(30, "other");
    await data.load();
    expect(data.events.value).toEqual(shelf.events);
    expect(data.name.value).toBe("other");
  });

  it("what was read stays when the rest cannot be read, and is completed later", async () => {
    const shelf = new Shelf(runOf(250));
    shelf.broken = new Error("gone");
    const data = new RunData(shelf.source);
    await data.load();
    expect([data.events.value.length, data.problem.value]).toEqual([100, shelf.broken]);
    expect(data.files.value).toEqual({ files: [], more: false });
    shelf.broken = undefined;
    await data.load();
    expect([data.events.value.length, data.problem.value]).toEqual([250, undefined]);
  });

  it("several calls at once become one more reading", async () => {
    const shelf = new Shelf(runOf(5));
    const data = new RunData(shelf.source);
    await Promise.all([data.load(), data.load(), data.load()]);
    expect(shelf.asked).toEqual([0, 5]);
  });

  it("after an event everything is as it was then", async () => {
    const data = new RunData(new Shelf(runOf(40)).source);
    await data.load();
    data.now.value = BEGIN + 3_600_000;
    expect(data.timeline.value?.to).toBe(BEGIN + 3_600_000);
    data.at.value = 12;
    expect(data.state.value).toEqual(stateAfter(data.events.value, 12));
    expect([data.shownEvents.value.length, data.timeline.value?.spans.length]).toEqual([12, 11]);
    // What was open then had lasted until then.
    expect(data.timeline.value?.to).toBe(BEGIN + 11_000);
  });
});
