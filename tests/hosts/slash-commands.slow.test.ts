/** Slash commands, typed into a host and carried out by its hook: real processes, no model. */
import { randomUUID } from "node:crypto";
import fs from "node:fs";
import { describe, expect, test } from "vitest";
import { agentEnvironment, problemsOf } from "../fixtures/hosts/host-session.js";
import { TypingSession } from "../fixtures/hosts/typing-session.js";
import { LoopProject } from "../fixtures/loop-runs/loop-project.js";

function newSession(files: Record<string, string> = {}) {
  const project = new LoopProject(files);
  const session = new TypingSession(project);
  const onlyRun = (): string => {
    const [run, ...others] = project.runs();
    expect(others).toEqual([]);
    return run ?? "";
  };
  return { project, session, onlyRun };
}

const PROCESS =
  "export async function process(inputs, ctx) { return ctx.task({ kind: 'agent', title: 'x' }, inputs); }\n";

describe("a loop that is begun by /babysit", () => {
  test.each([
    ["quotes, parentheses, substitution", `Fix the (auth) bug, don't break "it" $(touch PWNED)`],
    ["every character of shells", "a;touch PWNED & b|c > PWNED < d `touch PWNED` $x * ? [a] {a,b} ~ ! # \\ ' \""],
    ["line breaks and tabs", "one\ntwo\r\n\tthree\n\nEOF\n$(touch PWNED)\nEOF"],
    ["what terminals act on", "a\u0007b\u001b[31mc\u009bd\u202ee\u2066f\ufeffg\u0085h"],
    ["a NUL", "a\0b"],
    ["words of other scripts", "naïve 日本語 👩‍👩‍👧 e\u0301 \u{10ffff}"],
    ["half of a character", "a\ud800b"],
    ["things that look like options", "a -x --5 --- =--json -- --max"],
    ["names that hosts replace", "$ARGUMENTS $0 $1 $CLAUDE_PLUGIN_ROOT !`touch PWNED` @file"],
    ["very many", `${"x".repeat(200_000)}(`],
  ])("L1: any characters in the prompt: %s", async (_, prompt) => {
    const { project, session, onlyRun } = newSession();
    const args = prompt.includes(" --") ? `--max-iterations 3 -- ${prompt}` : `${prompt} --max-iterations 3`;
    await session.goesThrough("babysitter:babysit", args);
    const { goal, limits } = await project.status(onlyRun());
    expect(goal).toBe(prompt);
    expect(limits["iterations"]).toBe(3);
    expect(fs.readdirSync(project.dir).toSorted()).toEqual([".a5c", ".git", "package.json"]);
  });

  test("L1: `/babysit PROMPT [--max-iterations n] [--completion-promise 'text']`: user and agent are told what was agreed on, and the loop runs to it", async () => {
    const { session, project, onlyRun } = newSession();
    const { systemMessage, hookSpecificOutput } = await session.types(
      "babysit",
      "Write x --max-iterations 7 --completion-promise 'X IS WRITTEN' --max-time 2h --budget-usd 5",
    );
    const run = onlyRun();
    const shown = [
      `🔄 Babysitter loop ${run}`,
      "goal:    Write x",
      "ends:    the agent says <promise>X IS WRITTEN</promise>; the agent's word is all that counts",
      "limits:  7 iterations, $5.00, 2 h",
      "to stop: press Esc",
    ];
    for (const line of shown) {
      expect(systemMessage).toContain(line);
      expect(hookSpecificOutput?.additionalContext).toContain(line);
    }
    expect(hookSpecificOutput?.additionalContext).toContain("alone on a line: <promise>X IS WRITTEN</promise>");
    expect(systemMessage).not.toContain("check:");
    expect((await session.stop("Not yet.")).decision).toBe("block");
    expect((await session.stop("<promise>X IS WRITTEN</promise>")).systemMessage).toContain("✅");
    expect(session.codes(run)).toEqual(["continue_loop", "promise_matched"]);
    expect((await project.status(run)).sessions).toEqual([session.sessionId]);
  });

  test("a check of the project is named and never added; with criteria there is nothing to offer", async () => {
    const { session, project } = newSession({ "package.json": '{ "scripts": { "test": "true" } }\n' });
    const { systemMessage } = await session.types("babysit", "Write x");
    const [first = ""] = project.runs();
    expect(systemMessage).toContain("/babysitter:amend --criteria 'test: npm test'");
    expect((await project.status(first)).criteria).toEqual([]);
    const other = new TypingSession(project);
    const second = await other.types("babysit", "Write y --criteria 'y: test -f y' --step one");
    expect(second.systemMessage).toContain("the engine has verified: y");
    expect(second.systemMessage).not.toContain("npm test");
    expect(second.hookSpecificOutput?.additionalContext).toMatch(
      /loop:verify \S+\n- After each step: babysitter loop:step/u,
    );
  });

  test("its prompt begins the turn: another one in the middle of it is an interruption", async () => {
    const { session, onlyRun } = newSession();
    await session.goesThrough("babysit", "Write x");
    const run = onlyRun();
    const submitted = () => session.events(run).filter(({ type }) => type === "PROMPT_SUBMITTED");
    expect(submitted().map(({ payload }) => payload)).toEqual([
      { sessionId: session.sessionId, kind: "turn", promptId: session.promptId },
    ]);
    // Hosts tell of the same prompt once more, before or after.
    expect(await session.hook("user-prompt-submit", { prompt: "/babysit Write x" })).toEqual({});
    expect(submitted()).toHaveLength(1);
    session.promptId = randomUUID();
    // One that only asks is no interruption, whatever the host calls it.
    expect(await session.hook("user-prompt-submit", { prompt: "/babysitter:status" })).toEqual({});
    const { systemMessage } = await session.hook("user-prompt-submit", { prompt: "Wait, what?" });
    expect(systemMessage).toContain("paused, because you interrupted it");
  });

  test("session files are where the hook was told to keep them", async () => {
    const { session, project } = newSession();
    await session.types("babysit", "Write x", ["--state-dir", "here"]);
    expect(fs.readdirSync(project.path("here"))).toEqual([`${session.sessionId}.md`]);
    expect(fs.existsSync(session.file)).toBe(false);
    expect(await session.refused("babysitter:pause", "", ["--state-dir", "here"])).toContain("Paused ");
  });
});

describe("what is refused", () => {
  test.each([
    ["x --max-iteration 3", "Unknown flag --max-iteration."],
    ["x --max-iterations three", "it must be a whole number"],
    ["x --criteria 'tests npm test'", "has no name"],
    ["x --criteria 'tests: no-such-command-anywhere'", "there is no command no-such-command-anywhere"],
    ["x --completion-promise '<promise>DONE</promise>'", "Give only the words"],
    ["--max-iterations 3", "no prompt"],
    ["--process nowhere.mjs", "nowhere.mjs"],
    ["--process broken.mjs", "broken.mjs"],
    ["--process exits.mjs", "process.exit"],
    ["--process fine.mjs#nothing", "nothing"],
    ["--process fine.mjs --inputs nowhere.json", "nowhere.json"],
    ["--process picky.mjs", 'does not have required property "count"'],
    ["--process fine.mjs --criteria 'tests: no-such-command-anywhere'", "no-such-command-anywhere"],
    ["--help", "/babysit PROMPT [flags]"],
    ["", "/babysit PROMPT [flags]"],
  ])("L1: strict flags, `--help`: /babysit %s starts nothing and asks no model", async (args, text) => {
    const files = {
      "fine.mjs": PROCESS,
      "picky.mjs": `export const inputSchema = { required: ["count"] };\n${PROCESS}`,
      "broken.mjs": "export const process = (;\n",
      "exits.mjs": "globalThis.process.exit(3);\n",
    };
    const { session, project } = newSession(files);
    expect(await session.refused("babysitter:babysit", args)).toContain(text);
    expect(project.runs()).toEqual([]);
    expect(fs.existsSync(session.file)).toBe(false);
  });

  test("a session that is at work; the user is told what to type right there", async () => {
    const { session, project, onlyRun } = newSession();
    await session.goesThrough("babysit", "Write x");
    const run = onlyRun();
    const text = await session.refused("babysit", "Write y");
    expect(text).toContain(`Session already associated with run: ${run}`);
    expect(text).toContain(`/babysitter:pause ${run}, or /babysitter:cancel ${run}.`);
    expect(project.runs()).toEqual([run]);
  });

  test("a project that cannot be written: no model call, no promise of a loop", async () => {
    const { session } = newSession({ ".a5c": "a file\n" });
    expect(await session.refused("babysit", "Write x")).toContain("Babysitter: ");
    expect(fs.existsSync(session.file)).toBe(false);
  });

  test("an answer that comes too late: the text does not reach the model as a task", async () => {
    const { session, project } = newSession({ "hangs.mjs": "await new Promise(() => undefined);\n" });
    for (const name of ["babysit", "babysitter:babysit"]) {
      const text = await session.refused(name, "--process hangs.mjs", ["--deadline-ms", "500"]);
      expect(text).toContain("did not answer within 500 ms");
      expect(text).toContain("/babysitter:status");
    }
    expect(problemsOf(project)).toHaveLength(2);
  });

  test("an agent that calls the hook by itself has typed nothing: its loop goes on, and it is written down", async () => {
    const { session, project, onlyRun } = newSession();
    await session.goesThrough("babysit", "Write x --max-iterations 5");
    const run = onlyRun();
    const env = agentEnvironment(session.sessionId);
    session.marks = env;
    expect(await session.types("babysitter:cancel")).toEqual({});
    expect(await session.types("babysitter:resume", `${run} --max-iterations 500`)).toEqual({});
    expect(await session.hook("session-end", { reason: "clear" }, { env })).toEqual({});
    expect(await session.hook("stop", { last_assistant_message: "I rest." }, { env })).toEqual({});
    const { limits, session: bound } = await project.status(run);
    expect([limits["iterations"], bound?.sessionId, session.codes(run)]).toEqual([5, session.sessionId, []]);
    expect(problemsOf(project).map(({ code }) => code)).toEqual(Array.from({ length: 4 }, () => "not_the_host"));
    expect((await session.stop("Not yet.")).decision).toBe("block");
  });

  test("commands of others are none of our business", async () => {
    const { session, project } = newSession();
    for (const name of ["status", "other:babysit", "babysitter:score", ""])
      expect(await session.types(name, "x")).toEqual({});
    expect(project.runs()).toEqual([]);
  });
});

describe("a process that is begun by /babysit", () => {
  test("P3: `/babysit` → run created, bound to the session, whatever the file says on stdout; only its proof ends it", async () => {
    const { session, project, onlyRun } = newSession({
      "release.mjs": `console.log("}{");\n${PROCESS}`,
      "in.json": '{ "n": 1 }',
    });
    const { answer, stderr } = await session.typed(
      "babysit",
      "--process release.mjs --inputs in.json --max-iterations 9",
    );
    expect(stderr).toBe("}{\n");
    const context = answer.hookSpecificOutput?.additionalContext;
    const run = onlyRun();
    expect(run).toContain("release");
    expect(context).toContain(`Next: babysitter run:iterate ${run} --json`);
    expect(context).toContain("the run's completion proof");
    const status = await project.status(run);
    expect([status.mode, status.limits["iterations"]]).toEqual(["run", 9]);
    expect(session.events(run)[0]?.payload).toMatchObject({ harness: "claude-code", session: session.sessionId });
    expect((await session.stop("<promise>DONE</promise>")).decision).toBe("block");
  });

  test("joins the loop that is under way, and says that its contract stays", async () => {
    const { session, project, onlyRun } = newSession({ "release.mjs": PROCESS });
    await session.goesThrough("babysit", "Write x --max-iterations 5");
    const context = await session.goesThrough("babysit", "--process release.mjs --max-iterations 9");
    expect(context).toContain("limits and criteria are unchanged");
    const status = await project.status(onlyRun());
    expect([status.mode, status.limits["iterations"]]).toEqual(["run", 5]);
  });
});

describe("a resumption", () => {
  test("L1: `/babysitter:resume RUN …`: with new limits and a new promise, after an interruption too", async () => {
    const { session, project, onlyRun } = newSession();
    await session.goesThrough("babysit", "Write x --max-iterations 5");
    const run = onlyRun();
    session.promptId = randomUUID();
    await session.hook("user-prompt-submit", { prompt: "Stop that." });
    expect((await project.status(run)).paused?.code).toBe("interrupted");
    const context = await session.goesThrough(
      "babysitter:resume",
      `${run} --max-iterations 8 --completion-promise NEW`,
    );
    expect(context).toContain("[LOOP RESUME] Active loop detected");
    expect(context).toContain("Task:\nWrite x");
    expect(context).toContain("<promise>NEW</promise>");
    expect(fs.readFileSync(session.file, "utf8")).toContain('completion_promise: "NEW"');
    const { paused, limits } = await project.status(run);
    expect([paused, limits["iterations"]]).toEqual([null, 8]);
    // The turn is the one of the prompt that resumes it: more of the same prompt is steering.
    await session.hook("user-prompt-submit", { prompt: "And mind the tests." });
    expect((await project.status(run)).paused).toBeNull();
    expect((await session.stop("Not yet.")).decision).toBe("block");
    await session.stop("<promise>NEW</promise>");
    expect(session.codes(run).at(-1)).toBe("promise_matched");
  });

  test("lifts a limit with 0, and shows it no longer", async () => {
    const { session, project, onlyRun } = newSession();
    await session.goesThrough("babysit", "Write x --budget-usd 5 --max-time 2h");
    const run = onlyRun();
    const { systemMessage } = await session.types("babysitter:resume", `${run} --budget-usd 0`);
    expect(systemMessage).toContain("limits:  50 iterations, 2 h\n");
    expect((await project.status(run)).limits["usd"]).toBe(0);
  });

  test("with a promise that nobody can give changes nothing, also by command", async () => {
    const { session, project, onlyRun } = newSession();
    await session.goesThrough("babysit", "Write x --completion-promise X");
    await session.refused("babysitter:pause");
    const run = onlyRun();
    for (const promise of ["<promise>DONE</promise>", "a</promise>b", "<promise>"]) {
      const flag = `--completion-promise '${promise}'`;
      expect(await session.refused("babysitter:resume", `${run} ${flag}`)).toContain("no agent could ever say it");
      for (const args of [
        ["loop:amend", run],
        ["loop:start", "Write y"],
      ])
        expect(await project.refuse([...args, "--completion-promise", promise], { as: "person" })).toMatchObject({
          code: "USAGE",
          hint: "Give only the words; the agent puts them in <promise> tags.",
        });
    }
    const { paused, promise } = await project.status(run);
    expect([paused?.code, promise.text, project.runs()]).toEqual(["by_request", "X", [run]]);
  });

  test("of a run that no session has worked on: it is bound to this one", async () => {
    const { session, project } = newSession({ "p.mjs": PROCESS });
    await project.create("p.mjs", "run-free");
    const context = await session.goesThrough("babysit", "resume run-free --max-iterations 4");
    expect(context).toContain("Next: babysitter run:iterate run-free --json");
    const { session: bound, limits } = await project.status("run-free");
    expect([bound?.sessionId, limits["iterations"]]).toEqual([session.sessionId, 4]);
  });

  test("of a loop that another session works on needs to be asked for", async () => {
    const { session, project, onlyRun } = newSession();
    await session.goesThrough("babysit", "Write x");
    const run = onlyRun();
    const other = new TypingSession(project);
    expect(await other.refused("babysitter:resume", run)).toContain(`/babysitter:resume ${run} --take`);
    expect((await project.status(run)).session?.sessionId).toBe(session.sessionId);
    await other.goesThrough("babysitter:resume", `${run} --take`);
    expect((await project.status(run)).session?.sessionId).toBe(other.sessionId);
  });

  test("/babysit resume editing is a task when there is no such run; /babysitter:resume is not", async () => {
    const { session, project, onlyRun } = newSession();
    expect(await session.refused("babysitter:resume", "editing")).toContain("editing");
    expect(project.runs()).toEqual([]);
    await session.goesThrough("babysit", "resume editing --max-iterations 2");
    const { goal, limits } = await project.status(onlyRun());
    expect([goal, limits["iterations"]]).toEqual(["resume editing", 2]);
  });

  test("of a loop that has reached its limit needs a higher one, and of one that has ended nothing comes", async () => {
    const { session, onlyRun } = newSession();
    await session.goesThrough("babysit", "Write x --max-iterations 1 --completion-promise X");
    await session.stop("Not yet.");
    const run = onlyRun();
    expect(await session.refused("babysitter:resume", run)).toContain(`/babysitter:resume ${run} --max-iterations <n>`);
    await session.goesThrough("babysitter:resume", `${run} --max-iterations 3`);
    await session.stop("<promise>X</promise>");
    expect(await session.refused("babysitter:resume", run)).toContain("has ended");
  });
});

describe("commands that are obeyed at once", () => {
  test("P4: cancel: status, pause and cancel of the session's own loop, though the host marks its hooks as an agent's", async () => {
    const { session, project, onlyRun } = newSession();
    await session.goesThrough("babysit", "Write x");
    const run = onlyRun();
    expect(await session.refused("babysitter:status")).toMatch(/^state {2}running\n[^]*\nGoal: {6}Write x\n/mu);
    expect(await session.refused("babysitter:pause")).toContain(`To resume: /babysitter:resume ${run}`);
    expect((await project.status(run)).paused?.code).toBe("by_request");
    expect(await session.stop()).toEqual({});
    expect(await session.refused("babysit")).toMatch(/^why {4}.* paused it\.\n[^]*next: \/babysitter:resume/mu);
    expect(await session.refused("babysitter:cancel")).toBe(`Cancelled ${run}.`);
    expect(await session.stop()).toEqual({});
    expect(fs.existsSync(session.file)).toBe(false);
  });

  test("status, right after the loop of the session has ended, shows it as that; to another session it is another run", async () => {
    const { session, project } = newSession();
    await session.goesThrough("babysit", "Write x --completion-promise X");
    await session.stop("<promise>X</promise>");
    const told = await session.refused("babysitter:status");
    expect(told).toMatch(/^The loop of this session has ended:\n[^]*Write x/u);
    expect(await new TypingSession(project).refused("babysitter:status")).toMatch(
      /^This session has no loop\. Another run/u,
    );
  });

  test("a session without a loop stops nobody else's unless it is named", async () => {
    const { session, project, onlyRun } = newSession();
    await session.goesThrough("babysit", "Write x");
    const run = onlyRun();
    const other = new TypingSession(project);
    for (const verb of ["pause", "cancel"])
      expect(await other.refused(`babysitter:${verb}`)).toContain("this session has no loop");
    expect(await other.refused("babysit")).toMatch(new RegExp(`Open runs:[^]*${run}`, "u"));
    expect(await other.refused("babysitter:status")).toMatch(/^This session has no loop\. Another run[^]*Write x/u);
    expect(await session.refused("babysitter:status")).not.toContain("This session has no loop");
    expect((await project.status(run)).paused).toBeNull();
    expect(await other.refused("babysitter:pause", run)).toContain(`Paused ${run}`);
    expect((await project.status(run)).paused?.code).toBe("by_request");
  });

  test("where nothing is, status says so and how to begin; the doctor answers", async () => {
    const { session } = newSession();
    expect(await session.refused("babysitter:status")).toContain("/babysit PROMPT starts a loop");
    expect(await session.refused("babysitter:pause", "run-nowhere")).toContain("run-nowhere");
    expect(await session.refused("babysitter:doctor")).not.toBe("");
  });
});
