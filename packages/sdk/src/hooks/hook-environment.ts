/** What a hook script finds in its environment; documented for its authors. */
import path from "node:path";
import type { HookCall } from "../model/hook-types.js";
import { isJsonObject, type Json } from "../model/json.js";
import { childEnvironment } from "../spawn/child-environment.js";

/** What all scripts of one call share. */
export interface HookSurroundings {
  /** Absolute; the working directory of hooks. */
  projectRoot: string;
  runsDir: string;
  /** The run that the call is about. */
  run?: { runId: string; runDir: string };
  /** What hooks inherit. */
  env: Readonly<Record<string, string | undefined>>;
  /** Variables that the run's tasks have named as secrets so far. */
  secretNames?: () => readonly string[];
  /** Absolute path of the command line. */
  cli: string;
  /** A folder that comes first on their PATH. */
  pathPrefix?: string;
}

/** How many hooks may be inside each other: one that calls for itself again must come to an end. */
export const DEEPEST_NESTING = 8;
const DEPTH = "BABYSITTER_HOOK_DEPTH";
/** Facts of one call, which a hook that is called from within another one must not inherit. */
const OF_ONE_CALL = new Set(["RUN_ID", "RUN_DIR", "BREAKPOINT_PAYLOAD"]);
/** The kernel refuses single variables above 128 KiB. */
const MAX_VARIABLE = 96 * 1024;

/** How many hooks the given environment is inside. */
export function nestingOf(env: HookSurroundings["env"]): number {
  const depth = Number(env[DEPTH] ?? 0);
  return Number.isSafeInteger(depth) && depth > 0 ? depth : 0;
}

/** The environment, and the values that must not get into logs and answers. */
export function hookEnvironment(
  { projectRoot, runsDir, run, env, secretNames, cli, pathPrefix }: HookSurroundings,
  { hookType, payload }: HookCall,
): { env: Record<string, string>; secrets: string[] } {
  const inherited = Object.fromEntries(Object.entries(env).filter(([name]) => !OF_ONE_CALL.has(name)));
  const searched = [pathPrefix, env["PATH"]].filter((part) => part !== undefined && part !== "");
  const extra = {
    REPO_ROOT: projectRoot,
    RUNS_DIR: runsDir,
    ...(run === undefined ? {} : { RUN_ID: run.runId, RUN_DIR: run.runDir }),
    HOOK_TYPE: hookType,
    BABYSITTER_CLI: cli,
    ...(searched.length === 0 ? {} : { PATH: searched.join(path.delimiter) }),
    [DEPTH]: String(nestingOf(env) + 1),
    ...(hookType === "on-breakpoint" ? breakpointVariable(payload) : {}),
  };
  return childEnvironment(inherited, extra, secretNames?.() ?? []);
}

/** A question with much to look at goes without that; on stdin it is always whole. */
function breakpointVariable(payload: Json): Record<string, string> {
  const forms = [payload, ...(isJsonObject(payload) ? [{ ...payload, context: null }] : [])];
  const text = forms.map((form) => JSON.stringify(form)).find((form) => Buffer.byteLength(form) <= MAX_VARIABLE);
  return text === undefined ? {} : { BREAKPOINT_PAYLOAD: text };
}
