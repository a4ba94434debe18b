/** Stop hooks that take too long, in the middle of a loop: whoever ends them, the loop is not lost. */
import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { isRunning } from "../fixtures/processes.js";

import { answers, type HostProject } from "./rig/host-run.js";
import { HOST_VERSIONS } from "./rig/install-hosts.js";
import { bash, inTurn, says } from "./rig/scripted-model.js";
import { changePlugin, changeStopHook, newShippedProject, pathWith } from "./rig/shipped-plugin.js";

const DONE = says("All is done.\n\n<promise>DONE</promise>");

/** Our own calls of git name this; the host's do not. */
const OURS = "protocol.allow=never";

/** A git that does not come back, the first time that we ask it; after that, and for others, it is the real one. */
const HANGS_ONCE = `case "$*" in *${OURS}*) if mkdir "$0.hung" 2>/dev/null; then echo $$ > "$0.pid"; exec sleep 600; fi ;; esac
PATH=\${PATH#*:} exec git "$@"`;

/** True while the git that hangs is there; throws when there was none. */
const hangs = ({ root }: HostProject): boolean =>
  isRunning(Number(fs.readFileSync(path.join(root, "first-on-path/git.pid"), "utf8")));

/** In the middle of a loop: one turn was judged, the stop of the next one hangs. */
async function inTheMiddle(project: HostProject): Promise<{ sessionId: string; runId: string }> {
  const sessionId = await project.startLoop();
  await project.host({
    sessionId,
    scenario: inTurn([bash("echo 1 > a"), says("Half."), bash("echo 2 > b")]),
    args: ["--max-turns", "2"],
  });
  expect(project.codes()).toEqual(["continue_loop"]);
  const [runId = ""] = project.runs();
  return { sessionId, runId };
}

describe.each(HOST_VERSIONS)("a Stop hook that hangs in Claude Code %s", (version) => {
  test("P4: timeouts survived: the host kills the Stop hook, nothing is lost, and --resume tells where it stands and continues", async () => {
    const project = newShippedProject(version);
    changeStopHook(project, () => ({ timeout: 1 }));
    const { sessionId, runId } = await inTheMiddle(project);
    const before = project.journal(runId);
    const cut = await project.host({
      sessionId,
      resume: true,
      env: { PATH: pathWith(project, { git: HANGS_ONCE }) },
      scenario: inTurn([bash("echo 3 > c"), says("Nearly.")]),
    });
    expect([cut.code, cut.timedOut, cut.result["result"]]).toEqual([0, false, "Nearly."]);
    expect(hangs(project)).toBe(false);
    // What was there is still there, and of the stop that was cut there is nothing.
    expect(project.journal(runId)).toMatchObject(before);
    expect(project.codes()).toEqual(["continue_loop"]);
    expect((await project.status(runId)).paused).toBeNull();

    changeStopHook(project, () => ({ timeout: 120 }));
    const again = await project.host({
      sessionId,
      resume: true,
      prompt: "Go on.",
      scenario: inTurn([bash("echo 4 > d"), says("Still not."), bash("echo 5 > e"), DONE]),
    });
    expect(answers(again, "SessionStart").join("")).toContain("[LOOP RESUME] Active loop detected");
    expect(project.codes()).toEqual(["continue_loop", "continue_loop", "promise_matched"]);
    expect(project.submitted().map(({ kind }) => kind)).not.toContain("interruption");
  });

  test("P4: timeouts survived: our own deadline answers before the host's, says what happened, and the loop continues", async () => {
    const project = newShippedProject(version);
    changePlugin(project, "hooks/guard.sh", (text) => text.replace("deadline=60000", "deadline=1000"));
    const { sessionId, runId } = await inTheMiddle(project);
    const cut = await project.host({
      sessionId,
      resume: true,
      env: { PATH: pathWith(project, { git: HANGS_ONCE }) },
      scenario: inTurn([bash("echo 3 > c"), says("Nearly.")]),
    });
    // The host would have waited for two minutes.
    expect([cut.code, cut.timedOut, cut.result["result"]]).toEqual([0, false, "Nearly."]);
    expect(hangs(project)).toBe(false);
    expect(answers(cut, "Stop").join("")).toContain("(engine_error)");
    expect(answers(cut, "Stop").join("")).toContain("The agent may stop; the loop is unchanged.");
    expect(project.events(runId, "ENGINE_ERROR").map(({ payload }) => payload)).toMatchObject([
      { where: "stop", message: "The hook did not answer within 1000 ms." },
    ]);
    const { paused, iteration } = await project.status(runId);
    expect([paused, iteration]).toEqual([null, 2]);

    const again = await project.host({
      sessionId,
      resume: true,
      scenario: inTurn([bash("echo 4 > d"), DONE]),
    });
    expect(again.model.main[0]?.news).toContain("[LOOP RESUME] Active loop detected");
    expect(again.model.main[0]?.news).toContain("The hook did not answer within 1000 ms.");
    expect(project.codes()).toEqual(["continue_loop", "promise_matched"]);
  });

  test.each([
    ["/babysitter:resume r", "The user has resumed this Babysitter loop in this session"],
    ["Go on.", "Go on."],
  ])(
    "P4: timeouts survived: a loop whose Stop hook the host has killed goes on in the same process by %j",
    async (text, heard) => {
      const project = newShippedProject(version);
      changeStopHook(project, () => ({ timeout: 1 }));
      const sessionId = await project.startLoop(["--run-id", "r"]);
      const run = await project.host({
        sessionId,
        env: { PATH: pathWith(project, { git: HANGS_ONCE }) },
        typed: [{ during: 2, text }],
        scenario: inTurn([
          bash("echo 1 > a"),
          // Typed before there is an answer, it is read when the turn is over.
          { ...says("Nearly."), delayMs: 300 },
          bash("echo 2 > b"),
          DONE,
        ]),
      });
      expect([answers(run, "Stop")[0], hangs(project)]).toEqual(["", false]);
      expect(run.model.main[2]?.news).toContain(heard);
      expect(project.codes()).toEqual(["promise_matched"]);
      expect(project.submitted().map(({ kind }) => kind)).not.toContain("interruption");
    },
  );
});
