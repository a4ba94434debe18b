/** The folders in which this person has runs. */
import { type InboxDesk, openRuns, type Ports } from "@a5c-ai/babysitter-sdk/operate";

export interface Place {
  projectRoot: string;
  runsDir: string;
  ports: Ports;
}

/** One for each folder of runs, however many projects name it. Nothing is remembered from one call to the next. */
export function placesOf(desk: Pick<InboxDesk, "projects" | "env">): Place[] {
  const byFolder = new Map(desk.projects().map((project) => [project.runsDir, project]));
  return [...byFolder.values()].map(({ projectRoot, runsDir }) => placeAt(desk, { projectRoot, runsDir }));
}

export function placeAt(
  { env }: Pick<InboxDesk, "env">,
  { projectRoot, runsDir }: { projectRoot: string; runsDir: string },
): Place {
  return { projectRoot, runsDir, ports: openRuns({ runsDir, env }) };
}
