/** The words in which a loop tells its agent and its person how it stands, in the real host. */
import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { answers, HostProject, type HostRun } from "./rig/host-run.js";
import { openTerminal } from "./rig/host-terminal.js";
import { NEWEST_HOST } from "./rig/install-hosts.js";
import { bash, inTurn, never, says } from "./rig/scripted-model.js";

const PROCESS = `export async function ask(inputs, ctx) {
  await ctx.breakpoint({ question: "Ship it?" });
}
`;
const CLAIM = says("All is done.\n\n<promise>DONE</promise>");
const ITERATE = bash("babysitter run:iterate r --json");
const TOKENS = { input_tokens: 1500, output_tokens: 100 };

/** What the person reads at the ends of turns. */
const lines = (run: HostRun): unknown[] =>
  answers(run, "Stop").map((text) => (JSON.parse(text) as { systemMessage?: string }).systemMessage);

describe.each(NEWEST_HOST)("what people and agents read in Claude Code %s", (version) => {
  test("L3: of a blocked run with an open question the agent is told that the block comes first; unblocked, that the question is left", async () => {
    const project = new HostProject(version, { "p.mjs": PROCESS });
    const create =
      "babysitter run:create --process-id test/p --entry p.mjs#ask --run-id r --harness claude-code --json";
    const run = await project.host({
      scenario: inTurn([
        bash(create),
        ITERATE,
        bash(`sed -i "1a await ctx.sleepUntil('2098-01-01T00:00:00Z');" p.mjs`),
        ITERATE,
        says("There is a question."),
        bash("git checkout --quiet p.mjs && sed -i /breakpoint/d p.mjs"),
        ITERATE,
        says("There still is one."),
        bash("git checkout --quiet p.mjs"),
        ITERATE,
        says("There is a question."),
        says("Nobody is here to be asked."),
      ]),
    });
    const told = run.model.main.map(({ news }) => news);
    for (const [request, block] of [
      [5, "Run blocked: its process no longer matches its journal"],
      [8, "Run blocked (GATES_CHANGED): the process no longer has breakpoints that people agreed to"],
    ] as const) {
      const first = "and nothing continues until that is fixed, not even with an answer to its open question.";
      expect(told[request]).toContain(`${block}, ${first}`);
      expect(told[request]).not.toContain("Only a question");
    }
    expect(told[11]).toContain("Only a question for a human is left");
    expect(project.codes()).toEqual(["continue_loop", "continue_loop", "ask_human", "awaiting_human"]);
    expect(lines(run)[0]).toMatch(/^🔄 2\/256, the run is blocked, \$[\d.]+$/u);
  });

  test("L10: a check that changes files itself: from the second time on the agent is told which files", async () => {
    const project = new HostProject(version, { "check.sh": "date +%N >> report.txt\n" });
    const sessionId = await project.startLoop(["--criteria", "sweep: sh check.sh"]);
    const verify = bash("babysitter loop:verify --wait");
    const run = await project.host({
      sessionId,
      scenario: inTurn([bash("touch x"), CLAIM, verify, CLAIM, bash("echo report.txt > .gitignore"), CLAIM]),
    });
    const told = run.model.main.map(({ news }) => news);
    expect(told[2]).toContain("The engine is checking the criteria.");
    expect(told[4]).toContain("But the check sweep changes files itself (report.txt), so its result is about files");
    expect(project.codes()).toEqual(["verifying", "verifying", "completed_verified"]);
    for (const line of lines(run).slice(0, 2)) expect(line).toMatch(/^🔄 1\/50, checking: sweep, \$[\d.]+$/u);
  });

  test("L12: at the end of each turn the person reads where the loop stands, in one line", async () => {
    const project = new HostProject(version);
    const terminal = await openTerminal(project, {
      sessionId: randomUUID(),
      prompt: "",
      scenario: inTurn([{ ...bash("echo 1 > a"), usage: TOKENS }, { ...CLAIM, usage: TOKENS }, never]),
    });
    const limits = "--completion-promise DONE --budget-usd 5";
    await terminal.enter(`/babysit Write x ${limits} --criteria 'tests: test -f done'`, "🔄 Babysitter loop");
    await terminal.shows("Stop hook feedback");
    expect(terminal.words).toMatch(/says: 🔄 2\/50, not met: tests \(exit 1\), \$0\.01 of \$5 ●/u);
  });

  test("L11: a session that returns reads of a paused loop that it is paused, and of an active one that it is active", async () => {
    const project = new HostProject(version);
    const sessionId = await project.startLoop();
    await project.doc(["loop:pause", "--reason", "lunch"], { as: "person" });
    const paused = await project.host({ sessionId, scenario: inTurn([says("It is paused.")]) });
    const [rests = ""] = paused.model.main.map(({ news }) => news);
    expect(rests).toMatch(/\[LOOP RESUME\] Paused loop detected\nSpec: Write x\nIteration: 1\n/u);
    expect(rests).toContain("The loop is paused (by_request): lunch");
    expect(rests).not.toContain("Active loop");
    await project.doc(["loop:resume"], { as: "person" });
    const active = await project.host({ sessionId, resume: true, scenario: inTurn([CLAIM]) });
    const [works = ""] = active.model.main.map(({ news }) => news);
    expect(works).toMatch(/\[LOOP RESUME\] Active loop detected\nSpec: Write x\nIteration: 1\n/u);
    expect(project.codes().at(-1)).toBe("promise_matched");
  });

  test("L12: with a money limit and nothing to read the costs from, the loop pauses instead of counting $0.00 for ever", async () => {
    const begins = async (more: { args?: string[]; model?: string }): Promise<[unknown[], string]> => {
      const project = new HostProject(version);
      const sessionId = await project.startLoop(["--budget-usd", "1"]);
      const work = [bash("echo 1 > a"), says("One."), bash("echo 2 > b"), says("Two.")];
      const run = await project.host({ sessionId, scenario: inTurn(work), ...more });
      return [project.codes(), String(lines(run).at(-1))];
    };
    const [codes, why] = await begins({ args: ["--no-session-persistence"] });
    expect(codes).toEqual(["continue_loop", "cost_unknown"]);
    expect(why).toContain(
      "🛑 Babysitter run: there is a cost limit, but this host does not report what the session uses. To continue without the limit: /babysitter:amend --budget-usd 0",
    );
    const [atOnce, unpriced] = await begins({ model: "strange-model-9" });
    expect(atOnce).toEqual(["cost_unknown"]);
    expect(unpriced).toContain(
      "no price is known for strange-model-9. A loop keeps the prices that it began with; for the next one, add it to the setting `prices`.",
    );
  });
});
