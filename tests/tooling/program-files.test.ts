import fs from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { CLI, execute } from "../fixtures/command-line.js";
import { Project } from "../fixtures/project.js";

const PROGRAMS = path.dirname(CLI);

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
