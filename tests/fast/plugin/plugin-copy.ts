/** The plugin as a user has it: in a folder of its own, with nothing of this repository around it. */
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import { type CallOptions, execute, type Finished, Project } from "../cli/command-line.js";

export const PLUGIN = fileURLToPath(new URL("../../../plugins/babysitter", import.meta.url));
export const REPOSITORY = fileURLToPath(new URL("../../..", import.meta.url));

const POSIX = ["sh", "cat", "date", "dirname", "mkdir", "mv", "readlink", "rm"];

export class PluginProject extends Project {
  readonly plugin: string;

  constructor(files: Record<string, string> = {}) {
    super({ "package.json": '{ "type": "module" }\n', ...files });
    // A name that a shell would take apart.
    this.plugin = path.join(this.root, "it's a (plugin)");
    fs.cpSync(PLUGIN, this.plugin, { recursive: true });
  }

  /** A hook as the host calls it: its command through a shell, JSON on stdin, the host's variables. */
  async hook(command: string, input: object, options: CallOptions = {}): Promise<Finished> {
    const sessionId = "session_id" in input ? { CLAUDE_CODE_SESSION_ID: String(input.session_id) } : {};
    return execute("/bin/sh", ["-c", command.replaceAll("${CLAUDE_PLUGIN_ROOT}", this.plugin)], {
      cwd: this.dir,
      home: this.home,
      stdin: `${JSON.stringify(input)}\n`,
      ...options,
      env: {
        CLAUDE_PLUGIN_ROOT: this.plugin,
        CLAUDE_PROJECT_DIR: this.dir,
        CLAUDECODE: "1",
        ...sessionId,
        ...options.env,
      },
    });
  }

  async guard(event: string, input: object = {}, options: CallOptions = {}): Promise<Finished> {
    return this.hook(guardCommand(event), input, options);
  }

  /** The bundled command line, as an agent calls it. */
  async bundled(args: string[], options: CallOptions = {}): Promise<Finished> {
    return execute(path.join(this.plugin, "bin/babysitter"), args, { cwd: this.dir, home: this.home, ...options });
  }

  /** A session file, as far as the guard looks at it. */
  sessionFile(sessionId: string, folder = path.join(this.home, ".a5c/state")): string {
    const file = path.join(folder, `${sessionId}.md`);
    fs.mkdirSync(folder, { recursive: true });
    fs.writeFileSync(file, "---\nactive: true\n---\n");
    return file;
  }

  /** A folder with the programs that a POSIX system has, and what a test puts in their place. */
  pathWith(programs: Record<string, string>): string {
    const folder = path.join(this.root, `bin-${Object.keys(programs).join("-") || "none"}`);
    fs.mkdirSync(folder);
    for (const name of POSIX.filter((candidate) => programs[candidate] === undefined)) {
      const { stdout } = spawnSync("/bin/sh", ["-c", `command -v ${name}`], { encoding: "utf8" });
      fs.symlinkSync(stdout.trim(), path.join(folder, name));
    }
    // Never through a link: it leads to a program of this machine.
    for (const [name, script] of Object.entries(programs))
      fs.writeFileSync(path.join(folder, name), `#!/bin/sh\n${script}\n`, { mode: 0o755, flag: "wx" });
    return folder;
  }
}

/** How hooks call the guard. */
export function guardCommand(event: string): string {
  const file = '"${CLAUDE_PLUGIN_ROOT}/hooks/guard.sh"';
  return `set -- ${event}; [ ! -r ${file} ] || . ${file}`;
}

/** Goes away with the test that made it. */
export function newPluginProject(files: Record<string, string> = {}): PluginProject {
  const project = new PluginProject(files);
  onTestFinished(() => project.remove());
  return project;
}
