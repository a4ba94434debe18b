import fs from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { CLI, execute } from "../fixtures/command-line.js";
import { Project } from "../fixtures/project.js";

const PROGRAMS = path.dirname(CLI);
/** Built apart, complete in themselves. */
const ALONE = ["host-hooks.cjs", "strip-types.cjs"];

it("every module is in one file of the command line", () => {
  const files = fs.readdirSync(PROGRAMS).filter((name) => name.endsWith(".cjs") && !ALONE.includes(name));
  const modules = files.flatMap((name) =>
    Array.from(fs.readFileSync(path.join(PROGRAMS, name), "utf8").matchAll(/^\/\/ (src\/.*)$/gmu), (found) => found[1]),
  );
  expect(modules).toContain("src/journal/files/file-event-store.ts");
  expect(modules.filter((module, at) => modules.indexOf(module) !== at)).toEqual([]);
});

it("the program starts once, also where links are kept and a hook calls a command", async () => {
  const project = new Project();
  const linked = path.join(project.root, "linked");
  fs.symlinkSync(PROGRAMS, linked);
  const args = ["hook:run", "--hook-type", "user-prompt-expansion", "--harness", "claude-code"];
  const done = await execute(process.execPath, [path.join(linked, "babysitter.cjs"), ...args], {
    cwd: project.dir,
    home: project.home,
    env: { NODE_OPTIONS: "--preserve-symlinks", NODE_DEBUG: "module" },
    stdin: JSON.stringify({
      session_id: "me",
      hook_event_name: "UserPromptExpansion",
      command_name: "babysitter:status",
      command_args: "",
      cwd: project.dir,
    }),
  });
  expect(done.stderr.match(/load ".*\/babysitter\.cjs"/gu)).toHaveLength(1);
  expect(done.json()).toMatchObject({ decision: "block" });
});
