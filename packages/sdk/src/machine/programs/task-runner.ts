/** The program that executes the pending tasks of a run while whoever started it may be killed. */
import crypto from "node:crypto";
import path from "node:path";
import { readConfig } from "../../config/read-config.js";
import { hookLimits } from "../../config/settings.js";
import { runPendingTasks } from "../../drive/task-runner.js";
import { parseRunId } from "../../model/ids.js";
import { RunJournal } from "../../runs/run-journal.js";
import { localContextFiles } from "../context-files.js";
import { abortOnSignals } from "../end-in-time.js";
import { executorsFor } from "../executors.js";
import { hookContextOfRun } from "../lifecycle/hook-context.js";
import { lifecycleHooks } from "../lifecycle/lifecycle-hooks.js";
import { OpenCalls } from "../lifecycle/open-calls.js";
import { localPorts } from "../local-ports.js";
import { sdkAccess } from "../sdk-access.js";
import { endWhenSpinning } from "../watchdog.js";

export async function runTasks([runDir = "", concurrency = "1"]: string[]): Promise<void> {
  const { env } = process;
  endWhenSpinning(env);
  const ports = localPorts({ runsDir: path.dirname(runDir), sdk: sdkAccess(), env });
  const journal = await RunJournal.open(ports, parseRunId(path.basename(runDir)));
  const place = journal.place;
  const { values } = readConfig({ projectRoot: place.projectRoot, env, flags: {} });
  const session = crypto.randomBytes(12).toString("hex");
  const stop = new AbortController();
  abortOnSignals(stop);
  const openCalls = values["hooks.enabled"] ? new OpenCalls(journal, ["tasks"]) : undefined;
  await runPendingTasks({
    journal,
    leases: ports.leases.driver,
    session,
    executors: executorsFor({ env, session, agent: undefined, taskTimeoutMs: values["tasks.timeoutMs"] }),
    projectRoot: place.projectRoot,
    processDir: path.dirname(place.file),
    concurrency: Number(concurrency),
    // Into its log, where people look when tasks take long.
    report: (progress) => void (progress.type === "notice" && process.stderr.write(`${progress.text}\n`)),
    watch: (onChange) => ports.store.watch(journal.runId, onChange),
    hooks: lifecycleHooks({
      journal,
      context: {
        ...hookContextOfRun(env, journal),
        ...hookLimits(values),
        signal: stop.signal,
      },
      contextFiles: localContextFiles,
      enabled: values["hooks.enabled"],
      openCalls,
    }),
    signal: stop.signal,
  });
  openCalls?.end();
}
