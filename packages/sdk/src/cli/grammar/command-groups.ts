/** The commands by what people want to do. What is in none of the lists is for scripts, and comes last. */

import type { CommandSpec } from "./command-spec.js";
import { COMMANDS } from "./command-table.js";

const GROUPS: Readonly<Record<string, string>> = {
  "Run a process": "init process:check run run:retry run:fork run:cancel",
  "See what happens":
    "run:list run:show run:status run:output run:watch run:events run:export task:list task:show task:logs report",
  Decide:
    "ui breakpoint:list breakpoint:show breakpoint:approve breakpoint:reject breakpoint:comment breakpoint:wait breakpoint:create run:accept-code extension notify:test",
  "Keep an agent going": "loop:start loop:verify loop:step loop:amend loop:import run:pause run:resume run:report",
  Maintain: "doctor config:show paths run:archive run:prune run:check run:repair run:replay uninstall completion help",
};

export interface CommandGroup {
  title: string;
  commands: CommandSpec[];
}

export function commandGroups(): CommandGroup[] {
  const grouped = Object.entries(GROUPS).map(([title, names]) => ({
    title,
    commands: names.split(" ").flatMap((name) => COMMANDS.filter((spec) => spec.name === name)),
  }));
  const others = COMMANDS.filter((spec) => !grouped.some(({ commands }) => commands.includes(spec)));
  return [...grouped, { title: "For scripts, agents and their hosts", commands: others }];
}
