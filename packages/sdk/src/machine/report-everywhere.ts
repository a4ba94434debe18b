/** One report on all projects in which this person has runs. */
import type { Ports } from "../model/ports.js";
import type { Report } from "../model/report.js";
import { type ReportWindow, reportProjects } from "../runs/report-runs.js";
import { listProjects } from "../sessions/project-registry.js";
import { sessionPlaces } from "../sessions/session-places.js";
import type { Environment } from "./caller.js";
import { localPorts } from "./local-ports.js";
import { sdkAccess } from "./sdk-access.js";
import { whoDrives } from "./who-drives.js";

type Project = { projectRoot: string; runsDir: string };

/** True when this person has runs in other folders than this one. */
export function hasOtherProjects(env: Environment, runsDir: string): boolean {
  return listProjects(sessionPlaces({ env, cwd: "/" }).home).some((known) => known.runsDir !== runsDir);
}

/** One for each folder of runs, however many projects name it. `here`: a project that need not be known yet. */
export function projectsEverywhere(env: Environment, here?: Project): { project: string; ports: Ports }[] {
  const known = listProjects(sessionPlaces({ env, cwd: "/" }).home);
  const byFolder = new Map([...(here === undefined ? [] : [here]), ...known].map((one) => [one.runsDir, one]));
  return [...byFolder.values()].map(({ projectRoot: project, runsDir }) => ({
    ports: localPorts({ runsDir, sdk: sdkAccess(), env }),
    project,
  }));
}

export async function reportEverywhere(env: Environment, window: ReportWindow, here?: Project): Promise<Report> {
  const projects = projectsEverywhere(env, here);
  return reportProjects(
    projects.map((one) => ({ ...one, whoDrives })),
    window,
  );
}
