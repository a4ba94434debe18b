/** Goes along the chain from the agent host to the journal, and says how to fix what is broken. */

import type { Finding, Level } from "../../hosts/finding.js";
import type { Caller } from "../../machine/caller.js";
import { findingsOf } from "../../machine/doctor/findings.js";
import { inspectSetup } from "../../machine/doctor/inspect-setup.js";
import { counted } from "../../model/shown-amounts.js";
import { shownMessage } from "../../model/shown-text.js";
import type { CommandResult } from "../grammar/invocation.js";
import type { Paint } from "../output/paint.js";
import { onScreen } from "../output/wrapped.js";

const MARKS: Readonly<Record<Level, [colour: "green" | "yellow" | "red", mark: string]>> = {
  ok: ["green", "✓"],
  warning: ["yellow", "!"],
  problem: ["red", "✗"],
};

export async function doctorAnswer(caller: Caller, paint: Paint): Promise<CommandResult> {
  const findings = findingsOf(await inspectSetup(caller));
  const problems = findings.filter(({ level }) => level === "problem").length;
  const warnings = findings.filter(({ level }) => level === "warning").length;
  return {
    document: { ok: problems === 0, problems, warnings, findings },
    text: [...findings.map((finding) => rendered(finding, paint)), "", summary(problems, warnings)].join("\n"),
    exitCode: problems === 0 ? 0 : 1,
  };
}

function rendered({ check, level, text, fix }: Finding, paint: Paint): string {
  const [colour, mark] = MARKS[level];
  const said = onScreen(`${paint(colour, mark)} ${check}: ${shownMessage(text)}`, "  ");
  if (fix === undefined) return said;
  const todo = `    fix: ${shownMessage(fix)}`;
  // A sentence begins with a capital letter. Everything else is a command, and stays in one piece.
  const shown = /^[A-Z]/u.test(fix) ? onScreen(todo, " ".repeat(9)) : todo;
  return `${said}\n${shown.replace("fix:", paint("bold", "fix:"))}`;
}

function summary(problems: number, warnings: number): string {
  if (problems > 0) return `${counted(problems, "problem")} to fix, ${counted(warnings, "warning")}.`;
  return warnings > 0 ? `No problems; ${counted(warnings, "warning")}.` : "No problems found.";
}
