/** Slash commands that do what a command of the terminal does, for people who have only the plugin: real processes, no model. */
import fs from "node:fs";
import { describe, expect, test } from "vitest";
import { agentEnvironment } from "../fixtures/hosts/host-session.js";
import { TypingSession } from "../fixtures/hosts/typing-session.js";
import { LoopProject } from "../fixtures/loop-runs/loop-project.js";

const ASKING = `export async function process(inputs, ctx) {
  const first = await ctx.breakpoint({ question: "Ship it?", options: ["now", "later"] });
  const second = await ctx.breakpoint({ question: "Tell the press?" });
  return { first: first.option ?? null, second: second.feedback ?? null };
}
`;

interface AskedDoc {
  breakpoints: { breakpointId: string }[];
}

/** A command line that only someone with a terminal and our program on its PATH could type. */
const FOR_TERMINALS = /(?<!!)\bbabysitter (?:[a-z]+:|run\b|doctor\b)/u;

async function withLoop(args = "Write x --max-iterations 5") {
  const project = new LoopProject();
  const session = new TypingSession(project);
  await session.goesThrough("babysit", args);
  const [run = ""] = project.runs();
  return { project, session, run };
}

async function withQuestion() {
  const project = new LoopProject({ "asks.mjs": ASKING });
  const session = new TypingSession(project);
  await session.goesThrough("babysit", "--process asks.mjs");
  const [run = ""] = project.runs();
  const iterate = async (): Promise<void> => void (await project.run(["run:iterate", run, "--json"]));
  const open = async (): Promise<string> => {
    const { breakpoints } = (await project.ask(["breakpoint:list", run])) as unknown as AskedDoc;
    return breakpoints[0]?.breakpointId ?? "";
  };
  await iterate();
  return { project, session, run, iterate, open };
}

describe("/babysitter:amend", () => {
  test("P9: changes the contract of the session's loop without a model, and says what", async () => {
    const { project, session, run } = await withLoop();
    const said = await session.refused(
      "babysitter:amend",
      `--criteria 'x: test -f x && echo "it''s"' --max-iterations=9 --protect 'tests/**'`.replace("''", "’"),
    );
    expect(said).toContain(`Amended ${run}: criterion x; protects tests/**; iterations 9.`);
    const { limits, criteria } = await project.status(run);
    expect([limits["iterations"], criteria.map(({ id }) => id)]).toEqual([9, ["x"]]);
    const [amended] = session.events(run).filter(({ type }) => type === "LOOP_AMENDED");
    expect(amended?.payload).toMatchObject({ by: "person" });
    expect(await session.refused("babysitter:amend", `${run} --drop-criterion x`)).toContain("removed criterion x");
  });

  test("P9: whatever is wrong is named, and nothing has changed", async () => {
    const { project, session, run } = await withLoop();
    const before = session.events(run).length;
    for (const [args, text] of [
      ["", "Specify what to change."],
      ["--criterion 'x: true'", "Did you mean --criteria?"],
      ["--max-iterations many", "it must be a whole number"],
      ["no-such-run --max-iterations 9", "no-such-run"],
      ["--criteria 'x: no-such-command-anywhere'", "there is no command"],
      ["$(touch PWNED) `touch PWNED` ; touch PWNED --max-iterations 9", "Too many words"],
    ] as const) {
      const said = await session.refused("babysitter:amend", args);
      expect(said).toContain("Babysitter: ");
      expect(said).toContain(text);
      expect(said).not.toMatch(FOR_TERMINALS);
    }
    expect(session.events(run)).toHaveLength(before);
    expect(fs.existsSync(project.path("PWNED"))).toBe(false);
  });

  test("a session without a loop has to name one", async () => {
    const { project, run } = await withLoop();
    const other = new TypingSession(project);
    expect(await other.refused("babysitter:amend", "--max-iterations 9")).toContain(
      "To amend another one, name it: /babysitter:amend RUN.",
    );
    expect(await other.refused("babysitter:amend", `${run} --max-iterations 9`)).toContain(`Amended ${run}`);
  });

  test("in a host without anybody nothing is changed, paused or cancelled, and the hint leads out of it", async () => {
    const { session, run, project } = await withLoop();
    const before = project.journal(run);
    session.marks = { ...session.marks, CLAUDE_CODE_ENTRYPOINT: "sdk-cli" };
    for (const [verb, args] of [
      ["amend", "--max-iterations 9"],
      ["pause", ""],
      ["cancel", ""],
    ] as const) {
      const said = await session.refused(`babysitter:${verb}`, args);
      expect(said).toContain("is for people, and this session is unattended");
      expect(said).toContain("Type the command in your own terminal, or in your own interactive session.");
      expect(said).not.toContain("/babysitter:");
    }
    expect(project.journal(run)).toEqual(before);
  });

  test("an agent that calls the hook has typed nothing", async () => {
    const { project, session, run } = await withLoop();
    session.marks = agentEnvironment(session.sessionId);
    expect(await session.types("babysitter:amend", "--max-iterations 500")).toEqual({});
    expect((await project.status(run)).limits["iterations"]).toBe(5);
  });
});

describe("/babysitter:approve and /babysitter:reject", () => {
  test("P9: the question is listed, shown and answered in the session, by the person", async () => {
    const { project, session, run, iterate, open } = await withQuestion();
    const id = await open();
    const listed = await session.refused("babysitter:approve");
    expect(listed).toContain(`next: /babysitter:status ${id}`);
    const shown = await session.refused("babysitter:status", id);
    expect(shown).toContain("Ship it?");
    expect(shown).toContain(`/babysitter:approve ${id} --option …`);
    expect(shown).toContain(`/babysitter:reject ${id} --reason "…"`);
    expect(shown).not.toMatch(FOR_TERMINALS);
    expect(await session.refused("babysitter:approve", `${id} --option later`)).toMatch(/^Recorded: /u);
    // A host does not say who has given a command in its shell.
    const env = agentEnvironment(session.sessionId);
    await iterate();
    const next = await open();
    const refused = await project.refuse(["breakpoint:approve", next], { env });
    expect([refused.code, refused.hint]).toEqual([
      "DECISION_NOT_ALLOWED",
      expect.stringContaining(`type /babysitter:approve ${next}, or /babysitter:reject ${next} with the reason`),
    ]);
    const reason = `not yet: run --dry-run first, don't "guess" $(touch PWNED)`;
    expect(await session.refused("babysitter:reject", `${next}  ${reason} `)).toMatch(/^Recorded: /u);
    const { result } = (await project.ask(["breakpoint:show", next])) as unknown as { result: object };
    expect(result).toMatchObject({ approved: false, feedback: reason, via: "hook" });
    expect(session.events(run).filter(({ type }) => type === "EFFECT_RESOLVED")).toHaveLength(2);
    expect(fs.existsSync(project.path("PWNED"))).toBe(false);
  });

  test("P9: a wrong answer decides nothing", async () => {
    const { session, run, open } = await withQuestion();
    const id = await open();
    for (const [verb, args, text] of [
      ["approve", `${id} --option tomorrow`, 'no option "tomorrow"'],
      ["approve", "no-such-question", "no-such-question"],
      ["approve", run, `The code of ${run} `],
      ["reject", `${run} --reason 'no'`, "is a run, not a question"],
      ["reject", id, "--reason is missing"],
      ["reject", "--reason 'no'", `next: /babysitter:status ${id}`],
    ] as const) {
      const said = await session.refused(`babysitter:${verb}`, args);
      expect(said).toContain(text);
      expect(said).not.toMatch(FOR_TERMINALS);
    }
    expect(await open()).toBe(id);
  });
});

describe("/babysitter:verify and /babysitter:report", () => {
  test("P9: check and report in the session, without a model", async () => {
    const { session, run, project } = await withLoop("Write x --criteria 'x: test -f x'");
    expect(await session.refused("babysitter:verify")).toContain("✗ x: ");
    fs.writeFileSync(project.path("x"), "");
    expect(await session.refused("babysitter:verify", `${run} --criterion x`)).toContain("✓ x: ");
    expect(await session.refused("babysitter:verify", "--timeout 3h")).toContain("Unknown flag --timeout");
    const report = await session.refused("babysitter:report");
    expect(report).toContain("Write x");
    expect(report).not.toMatch(FOR_TERMINALS);
    expect(await session.refused("babysitter:report", "--help")).toContain("Usage: /babysitter:report [run]");
  });
});
