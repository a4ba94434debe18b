/** Everything that the doctor has looked at, as data. */
import type { HookProblem } from "../../sessions/hook-log.js";
import type { LastSession } from "../../sessions/last-session.js";

/** A program that was asked for its version. */
export interface ProgramFacts {
  path: string;
  /** What it said; undefined when it did not answer. */
  version?: string;
}

/** A settings file of the host. */
export interface SettingsFacts {
  path: string;
  /** Why it cannot be read as settings. */
  problem?: string;
  disableAllHooks: boolean;
  /** Only hooks of the administrator run. */
  managedHooksOnly: boolean;
  /** Our plugin is switched off there, under this name. */
  switchedOff?: string;
  /** The host's limit of blocks, where it is set there. */
  blockCap?: string;
}

export interface SetupFacts {
  platform: string;
  /** Of this program. */
  cli: { path: string; version: string };
  /** The node that the plugin's hooks find. */
  node?: ProgramFacts;
  host?: ProgramFacts;
  plugin?: {
    root: string;
    version?: string;
    /** What the host's validator said, where there is a host to ask. */
    validation?: { ok: boolean; text: string };
  };
  lastSession?: LastSession;
  settings: SettingsFacts[];
  /** Other programs of our name on PATH. */
  others: string[];
  /** Of the folder of the runs, or the next one above that exists. */
  links: { dir: string; problem?: string };
  state: { dir: string; problem?: string };
  /** Of the last day. */
  hookProblems: HookProblem[];
  hookLog: string;
  /** Why `--plugin-dir` and the like are not needed: how to install. */
  install: string;
}
