/** Prose at a narrow terminal is broken at spaces, and what people copy is not; pipes get lines as they are. */
import fs from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { atTerminal, PersonAtTerminal } from "../fixtures/at-terminal.js";
import { UsedMachine } from "../fixtures/cli/used-machine.js";
import { CLI, cleanEnvironment } from "../fixtures/command-line.js";

const COLUMNS = 60;

it.each([
  ["doctor", []],
  ["uninstall", []],
  ["loop:start", ["Write a greeting", "--criteria", "x: true", "--run-id", "greeting", "--completion-promise", "OK"]],
])("D3: %s breaks no word at a narrow terminal, and leaves commands whole", async (command, more) => {
  const [here, piped] = [await UsedMachine.withRun(), await UsedMachine.withRun()];
  const { stdout } = await piped.run([command, ...more]);
  const person = new PersonAtTerminal([process.execPath, CLI, command, ...more], {
    cwd: here.dir,
    home: here.home,
    cols: COLUMNS,
  });
  await person.exit;
  const shown = person.shown.replaceAll("\r", "").replaceAll(here.root, piped.root);
  expect(wordsOf(shown)).toEqual(wordsOf(stdout));
  expect(stdout.split("\n").length).toBeLessThan(shown.split("\n").length);
  // What is too wide is a command or a path, alone in its line or behind the word that names it.
  const wide = shown.split("\n").filter((line) => line.length > COLUMNS);
  expect(wide.filter((line) => !/babysitter |\/\S{20}/u.test(line))).toEqual([]);
  for (const [whole] of stdout.matchAll(/babysitter (?:ui|uninstall|loop|run)[^.;,)\n]*/gu))
    expect(shown).toContain(whole);
});

function wordsOf(text: string): string[] {
  return text.replaceAll(/\d{2}:\d{2}:\d{2}/gu, "").split(/\s+/u);
}

it("D3: a fix that is a command of another program stays in one line", async () => {
  const machine = new UsedMachine();
  const bin = path.join(machine.root, "bin");
  fs.mkdirSync(bin);
  fs.writeFileSync(path.join(bin, "claude"), "#!/bin/sh\necho '9.9.9 (Claude Code)'\n", { mode: 0o755 });
  const env = { PATH: `${bin}:${cleanEnvironment("")["PATH"] ?? ""}` };
  const where = { cwd: machine.dir, home: machine.home, env, cols: COLUMNS };
  const { shown } = await atTerminal([process.execPath, CLI, "doctor"], where);
  expect(shown).toMatch(/claude plugin marketplace add \S+ && claude plugin install babysitter@a5c/u);
});
