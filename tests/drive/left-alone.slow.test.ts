/** A loop whose driver is gone: every place where people look says so, with the command that starts its agent again. */
import { expect, test } from "vitest";
import { drive, RunningDriver } from "../fixtures/drive/driven-project.js";
import { PlayedProject } from "../fixtures/drive/played-host.js";
import { isRunning, until } from "../fixtures/processes.js";

const DRIVEN = ["r", "--agent", "claude-code", "--permission-mode", "acceptEdits"];
const AGAIN = `babysitter run ${DRIVEN.join(" ")}`;
const LOOP = ["loop:start", "Write x", "--run-id", "r", "--completion-promise", "DONE", "--shape", "tool"];

/** What people read about it. */
async function words(project: PlayedProject): Promise<Record<string, string>> {
  const read = async (...args: string[]): Promise<string> => {
    const { stdout, stderr } = await project.run(args);
    return stdout + stderr;
  };
  return {
    status: await read("run:status", "r"),
    loopStatus: await read("loop:status", "r"),
    show: await read("run:show", "r"),
    report: await read("report"),
    run: await read("run"),
  };
}

test("B9: a loop whose driver was killed in a turn is nobody's, and each place names the command that continues it", async () => {
  const project = new PlayedProject([{ hangs: true }, { says: "All is done.\n\n<promise>DONE</promise>" }]);
  await project.baseline(await project.doc(LOOP));
  const driver = new RunningDriver(project, DRIVEN, project.env);
  await until(() => project.calls().length === 1);

  const driven = await words(project);
  expect(driven["status"]).toContain("An agent is working on it, iteration 1.");
  expect(driven["report"]).not.toContain(AGAIN);

  driver.child.kill("SIGKILL");
  await until(() => !isRunning(driver.pid));
  const left = await words(project);
  expect(left["status"]).toContain("Nobody drives its agent any more, at iteration 1.");
  expect(Object.entries(left).filter(([, text]) => !text.includes(AGAIN))).toEqual([]);

  const { code, doc } = await drive(project, DRIVEN, project.env);
  expect([code, doc.state]).toEqual([6, "completed"]);
  expect((await words(project))["status"]).not.toContain(AGAIN);
});
