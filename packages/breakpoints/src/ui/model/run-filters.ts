/** What the board is narrowed down to, in words. */
import type { RunList } from "../../wire/run-wire.js";
import type { RunFilter } from "./routes.js";

export const EVERYTHING: RunFilter = { search: "", process: "", project: "", state: "", day: "" };

export const STATE_CHOICES: readonly { value: string; word: string }[] = [
  { value: "created", word: "Not started" },
  { value: "running", word: "Running" },
  { value: "waiting", word: "Waiting" },
  { value: "paused", word: "Paused" },
  { value: "blocked", word: "Blocked" },
  { value: "completed", word: "Completed" },
  { value: "failed", word: "Failed" },
  { value: "cancelled", word: "Cancelled" },
];

export interface FilterChip {
  name: Exclude<keyof RunFilter, "search">;
  label: string;
  /** What was chosen; it may be what others have written. */
  text: string;
}

/** What was chosen besides the words to search for. */
export function filterChips(filter: RunFilter, { projects }: Pick<RunList, "projects">): FilterChip[] {
  const state = STATE_CHOICES.find(({ value }) => value === filter.state)?.word ?? filter.state;
  const chips: FilterChip[] = [
    { name: "process", label: "Process", text: filter.process },
    { name: "project", label: "Project", text: projectName(filter.project, projects) },
    { name: "state", label: "State", text: state },
    { name: "day", label: "Day", text: filter.day },
  ];
  return chips.filter(({ text }) => text !== "");
}

/** Its folder's name, with the whole path where another project has the same one. */
export function projectName(root: string, projects: RunList["projects"]): string {
  const name = projects.find((project) => project.root === root)?.name;
  if (name === undefined) return root;
  return projects.filter((project) => project.name === name).length > 1 ? `${name} (${root})` : name;
}

export function isFiltered(filter: RunFilter): boolean {
  return Object.values(filter).some((value) => value !== "");
}

/** What was found, as it is read out. */
export function foundWords(count: number, filter: RunFilter): string {
  const runs = count === 1 ? "1 run" : `${count.toLocaleString()} runs`;
  if (!isFiltered(filter)) return runs;
  return count === 0 ? "No run matches." : `${runs} ${count === 1 ? "matches" : "match"}.`;
}
