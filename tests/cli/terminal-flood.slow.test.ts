/** However much a run says, a terminal gets what a person can read. */
import { expect, it } from "vitest";
import { TerminalScreen } from "../fixtures/cli/progress/terminal-screen.js";
import { CLI } from "../fixtures/command-line.js";
import { drive, drivenProject } from "../fixtures/drive/driven-project.js";

it("C27: nothing floods a terminal, and pipes and --json get everything", async () => {
  const long = "x".repeat(3_000);
  const project = drivenProject(
    `const results = await ctx.task({ kind: "shell", title: ${JSON.stringify(long)}, shell: { command: "seq 1 5000" } });
     return Array.from({ length: 5000 }, (_, index) => results.stdout.length + index + ${JSON.stringify(long)});`,
  );
  await drive(project, ["p.mjs", "--run-id", "r"]);
  const effectId = (project.events("r", "EFFECT_STARTED")[0] as unknown as { effectId: string }).effectId;
  const commands = [
    ["run:events", "r"],
    ["task:list", "r"],
    ["task:show", "r", effectId],
    ["task:logs", "r", effectId],
    ["run:status", "r"],
    ["run:show", "r"],
    ["run:output", "r"],
    ["run:watch", "r"],
    ["task:show", "r", long.slice(0, 100)],
  ];
  const screenOf = (args: string[]): TerminalScreen =>
    new TerminalScreen(
      CLI,
      [...args, "--runs-dir", project.runsDir],
      { cols: args[0] === "run:show" ? 120 : 80, rows: 24 },
      { HOME: project.home },
    );
  const screens = commands.map(screenOf);
  await Promise.all(screens.map(({ exit }) => exit));
  const floods = screens
    .map(({ raw, history }, index) => ({ what: commands[index]?.[0], bytes: raw.length, lines: history.length }))
    .filter(({ bytes, lines }) => bytes > 64 * 1024 || lines > 1_050);
  expect(floods).toEqual([]);
  const [events, list] = screens as [TerminalScreen, TerminalScreen];
  expect(events.history).toHaveLength(project.events("r").length);
  expect(list.history).toHaveLength(2);
  expect(screens[6]?.history.join("\n")).toContain("babysitter run:output");
  const piped = await Promise.all([
    project.run(["run:events", "r"]),
    project.run(["run:output", "r"]),
    project.run(["task:logs", "r", effectId]),
  ]);
  expect(piped[0].stdout).toContain(long);
  expect(piped[1].json()).toHaveLength(5_000);
  expect(piped[2].stdout.split("\n")).toHaveLength(5_001);
});
