/** What to type to get a run on, with whole sentences around it. Pure. */
import type { RunDetail } from "../../wire/run-wire.js";

export interface NextCommand {
  /** Stands above the command. */
  lead: string;
  command: string;
  /** Stands below it; others have written parts of it. */
  about: string | undefined;
}

type Run = Pick<RunDetail, "next" | "state" | "drivenBy" | "agent">;

/** A command, and what is said about it in brackets behind it. */
const COMMAND = /^(\S[^(]*?)\s+\((.*)\)$/su;
/**
 * What is said may end with another way on. Names of steps stand before it: only these commands count, and only at the
 * end, so that no step can have a name that is offered as a command.
 */
const OTHER =
  /^(?:(.*); )?((?:or|to)\b[^:]*?):? (babysitter run:(?:iterate|retry) \S+|breakpoint:reject \S+ --reason "…")$/su;
const CONDITION = /^(?:after|when|to) /u;
const WATCHED = / is driving it$/u;
const DRIVES = /^babysitter (?:run|run:iterate|loop:resume) /u;

export function nextCommands(run: Run): NextCommand[] {
  if (run.next === null) return [];
  const [, command = run.next, said = ""] = COMMAND.exec(run.next) ?? [];
  const [, about = "", otherLead, other] = OTHER.exec(said) ?? ["", said];
  const first: NextCommand = { ...around(run, command, about), command };
  if (otherLead === undefined || other === undefined) return [first];
  const lead = `${otherLead.charAt(0).toUpperCase()}${otherLead.slice(1)}:`;
  return [first, { lead, command: other.replace(/^(?!babysitter )/u, "babysitter "), about: undefined }];
}

function around({ state, drivenBy, agent }: Run, command: string, about: string): Omit<NextCommand, "command"> {
  const said = about === "" ? undefined : `This ${about}${about.endsWith("…") ? "" : "."}`;
  if (WATCHED.test(about)) return { lead: "To watch it in a terminal:", about: undefined };
  if (CONDITION.test(about)) return { lead: `In a terminal, ${about}:`, about: undefined };
  if (drivenBy === null && DRIVES.test(command)) {
    if (state === "created") return { lead: "To start it, run in a terminal:", about: said };
    if (!agent && (state === "running" || state === "waiting"))
      return { lead: "Nothing is driving this run. To continue it, run in a terminal:", about: said };
  }
  return { lead: "In a terminal:", about: said };
}
