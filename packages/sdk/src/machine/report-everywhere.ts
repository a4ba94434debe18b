/** One report on all projects in which this person has runs. */
import type { Report } from "../model/report.js";
import { type ReportedProject, type ReportWindow, reportProjects } from "../runs/report-runs.js";
import { listProjects } from "../sessions/project-registry.js";
import { sessionPlaces } from "../sessions/session-places.js";
import type { Environment } from "./caller.js";
import { localPorts } from "./local-ports.js";
import { sdkAccess } from "./sdk-access.js";
import { whoDrives } from "./who-drives.js";

type Project = { projectRoot: string; runsDir: string };

/** `here`: a project that need not be known yet. */
export async function reportEverywhere(env: Environment, window: ReportWindow, here?: Project): Promise<Report> {
  const known = listProjects(sessionPlaces({ env, cwd: "/" }).home);
  // One for each folder of runs, however many projects name it.
  const byFolder = new Map([...(here === undefined ? [] : [here]), ...known].map((one) => [one.runsDir, one]));
  const projects = [...byFolder.values()].map(
    ({ projectRoot: project, runsDir }): ReportedProject => ({
      ports: localPorts({ runsDir, sdk: sdkAccess(), env }),
      project,
      whoDrives,
    }),
  );
  return reportProjects(projects, window);
}
