import { describe, expect, it } from "vitest";
import { type DecidedMatter, type DecisionSource, isVerified, whyNotDecide } from "./who-may-decide.js";

/** Every source worth telling apart. */
const SOURCES: Record<string, DecisionSource> = {
  "a command of a script": { via: "cli", terminal: false, agent: false },
  "a command at a terminal": { via: "cli", terminal: true, agent: false },
  "a command at a terminal, confirmed": { via: "cli", terminal: true, agent: false, confirmed: true },
  "a confirmed command of a script": { via: "cli", terminal: false, agent: false, confirmed: true },
  "a confirmed command of an agent": { via: "cli", terminal: true, agent: true, confirmed: true },
  "a command of an agent": { via: "cli", terminal: false, agent: true },
  "a command of an agent with a terminal": { via: "cli", terminal: true, agent: true },
  "the prompt of a driver": { via: "terminal", terminal: true, agent: false },
  "the prompt of a driver, confirmed": { via: "terminal", terminal: true, agent: false, confirmed: true },
  "the prompt of an agent's driver": { via: "terminal", terminal: true, agent: true },
  "a policy of a script": { via: "policy", terminal: false, agent: false },
  "a policy typed at a terminal": { via: "policy", terminal: true, agent: false },
  "task:post of a script": { via: "task:post", terminal: false, agent: false },
  "task:post typed at a terminal": { via: "task:post", terminal: true, agent: false },
  "task:post that says it was confirmed": { via: "task:post", terminal: true, agent: false, confirmed: true },
  "a policy that says it was confirmed": { via: "policy", terminal: true, agent: false, confirmed: true },
  "HTTP without a session": { via: "web", verified: false },
  "a session of the user interface": { via: "web", verified: true },
  "a bound chat": { via: "telegram", verified: true },
  "a bound chat, tapped twice": { via: "telegram", verified: true, confirmed: true },
  "some chat": { via: "telegram", verified: false },
  "the host's dialog": { via: "hook", verified: true },
};

const allowedFor = (matter: DecidedMatter): string[] =>
  Object.keys(SOURCES).filter((name) => whyNotDecide(SOURCES[name] as DecisionSource, matter) === undefined);

describe("who may decide", () => {
  it("C22: a run of a person, script or CI takes every answer but that of an unknown chat", () => {
    expect(allowedFor({ bound: false, risk: undefined, answers: "bound" })).toEqual(
      Object.keys(SOURCES).filter((name) => name !== "some chat"),
    );
  });

  it("C22: a run of an agent's session takes answers of people only", () => {
    expect(allowedFor({ bound: true, risk: undefined, answers: "bound" })).toEqual([
      "a command at a terminal",
      "a command at a terminal, confirmed",
      "the prompt of a driver",
      "the prompt of a driver, confirmed",
      "a policy typed at a terminal",
      "a policy that says it was confirmed",
      "a session of the user interface",
      "a bound chat",
      "a bound chat, tapped twice",
      "the host's dialog",
    ]);
  });

  it("C22: high risk takes an identified person or one who types the run's name, whoever the run belongs to", () => {
    for (const bound of [false, true])
      expect(allowedFor({ bound, risk: "high", answers: "bound" })).toEqual([
        "a command at a terminal, confirmed",
        "the prompt of a driver, confirmed",
        "a session of the user interface",
        "a bound chat, tapped twice",
      ]);
    expect(allowedFor({ bound: false, risk: "low", answers: "bound" })).toContain("task:post of a script");
  });

  it("C22: with open answers everyone decides everything", () => {
    expect(allowedFor({ bound: true, risk: "high", answers: "open" })).toEqual(Object.keys(SOURCES));
  });

  it("C22: a refusal names the ways that are left", () => {
    const bound = whyNotDecide({ via: "task:post" }, { bound: true, risk: undefined, answers: "bound" });
    expect(bound).toMatchObject({ why: "agent-session" });
    expect(bound?.message).toContain("task:post");
    for (const way of ["dialog", "user interface", "Telegram", "breakpoint:approve", "answers: open"])
      expect(bound?.hint).toContain(way);
    const risky = whyNotDecide({ via: "terminal", terminal: true }, { bound: false, risk: "high", answers: "bound" });
    expect(risky).toMatchObject({ why: "high-risk" });
    for (const way of ["your own terminal", "user interface", "Telegram", "answers: open"])
      expect(risky?.hint).toContain(way);
  });

  it("C22: nothing that comes through a shell is verified, whatever it says", () => {
    const verified = Object.entries(SOURCES).filter(([, source]) => isVerified({ ...source, verified: true }));
    expect(new Set(verified.map(([, { via }]) => via))).toEqual(new Set(["web", "telegram", "hook"]));
    expect(isVerified({ via: "web" })).toBe(false);
  });
});
