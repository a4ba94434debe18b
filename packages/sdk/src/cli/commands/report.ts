import { callerPorts } from "../../machine/choose-run.js";
import { hasOtherProjects, reportEverywhere } from "../../machine/report-everywhere.js";
import { whoDrives } from "../../machine/who-drives.js";
import { reportAllRuns } from "../../runs/report-runs.js";
import { sinceOf } from "../grammar/durations.js";
import type { Command } from "../grammar/invocation.js";
import { screenHere } from "../output/for-screen.js";
import { renderReport } from "../output/report-text.js";

const DEFAULT_SINCE = "24h";
const ELSEWHERE = "This is about one project. For all of yours: babysitter report --all-projects";

export const command: Command = async (invocation) => {
  const { options, paint, env } = invocation;
  const ports = callerPorts(invocation);
  const now = ports.clock.now();
  const window = { since: sinceOf(invocation, options.text("since") ?? DEFAULT_SINCE, now) };
  const isEverywhere = options.flag("all-projects");
  const report = isEverywhere
    ? await reportEverywhere(env, window, invocation.places())
    : await reportAllRuns(ports, window, { whoDrives });
  const text = renderReport(report, { now, paint, columns: screenHere().columns });
  const isElsewhere = report.totals.runs === 0 && !isEverywhere && hasOtherProjects(env, invocation.places().runsDir);
  return { document: { ...report }, text: isElsewhere ? `${text}\n${ELSEWHERE}` : text };
};
