import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { processFolder } from "../fixtures/package/process-folder.js";
import { sdk, store, testing } from "../fixtures/package/sdk.js";

const SDK = fileURLToPath(new URL("../../packages/sdk/", import.meta.url));

const MAIN = {
  runtime: [
    "BabysitterError",
    "BreakpointRejectedError",
    "ERROR_CODES",
    "EXIT_CODES",
    "VERSION",
    "commitEffectResult",
    "createRun",
    "defineTask",
    "openRun",
    "orchestrateIteration",
    "readRunStatus",
  ],
  types: [
    "Branch",
    "BreakpointOptions",
    "BreakpointPayload",
    "BreakpointResult",
    "Checkpoint",
    "Clock",
    "CommitOptions",
    "CreateRunOptions",
    "DefineTaskOptions",
    "DefinedTask",
    "EffectResult",
    "ErrorCode",
    "EventType",
    "ExitName",
    "HookOptions",
    "HookResult",
    "HookRunner",
    "HotRun",
    "Iteration",
    "JournalEvent",
    "Json",
    "JsonObject",
    "NextAction",
    "Parallel",
    "ParallelOptions",
    "PostAnswer",
    "ProcessContext",
    "ProcessFunction",
    "RecordedError",
    "RequestOptions",
    "RunDescription",
    "RunReference",
    "RunStatus",
    "ShellResult",
    "StoredValue",
    "TaskContext",
    "TaskDef",
  ],
};
const TESTING = {
  runtime: ["MemoryEventStore", "SettableClock", "createTestRun", "storeContract"],
  types: ["Answer", "StoreContractCase", "StoreUnderTest", "TestProcess", "TestRun", "TestRunOptions"],
};
const STORE = {
  runtime: [
    "blobRef",
    "brokenEvent",
    "nextPlace",
    "openBlob",
    "openEvent",
    "parseRunId",
    "refuseStaleFence",
    "renderEvent",
    "runExists",
    "runNotFound",
  ],
  types: [
    "AppendAnswer",
    "BlobRef",
    "CodeSnapshot",
    "EventStore",
    "Head",
    "JournalEvent",
    "LastError",
    "LastReplay",
    "Place",
    "ReplayIndex",
    "RunExtras",
    "RunId",
    "RunListing",
    "RunSummary",
    "Snapshots",
    "SummarySnapshot",
  ],
};
const DOORS = {
  "index.ts": { ...MAIN, loaded: sdk },
  "testing/index.ts": { ...TESTING, loaded: testing },
  "store.ts": { ...STORE, loaded: store },
};

interface Named {
  name: string;
  isType: boolean;
  /** Source file of the declaration, relative to src. */
  from: string;
}

/** What a door exports, read from its source: only `export { … }` and `export type { … }` lists are allowed there. */
function exportsOf(door: string): Named[] {
  const source = fs.readFileSync(path.join(SDK, "src", door), "utf8");
  const imports = new Map<string, string>();
  for (const [, names = "", from = ""] of source.matchAll(/^import (?:type )?\{([^}]*)\} from "(.+?)";/gm))
    for (const name of listOf(names)) imports.set(name.replace(/^type /, ""), from);
  const lists = [...source.matchAll(/^export (type )?\{([^}]*)\}(?: from "(.+?)")?;/gm)];
  expect(source.match(/^export /gm)).toHaveLength(lists.length);
  return lists.flatMap(([, typesOnly, names = "", from]) =>
    listOf(names).map((text) => {
      const name = text.replace(/^type /, "");
      const file = path.join(path.dirname(door), (from ?? imports.get(name) ?? "").replace(/\.js$/, ".ts"));
      return { name, isType: typesOnly !== undefined || text !== name, from: file };
    }),
  );
}

function listOf(names: string): string[] {
  return names
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
}

describe("the public door", () => {
  it("C20: exports exactly these names, at most sixty, and nothing by accident", () => {
    for (const [door, { runtime, types, loaded }] of Object.entries(DOORS)) {
      const named = exportsOf(door);
      expect(Object.keys(loaded).toSorted()).toEqual(runtime);
      expect(
        named
          .filter(({ isType }) => !isType)
          .map(({ name }) => name)
          .toSorted(),
      ).toEqual(runtime);
      expect(
        named
          .filter(({ isType }) => isType)
          .map(({ name }) => name)
          .toSorted(),
      ).toEqual(types);
    }
    // Doors for special guests do not count: whoever writes processes sees these two.
    expect([...exportsOf("index.ts"), ...exportsOf("testing/index.ts")].length).toBeLessThanOrEqual(60);
  });

  it("C20: every exported declaration says what it is for", () => {
    const silent = Object.keys(DOORS)
      .flatMap(exportsOf)
      .filter(({ name, from }) => {
        const source = fs.readFileSync(path.join(SDK, "src", from), "utf8");
        const declared = new RegExp(
          `(\\*/\\n)?^export (?:async |abstract )?(?:function|class|interface|type|const) ${name}\\b`,
          "m",
        ).exec(source);
        if (declared === null) throw new Error(`${from} does not declare ${name}`);
        return declared[1] === undefined;
      });
    expect(silent.map(({ name, from }) => `${from}: ${name}`)).toEqual([]);
  });

  it("C20: the package opens only its doors, and they load by name in ESM and CommonJS", () => {
    const manifest = JSON.parse(fs.readFileSync(path.join(SDK, "package.json"), "utf8")) as {
      exports: Record<string, unknown>;
      bin: Record<string, string>;
    };
    const doors = [".", "./notify", "./operate", "./store", "./testing", "./view", "./package.json"];
    expect(Object.keys(manifest.exports)).toEqual(doors);
    expect(Object.keys(manifest.bin)).toEqual(["babysitter", "babysitter-sdk"]);
    const program = `
      const main = await import("@a5c-ai/babysitter-sdk");
      const testing = await import("@a5c-ai/babysitter-sdk/testing");
      const store = await import("@a5c-ai/babysitter-sdk/store");
      const notify = await import("@a5c-ai/babysitter-sdk/notify");
      const view = await import("@a5c-ai/babysitter-sdk/view");
      const inside = await import("@a5c-ai/babysitter-sdk/dist/model/ids.js").catch((error) => error.code);
      console.log(JSON.stringify([typeof main.defineTask, typeof testing.createTestRun, typeof store.openEvent, typeof notify.receiptsFor, typeof view.timelineOf, inside]));`;
    const run = (type: string): unknown =>
      JSON.parse(
        execFileSync(
          process.execPath,
          [`--input-type=${type}`, "-e", type === "module" ? program : `(async () => {${program}})()`],
          { cwd: SDK, encoding: "utf8" },
        ),
      );
    for (const type of ["module", "commonjs"])
      expect(run(type)).toEqual([...Array<string>(5).fill("function"), "ERR_PACKAGE_PATH_NOT_EXPORTED"]);
  });

  it("C20: the library is packed whole: each of its files finds what it imports", () => {
    const packed = execFileSync("npm", ["pack", "--dry-run", "--ignore-scripts", "--json"], {
      cwd: SDK,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    });
    const [{ files }] = JSON.parse(packed) as [{ files: { path: string }[] }];
    const names = new Set(files.map((file) => file.path));
    const library = [...names].filter((name) => /^dist\/(?!cli\/).*\.(?:js|d\.ts)$/u.test(name));
    const lost = library.flatMap((name) =>
      [...fs.readFileSync(path.join(SDK, name), "utf8").matchAll(/(?:from |import\()"(\.[^"]+)\.js"/gu)]
        .map(([, target = ""]) => path.posix.join(path.posix.dirname(name), target))
        .filter((target) => !names.has(`${target}${name.endsWith(".d.ts") ? ".d.ts" : ".js"}`))
        .map((target) => `${name}: ${target}`),
    );
    expect(lost).toEqual([]);
    expect(library).toEqual(expect.arrayContaining(["dist/index.js", "dist/operate.js", "dist/store.js"]));
  });

  it("C20: processes get the whole door under the package's name, and the same error classes", async () => {
    const { BabysitterError, createRun, orchestrateIteration } = sdk;
    const dir = processFolder({
      "p.mjs": `import * as sdk from "@a5c-ai/babysitter-sdk";
export async function process(inputs, ctx) {
  let caught;
  try { await ctx.task(42); } catch (error) { caught = error; }
  return { names: Object.keys(sdk).sort(), code: caught.code, same: sdk.BabysitterError.is(caught) && caught instanceof sdk.BabysitterError };
}`,
    });
    const { runDir } = await createRun({
      runsDir: path.join(dir, "runs"),
      process: { processId: "x", importPath: path.join(dir, "p.mjs") },
    });
    const { output } = await orchestrateIteration({ runDir });
    expect(output).toEqual({ names: MAIN.runtime, code: "TASK_INVALID", same: true });
    expect(new BabysitterError("RUN_DIVERGED", "x").exitCode).toBe(8);
  });

  it("C18: the exit table is the documented one", () => {
    const { BabysitterError, ERROR_CODES, EXIT_CODES } = sdk;
    expect(Object.fromEntries(Object.entries(EXIT_CODES).map(([name, { exit }]) => [name, exit]))).toEqual({
      ok: 0,
      failed: 1,
      usage: 2,
      waiting: 3,
      limit: 4,
      stuck: 5,
      claim: 6,
      refused: 7,
      blocked: 8,
      busy: 9,
      rejected: 10,
      expired: 11,
      cancelled: 12,
      unfinished: 13,
      interrupted: 130,
    });
    const exits: Record<number, string[]> = {};
    for (const code of Object.keys(ERROR_CODES) as (keyof typeof ERROR_CODES)[])
      (exits[new BabysitterError(code, "").exitCode] ??= []).push(code);
    expect(Object.fromEntries(Object.entries(exits).map(([exit, codes]) => [exit, codes.toSorted()]))).toEqual({
      1: [
        "EFFECT_NOT_AWAITED",
        "HARD_LINKS_UNSUPPORTED",
        "INBOX_NOT_STARTED",
        "INTERNAL",
        "JOURNAL_UNREADABLE",
        "JOURNAL_UNWRITABLE",
        "NO_OUTPUT",
        "PROCESS_DIED",
        "PROCESS_EXIT_CALLED",
        "PROCESS_LOAD_FAILED",
        "PROCESS_SPINS",
        "PROCESS_STALLED",
        "PROJECT_UNWRITABLE",
        "REQUEST_NOT_REPLAYABLE",
        "SESSION_UNREACHABLE",
        "SYSTEM_REFUSED",
        "TASK_INVALID",
      ],
      2: [
        "BREAKPOINT_ANSWER_UNCLEAR",
        "BREAKPOINT_NOT_FOUND",
        "BREAKPOINT_OPTION_UNKNOWN",
        "BREAKPOINT_REASON_MISSING",
        "CHANNEL_NOT_ENABLED",
        "CONFIG_INVALID",
        "CRITERION_INVALID",
        "EFFECT_AMBIGUOUS",
        "EFFECT_NOT_FOUND",
        "ENTRY_NOT_FOUND",
        "EXPORT_NOT_FOUND",
        "INBOX_MISSING",
        "INPUTS_INVALID",
        "INPUT_NOT_FOUND",
        "INPUT_NOT_JSON",
        "INVALID_ID",
        "NO_LOOP",
        "NO_OPEN_RUN",
        "RUN_AMBIGUOUS",
        "RUN_NOT_FOUND",
        "SESSION_NOT_FOUND",
        "STDIN_TIMEOUT",
        "STEP_NOT_FOUND",
        "USAGE",
        "VALUE_NOT_JSON",
      ],
      3: ["OUTPUT_PENDING"],
      4: ["LIMIT_REACHED"],
      7: [
        "ARCHIVE_OTHER_FILE_SYSTEM",
        "ATTEMPT_STALE",
        "BREAKPOINT_CHANGED",
        "CHANNEL_REFUSED",
        "DECISION_NOT_ALLOWED",
        "EFFECT_ALREADY_RESOLVED",
        "EFFECT_NOT_REOPENABLE",
        "ENGINE_TOO_OLD",
        "FILE_NOT_SHOWN",
        "FOREIGN_RUN",
        "HOOKS_DISABLED",
        "INVOCATION_KEY_MISMATCH",
        "LOOP_SPEC_WEAK",
        "NOTHING_TO_RETRY",
        "NO_PROCESS",
        "ONLY_FOR_PEOPLE",
        "RUN_EXISTS",
        "RUN_FINISHED",
        "RUN_OPEN",
        "SESSION_BOUND",
        "SIGN_IN_REFUSED",
      ],
      8: ["GATES_CHANGED", "JOURNAL_BROKEN", "RUN_DIVERGED", "SESSION_FILE_CORRUPT"],
      9: ["RUN_BUSY", "RUN_CONTENDED"],
      10: ["BREAKPOINT_REJECTED"],
    });
  });
});
