/** A plugin that is installed twice, or a host that calls twice: one stop counts once. */
import { describe, expect, it } from "vitest";
import { HostSession, rows } from "../fixtures/hosts/host-session.js";

const CONTEXT = { env: { AI_AGENT: "claude-code_2-1-197_harness" } };
const ROUNDS = 20;

describe("two hooks for one stop", () => {
  it("started together count once, with the same answer, twenty times", async () => {
    const session = new HostSession();
    const runId = await session.startLoop("Build the shed.");
    session.writes(rows.prompt("Build the shed."));
    for (let round = 1; round <= ROUNDS; round += 1) {
      session.project.write({ "work.txt": String(round) });
      session.writes(rows.calls(), rows.says(`Round ${round}.`));
      const stop = { last_assistant_message: `Round ${round}.` };
      // Every second round in the older form.
      const options = round % 2 === 0 ? {} : CONTEXT;
      const [first, second] = await Promise.all([
        session.hook("stop", stop, options),
        session.hook("stop", stop, options),
      ]);
      expect({ round, answer: second }).toEqual({ round, answer: first });
      expect(first.systemMessage).toContain(round % 2 === 0 ? `iteration ${round + 1} |` : `🔄 ${round + 1}/50`);
      expect({ round, stops: session.stops(runId).length }).toEqual({ round, stops: round });
      session.writes(rows.feedback("Go on."));
    }
    expect(session.stops(runId).map(({ iteration }) => iteration)).toEqual(
      Array.from({ length: ROUNDS }, (_, n) => n + 1),
    );
  });
});
