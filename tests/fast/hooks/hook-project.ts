/** Projects with hook scripts in them, called through the layer's own door. */
import fs from "node:fs";
import path from "node:path";
import { onTestFinished } from "vitest";
import {
  type DispatchContext,
  dispatchHooks,
  type HookProgress,
} from "../../../packages/sdk/src/hooks/dispatch-hooks.js";
import type { HookDispatch, HookOutcome } from "../../../packages/sdk/src/model/hook-types.js";
import type { Json } from "../../../packages/sdk/src/model/json.js";
import { CLI, newProject, type Project } from "../cli/command-line.js";

type Tier = "project" | "user" | "plugin";

/** Runs whatever is in `.a5c/hooks` and the other folders of a project of its own. */
export class HookProject {
  readonly project: Project = newProject();
  readonly progress: HookProgress[] = [];

  get dir(): string {
    return this.project.dir;
  }

  folder(tier: Tier = "project"): string {
    const folders = {
      project: this.project.path(".a5c", "hooks"),
      user: path.join(this.project.home, ".config", "babysitter", "hooks"),
      plugin: this.project.path("plugins", "babysitter", "hooks"),
    };
    return folders[tier];
  }

  /** Writes a script for bash, or any bytes, and makes it executable. */
  hook(
    place: string,
    script: string | Uint8Array,
    { tier, mode = 0o755 }: { tier?: Tier; mode?: number } = {},
  ): string {
    const file = path.join(this.folder(tier), place);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, typeof script === "string" ? `#!/bin/bash\n${script}\n` : script, { mode });
    fs.chmodSync(file, mode);
    return file;
  }

  context(more: Partial<DispatchContext> = {}): DispatchContext {
    return {
      projectRoot: this.dir,
      runsDir: this.project.runsDir,
      home: this.project.home,
      env: { PATH: process.env["PATH"], HOME: this.project.home },
      cli: CLI,
      graceMs: 200,
      onProgress: (event) => this.progress.push(event),
      ...more,
    };
  }

  /** A directory that serves as the one of a run. */
  runDir(runId = "run-1"): string {
    const dir = path.join(this.project.runsDir, runId);
    fs.mkdirSync(dir, { recursive: true });
    return dir;
  }

  /** Calls a hook type as part of a run. */
  async dispatch(hookType: string, payload: Json = {}, more: Partial<DispatchContext> = {}): Promise<HookDispatch> {
    const run = { runId: "run-1", runDir: this.runDir() };
    return dispatchHooks({ hookType, payload }, this.context({ run, ...more }));
  }

  /** Calls the type `try`, for which there is one hook, and answers what became of that. */
  async only(script: string | Uint8Array, more: Partial<DispatchContext> = {}): Promise<HookOutcome> {
    this.hook("try/hook", script);
    const { hooks } = await this.dispatch("try", {}, more);
    if (hooks.length !== 1) throw new Error(`${hooks.length} hooks ran`);
    return hooks[0] as HookOutcome;
  }

  read(...parts: string[]): string {
    return this.project.read(...parts);
  }

  /** Pid that a script has written into a file of the project; ended with the test in any case. */
  pidIn(file: string): number {
    const pid = Number(this.read(file));
    if (!(pid > 1)) throw new Error(`no pid in ${file}`);
    onTestFinished(() => {
      if (isRunning(pid)) process.kill(pid, "SIGKILL");
    });
    return pid;
  }
}

/** True for a process that is there and no zombie. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  try {
    return !/^\d+ \(.*\) Z/su.test(fs.readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return !fs.existsSync("/proc/self/stat");
  }
}
