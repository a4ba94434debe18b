import type { RunName } from "../../model/report.js";
import { shownLine } from "../../model/shown-text.js";

/** A run for people, with the name of its project where several are listed. */
export function namedRun({ runId, project }: RunName): string {
  return project === undefined ? runId : `${shownLine(folderName(project), 20)}/${runId}`;
}

function folderName(folder: string): string {
  return folder.split(/[\\/]/u).findLast((part) => part !== "") ?? folder;
}
