/** The events of runs in the words of the pages: of every type, and of runs as they were recorded. */
import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { eventWords } from "../../packages/breakpoints/src/ui/run/event-words.js";
import { EVENT_RULES } from "../../packages/sdk/src/model/event-rules.js";
import type { JournalEvent } from "../../packages/sdk/src/view.js";
import { eventsOf } from "../fixtures/stored-events.js";

const HISTORIES = path.join(import.meta.dirname, "../histories/semantics-2");

describe("events in words", () => {
  it.each(Object.keys(EVENT_RULES))("%s has words, also when its event lacks everything", (type) => {
    const event = { seq: 1, timestamp: "", type, effectId: "e", taskId: "t", payload: {} } as unknown as JournalEvent;
    const { text } = eventWords(event, () => "a step");
    expect(text).not.toContain("does not know");
    expect(text).not.toBe("");
  });

  it("every event of recorded runs has words that are more than its type", () => {
    const events = fs
      .readdirSync(HISTORIES)
      .flatMap((name) => eventsOf(path.join(HISTORIES, name)) as unknown as JournalEvent[]);
    expect(events.length).toBeGreaterThan(20);
    for (const event of events) expect(eventWords(event, () => "a step").text).not.toBe(event.type);
  });
});
