/** The program that hosts the process of one run for a driver; started by it, never by people. */
import "../../index.js";
import { CodeChanged, serveWorker } from "../../drive/worker-server.js";
import { parseRunId } from "../../model/ids.js";
import { defined } from "../../model/json.js";
import type { Ports } from "../../model/ports.js";
import { createRun } from "../../runs/create-run.js";
import { errorCodeOf } from "../../runs/iteration.js";
import { LiveRun } from "../../runs/live-run.js";
import { gatesPolicy } from "../gates-policy.js";
import { processHooks } from "../lifecycle/lifecycle-hooks.js";
import { entryAt, localPorts, quietLimitOf } from "../local-ports.js";
import { sdkAccess } from "../sdk-access.js";
import { turnLimitOf } from "../watchdog.js";
import { guardUserCode } from "./user-code-guard.js";

/** The driver notices a loop without end first; should the driver be gone, the guard does. */
const GUARD_MARGIN_MS = 5_000;

export function runProcessWorker([runsDir = "", projectRoot = ""]: string[]): void {
  const { env } = process;
  const exit = process.exit.bind(process);
  const limit = String(turnLimitOf(env) + GUARD_MARGIN_MS);
  guardUserCode({
    what: "The process",
    env: { ...env, BABYSITTER_TURN_LIMIT_MS: limit },
  });
  // Ctrl-C is for the driver.
  process.on("SIGINT", () => undefined);
  const plain = localPorts({ runsDir, sdk: sdkAccess(), env });
  const hooks = processHooks(env, plain);
  const ports = refusingChangedCode(localPorts({ runsDir, sdk: sdkAccess(), env, staysOpen: true, hooks }));
  let live: Promise<LiveRun> | undefined;
  const runFor = async (runId: string, fence: number | undefined): Promise<LiveRun> => {
    live ??= LiveRun.open(ports, parseRunId(runId), {
      quietLimitMs: quietLimitOf(env),
      actions: false,
      onLate: () => server.late(),
    });
    const run = await live;
    run.journal.fence = fence;
    return run;
  };
  const server = serveWorker(
    {
      create: async ({ run: { file, exportName, ...run } }) => {
        const place = entryAt({ file, export: exportName }, { cwd: process.cwd(), projectRoot });
        const { runId, runDir } = await createRun({ ...ports, gatesPolicy: gatesPolicy(env) }, { ...run, ...place });
        return { runId, runDir };
      },
      iterate: async ({ runId, fence, keepFailures = false }) => {
        const run = await runFor(runId, fence);
        const iteration = await run.iterateToDocument({ keepFailures });
        const { lastResolution, processHead } = run.journal.summary;
        const error = errorCodeOf(iteration) === undefined ? undefined : iteration.error;
        return { warnings: iteration.warnings, lastResolution, processHead, ...(defined({ error }) as object) };
      },
      post: async ({ runId, fence, post }) => {
        const run = await runFor(runId, fence);
        const { outcome, event } = await run.post(post);
        return { outcome, seq: event?.seq ?? 0, ...run.afterPost() };
      },
      close: async () => {
        await (await live)?.close();
        return null;
      },
    },
    process,
    exit,
  );
}

/** Modules stay in memory once they are loaded: changed code needs a new program. */
function refusingChangedCode(ports: Ports): Ports {
  let loaded: string | undefined;
  const { loader } = ports;
  return {
    ...ports,
    loader: {
      inspect: (...args) => {
        const code = loader.inspect(...args);
        if (loaded !== undefined && loaded !== code.hash) throw new CodeChanged("The code has changed.");
        return {
          hash: code.hash,
          snapshot: () => code.snapshot(),
          load: () => {
            loaded = code.hash;
            return code.load();
          },
        };
      },
    },
  };
}
