import { callerPorts } from "../../machine/choose-run.js";
import { reportEverywhere } from "../../machine/report-everywhere.js";
import { whoDrives } from "../../machine/who-drives.js";
import { reportAllRuns } from "../../runs/report-runs.js";
import { sinceOf } from "../grammar/durations.js";
import type { Command } from "../grammar/invocation.js";
import { renderReport } from "../output/report-text.js";

const DEFAULT_SINCE = "24h";

export const command: Command = async (invocation) => {
  const { options, paint, env } = invocation;
  const ports = callerPorts(invocation);
  const now = ports.clock.now();
  const window = { since: sinceOf(invocation, options.text("since") ?? DEFAULT_SINCE, now) };
  const report = options.flag("all-projects")
    ? await reportEverywhere(env, window, invocation.places())
    : await reportAllRuns(ports, window, { whoDrives });
  return { document: { ...report }, text: renderReport(report, { now, paint }) };
};
