/** Ends of turns that are hard to read, in sessions without a terminal, with the plugin that users get. */
import path from "node:path";
import { describe, expect, test } from "vitest";
import { type HostProject } from "./rig/host-run.js";
import { HOST_VERSIONS } from "./rig/install-hosts.js";
import { bash, inTurn, type Reply, says } from "./rig/scripted-model.js";
import { changeStopHook, newShippedProject } from "./rig/shipped-plugin.js";

const DONE = says("All is done.\n\n<promise>DONE</promise>");
const THINKS: Reply = { blocks: [{ type: "thinking", thinking: "It may be done: <promise>DONE</promise>" }] };

/**
 * Hands the hook a transcript in which the last words are missing, however long it waits for them. They are waited for
 * here: what stands before them has to be there.
 */
const BEHIND = `
const fs = require("node:fs");
const input = JSON.parse(fs.readFileSync(0, "utf8"));
const said = '"type":"text","text":' + JSON.stringify(input.last_assistant_message);
const read = () => {
  const rows = fs.readFileSync(input.transcript_path, "utf8").split("\\n");
  const last = rows.findLastIndex((row) => row.includes(said));
  if (last === -1) return setTimeout(read, 10);
  fs.writeFileSync(process.argv[2], rows.slice(0, last).join("\\n") + "\\n");
  process.stdout.write(JSON.stringify({ ...input, transcript_path: process.argv[2] }) + "\\n");
};
read();
`;

function keepTranscriptBehind(project: HostProject): void {
  const file = path.join(project.root, "behind.jsonl");
  const behind = `'${process.execPath}' '${project.path("behind.cjs")}' '${file}'`;
  changeStopHook(project, ({ command }) => ({ command: `${behind} | { ${command}; }` }));
}

describe.each(HOST_VERSIONS)("the end of a turn in Claude Code %s", (version) => {
  test("P4: a promise in the first of two text blocks counts, and one in a thought does not", async () => {
    const project = newShippedProject(version);
    const sessionId = await project.startLoop();
    const { blocks: thought = [] } = THINKS;
    const { blocks: words = [] } = says("Half of it.");
    await project.host({
      sessionId,
      scenario: inTurn([
        bash("echo 1 > a"),
        { blocks: [...thought, ...words] },
        says("All is done.\n<promise>DONE</promise>", "That was it."),
      ]),
    });
    expect(project.codes()).toEqual(["continue_loop", "promise_matched"]);
  });

  test("P4: transcript race survived: a last message that is not in the transcript yet is judged, and only that", async () => {
    const project = newShippedProject(version, { "behind.cjs": BEHIND });
    keepTranscriptBehind(project);
    const first = await project.startLoop();
    await project.host({ sessionId: first, scenario: inTurn([bash("echo 1 > a"), says("Half."), DONE]) });
    expect(project.codes()).toEqual(["continue_loop", "promise_matched"]);
    const second = await project.startLoop();
    await project.host({
      sessionId: second,
      scenario: inTurn([bash("echo 1 > b"), says("<promise>DONE</promise>", "That was it."), DONE]),
    });
    expect(project.codes().slice(2)).toEqual(["continue_loop", "promise_matched"]);
  });

  test("L4: a claim that a tool call follows is taken back by what is said after it, or by silence, and gets a hint", async () => {
    const project = newShippedProject(version);
    const sessionId = await project.startLoop();
    const early = (file: string): Reply => ({
      blocks: [DONE, bash(`echo red > ${file}`)].flatMap(({ blocks = [] }) => blocks),
    });
    const nothing: Reply = { blocks: [] };
    const run = await project.host({
      sessionId,
      // The host asks once for words by itself.
      scenario: inTurn([
        early("a"),
        says("It is red."),
        early("b"),
        nothing,
        nothing,
        says("<promise>done</promise>"),
        DONE,
      ]),
    });
    expect(project.codes()).toEqual(["continue_loop", "continue_loop", "continue_loop", "promise_matched"]);
    const told = run.model.main.map(({ news }) => news);
    for (const at of [2, 5]) expect(told[at]).toContain("not in the last words of your turn");
    expect(told[6]).toContain("almost the promise, but not exactly");
  });

  test("P4: a turn whose last message has no words, only a tool call or a thought, continues", async () => {
    const project = newShippedProject(version);
    const sessionId = await project.startLoop();
    const run = await project.host({
      sessionId,
      scenario: (request) => {
        if (request.kind !== "main") return says("fine");
        if (request.number === 1) return bash("echo 1 > a");
        // The host asks once for words by itself.
        return request.news.includes("Babysitter iteration 2") ? DONE : THINKS;
      },
    });
    expect(run.model.main.length).toBeLessThan(6);
    expect(project.codes()).toEqual(["continue_loop", "promise_matched"]);
  });

  test("P4: a turn that ends with nothing after its tool call continues", async () => {
    const project = newShippedProject(version);
    const sessionId = await project.startLoop();
    const run = await project.host({
      sessionId,
      scenario: (request) => {
        if (request.kind !== "main") return says("fine");
        if (request.number === 1) return bash("echo 1 > a");
        return request.news.includes("Babysitter iteration 2") ? DONE : { blocks: [] };
      },
    });
    expect(run.model.main.length).toBeLessThan(6);
    expect(project.codes()).toEqual(["continue_loop", "promise_matched"]);
  });
});
