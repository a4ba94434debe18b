/** Where hooks are looked for and what they are given, for the commands that call them. */

import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import type { DispatchContext } from "../../hooks/dispatch-hooks.js";
import type { HookPlaces } from "../../hooks/hook-folders.js";
import type { HookContext } from "../../hooks/run-hook.js";
import { pluginRootIn } from "../../hosts/environments.js";
import { defined } from "../../model/json.js";
import type { RunJournal } from "../../runs/run-journal.js";
import type { Caller, Environment, Trace } from "../caller.js";
import { isProgram } from "../file-places.js";

/** Everything that a call of hooks needs from this machine; with a run, its project. */
export function hookContext(
  { env, pluginRoot, places, trace, program }: Pick<Caller, "env" | "pluginRoot" | "places" | "trace" | "program">,
  journal?: RunJournal,
): HookContext & HookPlaces & Pick<DispatchContext, "onProgress"> {
  const where =
    journal === undefined ? { ...places(), ...surroundings(env, program) } : hookContextOfRun(env, journal, program);
  return { ...where, ...defined({ pluginRoot }), onProgress: hookTrace(trace) };
}

/** Tells which hooks ran, or did not. */
export function hookTrace(trace: Trace | undefined): DispatchContext["onProgress"] {
  if (trace === undefined) return undefined;
  return (progress) => {
    const { what, hookType } = progress;
    if (what === "skipped") trace(`hook ${hookType}/${progress.file.name} skipped: ${progress.file.reason}`);
    if (what !== "ended") return;
    const { name, tier, status, durationMs } = progress.outcome;
    trace(`hook ${hookType}/${name} (${tier}): ${status}, ${durationMs} ms`);
  };
}

/** The same for programs that people do not call. */
export function hookContextOfRun(env: Environment, journal: RunJournal, program?: string): HookContext & HookPlaces {
  const { runId, runDir, secretNames } = journal;
  return { ...placesOf(journal), ...surroundings(env, program), secretNames, run: { runId, runDir } };
}

function surroundings(
  env: Environment,
  program: string = process.argv[1] as string,
): Pick<HookContext & HookPlaces, "home" | "env" | "hostPluginRoot" | "shippedDir" | "cli" | "pathPrefix"> {
  const cli = fs.realpathSync(program);
  const extra = {
    hostPluginRoot: pluginRootIn(env),
    pathPrefix: binFolder(program, cli),
    shippedDir: shippedHooks(cli),
  };
  return { home: env["HOME"] || os.homedir(), env, cli, ...defined(extra) };
}

function placesOf({ runDir, place }: RunJournal): { projectRoot: string; runsDir: string } {
  return { projectRoot: place.projectRoot, runsDir: path.dirname(runDir) };
}

/** The folder with this very command line under the name that people type, as far as there is one. */
function binFolder(program: string, cli: string): string | undefined {
  const folders = [path.dirname(path.resolve(program)), path.join(path.dirname(cli), "bin")];
  return folders.find((folder) => isProgram(path.join(folder, "babysitter")));
}

/** The hooks that come with this command line, which is in `dist/cli` of its package or in `dist` of the plugin. */
function shippedHooks(cli: string): string | undefined {
  const folders = ["../..", ".."].map((way) => path.join(path.dirname(cli), way, "hooks"));
  return folders.find((folder) => fs.existsSync(path.join(folder, "hook-dispatcher.sh")));
}
