/** Goes along the chain from the agent host to the journal, and says how to fix what is broken. */

import type { Finding, Level } from "../../hosts/finding.js";
import type { Caller } from "../../machine/caller.js";
import { findingsOf } from "../../machine/doctor/findings.js";
import { inspectSetup } from "../../machine/doctor/inspect-setup.js";
import { shownMessage } from "../../model/shown-text.js";
import type { CommandResult } from "../grammar/invocation.js";
import type { Paint } from "../output/paint.js";

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
  const said = `${paint(colour, mark)} ${check}: ${shownMessage(text)}`;
  return fix === undefined ? said : `${said}\n    ${paint("bold", "fix:")} ${shownMessage(fix)}`;
}

function summary(problems: number, warnings: number): string {
  if (problems > 0) return `${problems} problem(s) to fix, ${warnings} warning(s).`;
  return warnings > 0 ? `It works; ${warnings} warning(s).` : "Everything is in order.";
}
