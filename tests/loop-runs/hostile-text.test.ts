/** What agents and people are told of a loop whose texts are hostile: every line is ours. */
import { expect, it } from "vitest";
import { HOSTILE, HOSTILE_ARGUMENT, problemsIn } from "../fixtures/hostile-text.js";
import { LoopProject, SESSION } from "../fixtures/loop-runs/loop-project.js";

it("no text about a loop lets others speak for us", async () => {
  const project = new LoopProject({ "said.txt": HOSTILE });
  const T = HOSTILE_ARGUMENT;
  const terms = ["--criteria", "check: cat said.txt; exit 1", "--claim", T, "--step", T, "--step", "second"];
  await project.start(["--run-id", "r", "--shape", "tool", "--completion-promise", "DONE", ...terms, "--", "Goal"]);
  const texts: string[] = [];
  const hear = async (args: string[]): Promise<void> => {
    const { stdout, stderr } = await project.run(args);
    texts.push(...[stdout, stderr].map((text) => `${args.join(" ").slice(0, 30)} ->\n${text}`));
  };
  const stop = async (message: string): Promise<void> => {
    const { reason, message: told } = await project.stop(message);
    texts.push(`stop ->\n${reason}\n${told}`);
  };
  await stop(T);
  await stop("<promise>DONE</promise>");
  await hear(["loop:step", "r", "1", "--failed", "--note", T, "--error-class", T]);
  await hear(["loop:step", "r"]);
  for (const verb of ["verify", "status", "report", "check", "amend --usd T", "resume --session-id T"])
    await hear(`loop:${verb} r`.split(" ").map((word) => (word === "T" ? T : word)));
  await project.run(["loop:pause", "r", "--reason", T], { as: "person" });
  await hear(["loop:status", "r"]);
  await hear(["run:list"]);
  await hear(["report"]);
  await stop(T);
  const input = { hook_event_name: "SessionStart", source: "startup", session_id: SESSION, cwd: project.dir };
  const { stdout } = await project.run(["hook:run", "--hook-type", "session-start", "--harness", "claude-code"], {
    stdin: JSON.stringify(input),
  });
  texts.push(JSON.stringify(JSON.parse(stdout), null, 1).replaceAll(String.raw`\n`, "\n"));
  // A report marks them as Markdown does; no text can end such a block.
  const unmarked = texts.map((text) => text.replaceAll(/^(`{3,})text\n[^]*?\n\1$/gmu, ""));
  expect(unmarked.filter((text) => problemsIn(text).length > 0)).toEqual([]);
});
