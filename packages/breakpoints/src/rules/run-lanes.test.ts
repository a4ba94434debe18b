import { describe, expect, it } from "vitest";
import type { Lane } from "../wire/run-wire.js";
import { AGENT_SILENCE_MS, dependsOnDriver, type LaneFacts, laneOf, SILENCE_MS } from "./run-lanes.js";

const NOW = Date.UTC(2026, 10, 17, 12);
const IDLE: LaneFacts = {
  state: "running",
  asks: false,
  paused: false,
  until: null,
  writtenAt: 0,
  agent: false,
  driven: false,
};
const later = NOW + 1;

describe("lanes of the board", () => {
  it.each<[string, Partial<LaneFacts>, Lane]>([
    ["completed", { state: "completed" }, "done"],
    ["cancelled", { state: "cancelled" }, "done"],
    ["failed", { state: "failed" }, "done"],
    ["failed while a question of it was open", { state: "failed", asks: true }, "done"],
    [
      "cancelled while it was paused, and its driver is still there",
      { state: "cancelled", paused: true, driven: true },
      "done",
    ],
    ["it asks", { state: "waiting", asks: true }, "you"],
    ["it asks while other steps are at work", { state: "waiting", asks: true, driven: true }, "you"],
    ["it asks while it sleeps", { state: "waiting", asks: true, until: later }, "you"],
    ["blocked", { state: "blocked" }, "you"],
    ["blocked, with a driver", { state: "blocked", driven: true }, "you"],
    ["a loop that is paused", { state: "paused", paused: true }, "you"],
    ["a process whose loop is paused", { state: "waiting", paused: true, agent: true, writtenAt: NOW }, "you"],
    ["it sleeps", { state: "waiting", until: later }, "waiting"],
    ["it sleeps, and its driver waits with it", { state: "waiting", until: later, driven: true }, "waiting"],
    ["its agent waits for quota", { until: later, agent: true, writtenAt: NOW }, "waiting"],
    ["its time has come, and a driver is there", { state: "waiting", until: NOW, driven: true }, "working"],
    ["its time has come, and nobody is there", { state: "waiting", until: NOW }, "stalled"],
    ["a driver is at it", { driven: true }, "working"],
    ["a driver has just begun it", { state: "created", driven: true }, "working"],
    ["an agent has just written", { agent: true, writtenAt: NOW }, "working"],
    ["an agent thinks", { agent: true, writtenAt: NOW - AGENT_SILENCE_MS }, "working"],
    ["an agent is silent for too long", { agent: true, writtenAt: NOW - AGENT_SILENCE_MS - 1 }, "stalled"],
    ["an agent is silent, and a driver is there", { agent: true, driven: true }, "working"],
    ["somebody has just written", { writtenAt: NOW - SILENCE_MS }, "working"],
    ["somebody has written a while ago", { writtenAt: NOW - SILENCE_MS - 1 }, "stalled"],
    ["written by a clock that is a little ahead", { writtenAt: NOW + 1_000 }, "working"],
    ["written by a clock that is wrong", { agent: true, writtenAt: NOW + 1e9 }, "stalled"],
    ["nobody is at it", {}, "stalled"],
    ["nobody has begun it", { state: "created" }, "stalled"],
    ["it waits for a result that nobody makes", { state: "waiting" }, "stalled"],
  ])("%s", (_, facts, lane) => {
    expect(laneOf({ ...IDLE, ...facts }, NOW)).toBe(lane);
  });

  it("nobody looks for a driver where that changes nothing", () => {
    const asked = (facts: Partial<LaneFacts>): boolean => dependsOnDriver({ ...IDLE, ...facts }, NOW);
    expect([asked({}), asked({ driven: true }), asked({ agent: true })]).toEqual([true, true, true]);
    expect([
      asked({ asks: true }),
      asked({ until: later }),
      asked({ writtenAt: NOW }),
      asked({ state: "failed" }),
    ]).toEqual([false, false, false, false]);
  });
});
