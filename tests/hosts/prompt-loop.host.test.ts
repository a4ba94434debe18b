import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { answers, HostProject } from "./rig/host-run.js";
import { HOST_VERSIONS } from "./rig/install-hosts.js";
import { bash, inTurn, says } from "./rig/scripted-model.js";

const START = "babysitter loop:start 'Write x' --completion-promise DONE";
const DONE = says("All is done.\n\n<promise>DONE</promise>");

describe.each(HOST_VERSIONS)("a prompt loop in Claude Code %s", (version) => {
  test("P4: prompt loop in the real host: started by the agent's shell, to a promise in the first of two text blocks", async () => {
    const project = new HostProject(version);
    const run = await project.host({
      scenario: inTurn([bash(START), says("I begin."), says("All is done.\n<promise>DONE</promise>", "That was it.")]),
    });
    expect([run.code, run.result["subtype"], run.model.strays]).toEqual([0, "success", []]);
    expect(project.codes()).toEqual(["continue_loop", "promise_matched"]);
    // Told once, as context, not as an error.
    const told = run.model.main[2]?.news ?? "";
    expect(told.match(/Babysitter iteration 2\/50 \| goal: Write x/gu)).toHaveLength(1);
    expect(told).not.toContain("error");
    expect(answers(run, "Stop").at(-1)).toContain("✅ Babysitter run: Detected <promise>DONE</promise>");
    // A continuation belongs to the prompt that began it.
    const turns = project.stops().map(({ payload }) => payload["turn"] as { promptId: string; key: string });
    const [prompt] = project.payloads("UserPromptSubmit");
    expect(turns.map(({ promptId }) => promptId)).toEqual([prompt?.["prompt_id"], prompt?.["prompt_id"]]);
  });

  test("P4: transcript race survived, max iterations: every turn is read whole, and the last allowed one ends it", async () => {
    const project = new HostProject(version);
    const sessionId = await project.startLoop(["--max-iterations", "6"]);
    const turn = (n: number) => [bash(`echo ${n} > a${n}`), bash(`echo ${n} > b${n}`), says(`Part ${n}`, `of ${n}.`)];
    const run = await project.host({ sessionId, scenario: inTurn([1, 2, 3, 4, 5, 6].flatMap(turn)) });
    expect(project.codes()).toEqual([...Array<string>(5).fill("continue_loop"), "max_iterations_reached"]);
    const stops = project.stops().map(({ payload }) => payload);
    expect(stops.map(({ sample }) => (sample as { tools: number }).tools)).toEqual([2, 2, 2, 2, 2, 2]);
    expect(new Set(stops.map(({ turn: of }) => (of as { key: string }).key)).size).toBe(6);
    expect([run.code, run.result["result"]]).toEqual([0, "of 6."]);
  });

  test("P4: host limits (block cap): many text-only turns are paused by us, visibly, before the host cuts them", async () => {
    const project = new HostProject(version);
    const sessionId = await project.startLoop();
    const words = Array.from({ length: 8 }, (_, n) => says(`I think about it, ${n}.`));
    const run = await project.host({ sessionId, scenario: inTurn(words) });
    const { paused } = await project.status();
    expect(paused?.code).toMatch(/^stuck_/u);
    expect(run.model.main.length).toBeLessThan(8);
    expect(answers(run, "Stop").at(-1)).toContain("To resume: /babysitter:resume");
  });

  test("P4: resume in the real host: after an API error a new process is told where the loop stands; nothing is lost", async () => {
    const project = new HostProject(version);
    const sessionId = await project.startLoop();
    const error = { error: { status: 400, type: "invalid_request_error", message: "no" } };
    const cut = await project.host({
      sessionId,
      scenario: ({ kind, number }) => (kind === "main" && number === 1 ? bash("echo 1 > a") : error),
    });
    expect([cut.code, project.codes()]).toEqual([1, []]);
    const run = await project.host({
      sessionId,
      resume: true,
      prompt: "Go on.",
      scenario: inTurn([bash("echo 2 > b"), says("Nearly."), DONE]),
    });
    expect(run.model.main[0]?.news).toContain("[LOOP RESUME] Active loop detected");
    expect(project.payloads("SessionStart").map(({ source }) => source)).toEqual(["startup", "resume"]);
    // Nobody who typed has cut the last turn, so that the loop continues.
    expect(project.codes()).toEqual(["continue_loop", "promise_matched"]);
    expect((await project.status()).paused).toBeNull();
  });

  test("L2: per-session isolation: of two sessions in one directory at the same time only one is looped", async () => {
    const project = new HostProject(version);
    const sessionId = await project.startLoop();
    const other = randomUUID();
    const [looped, free] = await Promise.all([
      project.host({ sessionId, scenario: inTurn([bash("echo 1 > a"), says("One."), DONE]) }),
      project.host({ sessionId: other, scenario: inTurn([bash("echo 2 > b"), says("Two.")]) }),
    ]);
    expect([looped.result["result"], free.result["result"]]).toEqual([expect.stringContaining("DONE"), "Two."]);
    expect(project.stops().map(({ payload }) => payload["sessionId"])).toEqual([sessionId, sessionId]);
    expect(answers(free, "SessionStart").join("\n")).toContain("This loop does not belong to this session.");
  });
});
