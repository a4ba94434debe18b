/** Loops from their beginning to their end, as a person sees them in a terminal with the plugin that users get. */
import { randomUUID } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { VERSION } from "../../packages/sdk/src/model/version.js";
import { gitMarket } from "./rig/git-market.js";
import { claude } from "./rig/host-command.js";
import { HostProject } from "./rig/host-run.js";
import { openTerminal } from "./rig/host-terminal.js";
import { HOST_VERSIONS } from "./rig/install-hosts.js";
import { bash, held, inTurn, type ModelRequest, never, type Reply, type Scenario, says } from "./rig/scripted-model.js";

const PROCESS = `
export async function build(inputs, ctx) {
  const sum = await ctx.task({ kind: "node", title: "add", node: { entry: "./add.cjs" } });
  const text = await ctx.task({ kind: "agent", title: "describe", agent: { prompt: "Describe " + JSON.stringify(sum) } });
  return { sum, text };
}
`;
const FILES = { "p.mjs": PROCESS, "add.cjs": "module.exports = () => ({ sum: 5 });\n" };

const START = "/babysit Write x --completion-promise DONE";
const BEGUN = "🔄 Babysitter loop";
const DONE = says("All is done.\n\n<promise>DONE</promise>");
/** Runs until the file `go` is there. */
const WAITING = bash("while [ ! -f go ]; do sleep 0.1; done", { run_in_background: true });

/** What the agent was told at any time. */
const memory = ({ body }: ModelRequest): string => JSON.stringify(body.messages);
const runOf = (request: ModelRequest): string => /run:iterate ([\w.-]+) --json/u.exec(memory(request))?.[1] ?? "";

/** A field of the JSON document that the last command has printed. */
function printed({ news }: ModelRequest, field: string): string {
  return new RegExp(`"${field}": "([^"]+)"`, "u").exec(news)?.[1] ?? "";
}

const iterate = (request: ModelRequest): Reply => bash(`babysitter run:iterate ${runOf(request)} --json`);
const post = (request: ModelRequest): Reply =>
  bash(
    `babysitter task:post ${runOf(request)} ${printed(request, "effectId")} --status ok --value - <<'JSON'\n"five"\nJSON`,
  );
const prove = (request: ModelRequest): Reply =>
  says(`The run is complete.\n\n<promise>${printed(request, "completionProof")}</promise>`);

/** Claims that all is done before it is, and fixes what it is told of. */
const hasty: Scenario = (request) => {
  const { kind, number, news } = request;
  if (kind !== "main") return says("fine");
  if (number === 1) return bash("echo 1 > a");
  if (news.includes("Not met: tests")) return bash("touch done");
  if (news.includes("The engine is checking")) return bash("babysitter loop:verify --wait");
  const promise = /<promise>(DONE-\w+)<\/promise>/u.exec(memory(request))?.[1];
  return says(`All is done.\n\n<promise>${promise}</promise>`);
};

describe.each(HOST_VERSIONS)("a loop in a terminal of Claude Code %s", (version) => {
  test("P3: the whole story in the real host, in a terminal: `/babysit` → run created → iterate → effects executed → posted → Stop blocks → … → proof → exit", async () => {
    const project = new HostProject(version, FILES, { shipped: true });
    const sessionId = randomUUID();
    const terminal = await openTerminal(project, {
      sessionId,
      prompt: "",
      permissionMode: "default",
      scenario: inTurn([
        iterate,
        iterate,
        says("A text is wanted."),
        iterate,
        post,
        says("It is there."),
        iterate,
        prove,
      ]),
    });
    await terminal.enter("/babysit --process p.mjs#build", BEGUN);
    await terminal.shows("Report: /babysitter:report");
    const [run = "", ...others] = project.runs();
    expect(others).toEqual([]);
    expect(project.events(run).map(({ type }) => type)).toEqual([
      "RUN_CREATED",
      "LOOP_STARTED",
      "SESSION_BOUND",
      "PROMPT_SUBMITTED",
      "EFFECT_REQUESTED",
      "EFFECT_STARTED",
      "EFFECT_RESOLVED",
      "EFFECT_REQUESTED",
      "STOP_HOOK_INVOKED",
      "EFFECT_RESOLVED",
      "STOP_HOOK_INVOKED",
      "RUN_COMPLETED",
      "STOP_HOOK_INVOKED",
    ]);
    expect(project.codes()).toEqual(["continue_loop", "continue_loop", "completion_proof_matched"]);
    const { words } = terminal;
    expect(words).toContain(
      `${BEGUN} ${run} goal: the process p.mjs#build ends: the process has completed, and the agent has shown the run's completion proof limits: 256 iterations to stop: press Esc, then /babysitter:pause or /babysitter:cancel status: /babysitter:status`,
    );
    const lines = words.matchAll(/says: 🔄 (\d+\/256(?:, waiting for: \w+)?), \$[\d.]+/gu);
    expect([...new Set([...lines].map(([, shown]) => shown))]).toEqual(["2/256, waiting for: agent", "3/256"]);
    expect(words).toMatch(
      new RegExp(
        `✅ Babysitter run: completed, the completion proof matches\\. Iterations: 3 of 256, [\\d.]+ s, [\\d,]+ tokens, \\$[\\d.]+ at list prices\\. Report: /babysitter:report ${run} `,
        "u",
      ),
    );
    expect(fs.existsSync(project.sessionFile(sessionId))).toBe(false);
  });

  test("P4 L1: a criteria loop in a narrow terminal: awkward words arrive as typed, a false claim is answered, a true one is verified and reported", async () => {
    const project = new HostProject(version, {}, { shipped: true });
    const goal = `Fix the (auth) bug, don't break "it"`;
    const terminal = await openTerminal(project, {
      sessionId: randomUUID(),
      prompt: "",
      columns: 80,
      scenario: hasty,
    });
    await terminal.enter(`/babysit ${goal} --max-iterations 20 --criteria 'tests: test -f done'`, BEGUN);
    await terminal.shows("Report: /babysitter:report");
    expect(project.codes().filter((code) => code !== "verifying")).toEqual(["claim_rejected", "completed_verified"]);
    const [run = ""] = project.runs();
    expect((await project.status(run)).goal).toBe(goal);
    const { words } = terminal;
    expect(words).toContain(`${BEGUN} ${run} goal: ${goal} ends: the agent says <promise>DONE-`);
    expect(words).toContain("and the engine has verified: tests limits: 20 iterations to stop: press Esc");
    expect(words).toMatch(/says: 🔄 2\/20, not met: tests \(exit 1\), \$[\d.]+/u);
    expect(words).toContain(
      "Not met: tests (test -f done): exit code 1 Now: continue with the task, and check it with:",
    );
    expect(words).toContain("✅ Babysitter run: done and verified: tests. Iterations: 2 of 20, ");
  });

  test("P4: a background task in the terminal: the agent rests, the end of the task wakes it, and the promise in the first of two text blocks ends the loop", async () => {
    const project = new HostProject(version, {}, { shipped: true });
    const terminal = await openTerminal(project, {
      sessionId: randomUUID(),
      prompt: "",
      scenario: inTurn([
        WAITING,
        says("I wait for it."),
        bash("echo 1 > a"),
        says("Half."),
        says("All is done.\n\n<promise>DONE</promise>", "That was it."),
      ]),
    });
    await terminal.enter(START, BEGUN);
    await terminal.until(() => project.codes().length === 1, "the first end of a turn");
    fs.writeFileSync(project.path("go"), "");
    await terminal.shows("Report: /babysitter:report");
    expect(terminal.model.main[2]?.news).toContain("<task-notification>");
    expect(project.codes()).toEqual(["awaiting_background", "continue_loop", "promise_matched"]);
    expect(project.submitted().map(({ kind }) => kind)).toEqual(["turn", "notification"]);
    expect(terminal.words).toContain("✅ Babysitter run: Detected <promise>DONE</promise> Ended by the agent's claim;");
  });

  test("P2 P4: /compact in a loop: the session is told its task again, and the loop continues", async () => {
    const project = new HostProject(version, {}, { shipped: true });
    const script = inTurn([WAITING, says("I wait for it."), bash("echo 1 > a"), DONE]);
    const terminal = await openTerminal(project, {
      sessionId: randomUUID(),
      prompt: "",
      scenario: (request) => (request.kind === "compaction" ? says("<summary>We write x.</summary>") : script(request)),
    });
    await terminal.enter(START, BEGUN);
    await terminal.until(() => project.codes().length === 1, "the first end of a turn");
    await terminal.enter("/compact", "Compacted");
    await terminal.until(() => project.lastSession()["source"] === "compact", "a start of the session after it");
    fs.writeFileSync(project.path("go"), "");
    await terminal.shows("Report: /babysitter:report");
    expect(project.codes()).toEqual(["awaiting_background", "promise_matched"]);
    expect(terminal.model.main[2]?.news).toMatch(/\[LOOP RESUME\] Active loop detected[^]*Task:\nWrite x/u);
  });

  test("P1 P4: the plugin is updated while a loop runs in an open session: that goes on, and after `--resume` the new version has it", async () => {
    const project = new HostProject(version);
    const market = gitMarket(project);
    const manage = async (...args: string[]): Promise<void> =>
      expect([args, (await claude(project, ["plugin", ...args])).code]).toEqual([args, 0]);
    await manage("marketplace", "add", market.url);
    await manage("install", "babysitter@a5c");
    const sessionId = randomUUID();
    const half = held();
    const first = await openTerminal(project, {
      sessionId,
      prompt: "",
      installed: true,
      scenario: inTurn([bash("echo 1 > a"), half.reply, bash("echo 2 > b"), never]),
    });
    await first.enter(START, BEGUN);
    await first.until(() => first.model.main.length === 2, "work");
    const before = project.lastSession();
    market.publish("99.0.0");
    await manage("marketplace", "update", "a5c");
    await manage("update", "babysitter@a5c");
    half.release(says("Half."));
    await first.until(() => first.model.main.length === 4, "more work");
    expect(project.codes()).toEqual(["continue_loop"]);
    await first.close();

    const second = await openTerminal(project, {
      sessionId,
      resume: true,
      prompt: "Go on.",
      installed: true,
      scenario: inTurn([bash("echo 3 > c"), DONE]),
    });
    await second.shows("Report: /babysitter:report");
    expect(second.model.main[0]?.news).toContain("[LOOP RESUME] Active loop detected");
    expect(project.codes()).toEqual(["continue_loop", "promise_matched"]);
    const cache = path.join(project.home, ".claude/plugins/cache/a5c/babysitter");
    expect([before, project.lastSession()].map(({ pluginRoot }) => pluginRoot)).toEqual([
      path.join(cache, VERSION),
      path.join(cache, "99.0.0"),
    ]);
  }, 60_000);
});
