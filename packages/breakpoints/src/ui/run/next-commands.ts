/** What to type to get a run on, with whole sentences around it. Pure. */
import type { NextWay, RunDetail } from "../../wire/run-wire.js";

export interface NextCommand {
  /** Stands above the command. */
  lead: string;
  command: string;
  /** Stands below it; others have written parts of it. */
  about: string | undefined;
}

type Run = Pick<RunDetail, "ways" | "state" | "drivenBy" | "agent">;

const DRIVES = /^babysitter (?:run|run:iterate|loop:resume) /u;

/** The same for a run that could continue, where nobody is at it; empty for every other one. */
export function commandsIfLeft(run: Run): NextCommand[] {
  const [first] = run.ways;
  return first !== undefined && first.when === undefined && isLeft(run, first) ? nextCommands(run) : [];
}

export function nextCommands(run: Run): NextCommand[] {
  const [first, ...others] = run.ways;
  if (first === undefined) return [];
  const { command, when, does } = first;
  const about = does === undefined ? undefined : `This ${does}${does.endsWith("…") ? "" : "."}`;
  const lead = when === undefined ? leadOf(run, first) : `In a terminal, ${when}:`;
  return [{ lead, command, about }, ...others.map(otherWay)];
}

function otherWay({ command, when = "or" }: NextWay): NextCommand {
  return { lead: `${when.charAt(0).toUpperCase()}${when.slice(1)}:`, command, about: undefined };
}

function leadOf(run: Run, way: NextWay): string {
  if (way.because !== undefined) return "To watch it in a terminal:";
  if (isUndriven(run, way) && run.state === "created") return "To start it, run in a terminal:";
  return isLeft(run, way) ? "Nothing is driving this run. To continue it, run in a terminal:" : "In a terminal:";
}

function isUndriven({ drivenBy }: Run, { command, because }: NextWay): boolean {
  return drivenBy === null && because === undefined && DRIVES.test(command);
}

function isLeft(run: Run, way: NextWay): boolean {
  return isUndriven(run, way) && !run.agent && (run.state === "running" || run.state === "waiting");
}
