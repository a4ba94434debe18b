/** A driven loop that has paused: every place where people look says why, and what helps before its agent is started again. */
import { expect, test } from "vitest";
import { drive } from "../fixtures/drive/driven-project.js";
import { PlayedProject } from "../fixtures/drive/played-host.js";

const AGAIN = "babysitter run night --agent claude-code";
const ACCEPT = "babysitter loop:amend night --accept-changes";
const WHY = "a protected file or script changed: package.json#scripts.test (changed).";
const PACKAGE = '{ "type": "commonjs", "scripts": { "test": "test -e swept.txt" } }\n';
const CHEATS = `sed -i 's/test -e swept.txt/true/' package.json`;

test("C27: a driven loop that has paused because its agent changed a script says everywhere what helps before it is resumed", async () => {
  const project = new PlayedProject([{ shell: CHEATS, says: "<promise>DONE</promise>" }], { "package.json": PACKAGE });
  const read = async (...args: string[]): Promise<string> => (await project.run(args)).stdout;
  const args = ["loop:start", "Sweep", "--run-id", "night", "--completion-promise", "DONE", "--shape", "tool"];
  await project.baseline(await project.doc([...args, "--criteria", "tests: npm test"]));
  const { doc } = await drive(project, ["night", "--agent", "claude-code"], project.env);
  expect([doc.state, doc.why]).toEqual(["paused", `It is paused: ${WHY}`]);
  expect(doc.next.slice(0, 2)).toEqual([
    { command: ACCEPT, about: "to accept the changes, once you have looked at them" },
    { command: AGAIN, about: "then, or after undoing the changes" },
  ]);

  const status = await read("run:status", "night");
  for (const text of [status, await read("run:show", "night"), await read("report")]) {
    expect(text.indexOf(ACCEPT)).toBeGreaterThan(-1);
    expect(text.indexOf(AGAIN)).toBeGreaterThan(text.indexOf(ACCEPT));
    expect(text).toContain("package.json#scripts.test (changed)");
    expect(text).not.toMatch(/🛑|contract_tampered|^(?:Status|Resume|Next):|accept the changes: /mu);
  }
  expect(status.split(WHY)).toHaveLength(2);
  expect(await read("run:list")).toContain("It is paused: a protected file or script changed: package.json");
  expect(await read("loop:report", "night")).toContain(`\`${ACCEPT}\``);

  const amended = await project.run(["loop:amend", "night", "--accept-changes"], { as: "person" });
  expect(amended.stdout).toBe(
    `Amended night: accepted: package.json#scripts.test.\nIt is still paused. To resume: ${AGAIN}    (starts its agent again)\n`,
  );
  expect(await read("run:status", "night")).toMatch(new RegExp(`^next: ${AGAIN} `, "mu"));
  expect(await read("report")).not.toContain("loop:amend");

  const { stdout } = await project.run(["loop:resume", "night"], { as: "person" });
  expect(stdout).toBe(`night is resumed. Nobody drives its agent. To start it again: ${AGAIN}\n`);
});
