import { describe, expect, test } from "vitest";
import { HostProject } from "./rig/host-run.js";
import { NEWEST_HOST } from "./rig/install-hosts.js";
import { bash, inTurn, type ModelRequest, type Reply, says } from "./rig/scripted-model.js";

const DONE = says("All is done.\n\n<promise>DONE</promise>");

const PROCESS = `
export async function build(inputs, ctx) {
  const sum = await ctx.task({ kind: "node", title: "add", node: { entry: "./add.cjs" } });
  const text = await ctx.task({ kind: "agent", title: "describe", agent: { prompt: "Describe " + JSON.stringify(sum) } });
  return { sum, text };
}
`;

/** A field of the JSON document that the last command has printed. */
function printed({ news }: ModelRequest, field: string): string {
  return new RegExp(`"${field}": "([^"]+)"`, "u").exec(news)?.[1] ?? "";
}

const post = (request: ModelRequest): Reply =>
  bash(`echo '"five"' | babysitter task:post r ${printed(request, "effectId")} --status ok --value - --json`);
const prove = (request: ModelRequest): Reply =>
  says(`The run is complete.\n\n<promise>${printed(request, "completionProof")}</promise>`);

describe.each(NEWEST_HOST)("loops that the engine verifies in Claude Code %s", (version) => {
  test("P4 L10: criteria loop in the real host: two false claims are rejected, the agent waits for a slow check, the true claim ends it", async () => {
    const project = new HostProject(version);
    // What it prints differs from check to check, as the output of real failures does.
    const command = "cat log* ; test ! -f slow || sleep 4; test -f done";
    const sessionId = await project.startLoop(["--criteria", `there: ${command}`]);
    const verify = bash("babysitter loop:verify --wait");
    const run = await project.host({
      sessionId,
      scenario: inTurn([
        bash("echo apples > log"),
        DONE,
        bash("echo pears > log"),
        DONE,
        bash("touch slow done"),
        DONE,
        verify,
        DONE,
      ]),
    });
    expect(project.codes()).toEqual(["claim_rejected", "claim_rejected", "verifying", "completed_verified"]);
    const told = run.model.main.map(({ news }) => news);
    expect(told[2]).toContain("Not met: there");
    expect(told[2]).toContain("apples");
    expect(told[6]).toContain("The engine is checking the criteria.");
    expect((await project.status(project.runs()[0])).ended).toMatchObject({ attestation: "verified" });
  });

  test("P3 L6: the whole story in the real host: run created, iterate, effects executed, posted, Stop blocks, proof, exit", async () => {
    const project = new HostProject(version, {
      "p.mjs": PROCESS,
      "add.cjs": "module.exports = () => ({ sum: 5 });\n",
    });
    const create =
      "babysitter run:create --process-id test/p --entry p.mjs#build --run-id r --prompt 'Build it.' --harness claude-code --json";
    const iterate = bash("babysitter run:iterate r --json");
    const run = await project.host({
      scenario: inTurn([bash(create), says("I have a run."), iterate, iterate, post, DONE, iterate, prove]),
    });
    expect([run.code, project.codes()]).toEqual([0, ["continue_loop", "run_incomplete", "completion_proof_matched"]]);
    expect(project.events("r").map(({ type }) => type)).toEqual([
      "RUN_CREATED",
      "LOOP_STARTED",
      "SESSION_BOUND",
      "STOP_HOOK_INVOKED",
      "EFFECT_REQUESTED",
      "EFFECT_STARTED",
      "EFFECT_RESOLVED",
      "EFFECT_REQUESTED",
      "EFFECT_RESOLVED",
      "STOP_HOOK_INVOKED",
      "RUN_COMPLETED",
      "STOP_HOOK_INVOKED",
    ]);
    expect((await project.ask(["run:status", "r"])).state).toBe("completed");
  });
});
