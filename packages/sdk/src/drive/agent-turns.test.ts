import { describe, expect, test } from "vitest";
import {
  type AgentStanding,
  afterFailure,
  afterLimit,
  afterTurn,
  afterWaiting,
  NO_TURNS,
  nextAgentStep,
  RETRIES,
  type TurnRecord,
  textOfTurn,
} from "./agent-turns.js";

const NOW = 1_000_000;

function step(standing: Partial<AgentStanding> = {}, turns: Partial<TurnRecord> = {}, nowMs = NOW): unknown {
  const still: AgentStanding = {
    isOver: false,
    questions: [],
    sleepsUntilMs: undefined,
    onlyTasks: false,
    process: "not ours",
  };
  return nextAgentStep({ ...still, ...standing }, { ...NO_TURNS, ...turns }, { nowMs, most: 2 });
}

describe("the next step", () => {
  test("a loop with nothing else to do gets a turn", () => {
    expect(step()).toEqual({ do: "turn" });
    expect(step({ process: "seen" })).toEqual({ do: "turn" });
  });

  test("what is over needs nothing, whatever else is there", () => {
    const all = { isOver: true, questions: ["q"], sleepsUntilMs: NOW + 1, onlyTasks: true, process: "news" } as const;
    expect(step(all, { failures: 9, vain: 9 })).toEqual({ do: "end" });
  });

  test("the process is shown what is new before anyone is asked, waited for or paid", () => {
    expect(step({ process: "news", questions: ["q"] })).toEqual({ do: "iterate" });
    expect(step({ process: "news", sleepsUntilMs: NOW + 5 })).toEqual({ do: "iterate" });
  });

  test("a question costs no turn, also after failures", () => {
    expect(step({ process: "seen", questions: ["q"] }, { failures: 9 })).toEqual({ do: "ask" });
    expect(step({ questions: ["q"] })).toEqual({ do: "ask" });
  });

  test("a sleep is waited for to the millisecond; then the process goes on, or the agent where it may not", () => {
    expect(step({ process: "seen", sleepsUntilMs: NOW + 1 })).toEqual({ do: "wait", untilMs: NOW + 1, for: "sleep" });
    expect(step({ process: "seen", sleepsUntilMs: NOW })).toEqual({ do: "iterate" });
    expect(step({ process: "not ours", sleepsUntilMs: NOW })).toEqual({ do: "turn" });
  });

  test("tasks that run by themselves are waited for, but only where the driver can collect them", () => {
    expect(step({ process: "seen", onlyTasks: true })).toMatchObject({ do: "wait", for: "tasks" });
    expect(step({ process: "not ours", onlyTasks: true })).toEqual({ do: "turn" });
  });

  test("after a failed turn it waits, tries again, and gives up with the last reason", () => {
    expect(step({}, { failures: 1, retryAtMs: NOW + 7 })).toEqual({ do: "wait", untilMs: NOW + 7, for: "retry" });
    expect(step({}, { failures: 2, retryAtMs: NOW })).toEqual({ do: "turn" });
    expect(step({}, { failures: 3, lastFailure: "no network" })).toEqual({
      do: "give up",
      code: "agent_failed",
      why: "3 agent turns in a row failed, the last with: no network",
    });
  });

  test("an agent that keeps stopping for nothing is given up", () => {
    expect(step({}, { vain: 4 })).toEqual({ do: "turn" });
    expect(step({}, { vain: 5 })).toMatchObject({ do: "give up", code: "agent_stops" });
  });
});

describe("what is counted", () => {
  test("pauses grow, up to a quarter of an hour, and a good turn forgets them", () => {
    let turns = NO_TURNS;
    const pauses: number[] = [];
    for (let time = 0; time < 10; time += 1) {
      turns = afterFailure(turns, { why: "busy" }, NOW, RETRIES);
      pauses.push((turns.retryAtMs - NOW) / 1000);
    }
    expect(pauses).toEqual([5, 10, 20, 40, 80, 160, 320, 640, 900, 900]);
    expect(turns).toMatchObject({ failures: 10, lastFailure: "busy" });
    expect(afterTurn(turns, true)).toEqual(NO_TURNS);
  });

  test("a limit of the account is waited for to its end and does not count, however often; one that has none does", () => {
    const DAY = 86_400_000;
    let turns: TurnRecord = { ...NO_TURNS, failures: 2 };
    for (let time = 0; time < 20; time += 1)
      turns = afterLimit(turns, { why: "5 h", untilMs: NOW + DAY }, NOW, RETRIES);
    expect(turns).toEqual({
      ...NO_TURNS,
      failures: 2,
      lastFailure: "5 h",
      retryAtMs: NOW + DAY + RETRIES.firstPauseMs,
    });
    expect(step({}, { ...turns, failures: 0 })).toMatchObject({ do: "wait", untilMs: turns.retryAtMs, for: "retry" });
    expect(step({}, { ...turns, failures: 0 }, turns.retryAtMs)).toEqual({ do: "turn" });
    for (const untilMs of [NOW, NOW - DAY, NOW + 9 * DAY, Number.MAX_SAFE_INTEGER])
      expect(afterLimit(NO_TURNS, { why: "x", untilMs }, NOW, RETRIES)).toEqual(
        afterFailure(NO_TURNS, { why: "x" }, NOW, RETRIES),
      );
  });

  test("an error that only a person can fix is tried once more; another error between them begins anew", () => {
    const lasting = { why: "no credit", lasting: true };
    const once = afterFailure(NO_TURNS, lasting, NOW, RETRIES);
    expect(step({}, once)).toMatchObject({ do: "wait", for: "retry" });
    const twice = afterFailure(once, lasting, NOW, RETRIES);
    const why = "2 agent turns in a row failed, the last with: no credit. Only a person can fix this";
    expect(step({}, twice)).toEqual({ do: "give up", code: "agent_failed", why });
    const between = afterFailure(afterFailure(once, { why: "busy" }, NOW, RETRIES), lasting, NOW, RETRIES);
    expect(between.lasting).toBe(once.lasting);
  });

  test("stops for nothing count in a row; a turn that goes on, or a wait, ends the row", () => {
    const twice = afterTurn(afterTurn(NO_TURNS, false), false);
    expect(twice.vain).toBe(2);
    expect(afterTurn(twice, true).vain).toBe(0);
    expect(afterWaiting(twice).vain).toBe(0);
    expect(afterFailure(twice, { why: "x" }, NOW, RETRIES).vain).toBe(2);
  });
});

describe("what the agent is told", () => {
  const told = { text: "Not met: tests", code: "claim_rejected", work: 7 };

  test("everything, in a session that the host does not know", () => {
    expect(textOfTurn({ known: false, told, work: 7 })).toBe("first");
  });

  test("the engine's own words while they are still true", () => {
    expect(textOfTurn({ known: true, told, work: 7 })).toBe("told");
    expect(textOfTurn({ known: true, told, work: 8 })).toBe("continue");
    expect(textOfTurn({ known: true, told: undefined, work: 7 })).toBe("continue");
  });

  test("not to ask what someone has answered", () => {
    expect(textOfTurn({ known: true, told: { ...told, code: "ask_human" }, work: 7 })).toBe("continue");
  });
});
