/** The use cases' ports, filled with this machine's files, loader and clock. */
import crypto from "node:crypto";
import path from "node:path";
import { readConfig } from "../config/read-config.js";
import { FileLeases } from "../journal/files/file-leases.js";
import { fileStorage } from "../journal/files/file-storage.js";
import type { Durability } from "../journal/files/journal-fs.js";
import { createProcessLoader, type SdkAccess } from "../load/process-loader.js";
import { BabysitterError } from "../model/errors.js";
import type { RunCreated } from "../model/events.js";
import type { RunId } from "../model/ids.js";
import type { Clock, HookRunner, Ports } from "../model/ports.js";
import { realPath } from "./file-places.js";

export interface LocalOptions {
  runsDir: string;
  sdk: SdkAccess;
  env: Readonly<Record<string, string | undefined>>;
  /** A run that stays open writes its readable copies now and then. */
  staysOpen?: boolean;
  clock?: Clock;
  hooks?: HookRunner;
}

const systemClock: Clock = { now: () => new Date() };

/** No hook scripts are looked for here: the answer says that none ran. */
const noHooks: HookRunner = { run: async ({ hookType }) => ({ hookType, success: true, executedHooks: [] }) };

export function localPorts(options: LocalOptions): Ports {
  const clock = options.clock ?? systemClock;
  const storage = fileStorage({
    runsDir: options.runsDir,
    durability: durabilityOf(options.env),
    views: options.staysOpen ? "deferred" : "at-once",
  });
  const now = (): Date => clock.now();
  const dirOf = (runId: RunId): string => storage.workspace.runDir(runId);
  return {
    ...storage,
    clock,
    leases: {
      driver: new FileLeases({ runDir: dirOf, now }),
      // Beside what else only the driver of an agent keeps.
      agent: new FileLeases({ runDir: (runId) => path.join(dirOf(runId), "state", "agent"), within: dirOf, now }),
    },
    loader: createProcessLoader({ sdk: options.sdk }),
    hooks: options.hooks ?? noHooks,
    randomHex: (bytes) => crypto.randomBytes(bytes).toString("hex"),
    taskKinds: (projectRoot) => readConfig({ projectRoot, env: options.env, flags: {} }).values["tasks.kinds"],
    // Only who begins a run needs the validator.
    checkInputs: async (schema, inputs) => (await import("./check-inputs.js")).checkInputs(schema, inputs),
    realPath,
    locate: (runDir, created) => ({
      ...locateEntry(runDir, created),
      cacheDir: path.join(runDir, "state"),
    }),
  };
}

function locateEntry(runDir: string, created: RunCreated): { file: string; export: string; projectRoot: string } {
  const projectRoot = path.resolve(runDir, created.projectRoot);
  return { file: path.resolve(projectRoot, created.entry.path), export: created.entry.export, projectRoot };
}

/** BABYSITTER_DURABILITY=relaxed gives up surviving a power cut, for tests and throw-away runs. */
function durabilityOf(env: LocalOptions["env"]): Durability {
  const wanted = env["BABYSITTER_DURABILITY"] || "full";
  if (wanted === "full" || wanted === "relaxed") return wanted;
  throw new BabysitterError(
    "USAGE",
    `BABYSITTER_DURABILITY is "${wanted}"; it must be "full" (the default) or "relaxed".`,
  );
}

const DEFAULT_QUIET_LIMIT_MS = 30_000;

/** How long work between ctx calls may keep an iteration open. */
export function quietLimitOf(env: LocalOptions["env"]): number {
  const text = env["BABYSITTER_QUIET_LIMIT_MS"];
  if (!text) return DEFAULT_QUIET_LIMIT_MS;
  const limit = Number(text);
  if (Number.isFinite(limit) && limit > 0) return limit;
  throw new BabysitterError("USAGE", `BABYSITTER_QUIET_LIMIT_MS is "${text}"; it must be a number of milliseconds.`);
}

/** An entry such as `path/to/file.js#export`, as a place on this machine and as it is recorded. */
export function entryAt(
  text: { file: string; export?: string | undefined },
  where: { cwd: string; projectRoot: string },
): {
  entry: { file: string; export?: string; projectRoot: string };
  recorded: (runDir: string) => { path: string; projectRoot: string };
} {
  const file = path.resolve(where.cwd, text.file);
  return {
    entry: {
      file,
      ...(text.export === undefined || text.export === "" ? {} : { export: text.export }),
      projectRoot: where.projectRoot,
    },
    recorded: (runDir) => ({
      path: recordedPath(where.projectRoot, file),
      projectRoot: recordedPath(runDir, where.projectRoot),
    }),
  };
}

/** A path as it is recorded: relative, so that a moved project still works, and the same on every system. */
export function recordedPath(from: string, to: string): string {
  return path.relative(from, to).split(path.sep).join("/") || ".";
}
