/** Why a run is blocked, as data and as the error that people and agents are told. */
import { diffFile } from "../journal/rules/chain.js";
import type { FileChange, Gate } from "../model/code-versions.js";
import { BabysitterError } from "../model/errors.js";
import type { JsonObject } from "../model/json.js";
import type { BlockedRun } from "../model/run-state.js";
import { shownLine } from "../model/shown-text.js";
import { divergedError } from "./divergence-report.js";

/** Lists longer than this are cut in reports. */
const SHOWN = 20;

export function gatesReport(change: { lost: Gate[]; gained: Gate[]; files: FileChange[] }): JsonObject {
  const listed = (gates: Gate[]): JsonObject[] => gates.slice(0, SHOWN).map(({ file, text }) => ({ file, text }));
  return {
    missing: listed(change.lost),
    instead: listed(change.gained),
    files: change.files.slice(0, SHOWN).map((file) => ({ ...file })),
  };
}

/** The error behind a run that is blocked. */
export function blockedError(runId: string, blocked: Pick<BlockedRun, "report" | "code" | "seq">): BabysitterError {
  return blocked.code === "GATES_CHANGED" ? gatesError(runId, blocked) : divergedError(runId, blocked.report);
}

/** What a report lists, as it was recorded. */
interface Listed {
  file: string;
  text: string;
  path: string;
}

function gatesError(runId: string, { report, seq }: Pick<BlockedRun, "report" | "seq">): BabysitterError {
  const listed = (name: string): Listed[] => (report[name] ?? []) as unknown as Listed[];
  const missing = listed("missing");
  const files = listed("files").map(({ path }) => shownLine(path, 200));
  const lines = [
    `The process of run ${runId} no longer has ${missing.length === 1 ? "a breakpoint" : `${missing.length} breakpoints`} of the code that people agreed to.`,
    ...missing.map((gate) => `  missing ${callOf(gate)}`),
    ...listed("instead").map((gate) => `  instead ${callOf(gate)}`),
    ...(files.length === 0 ? [] : [`  changed: ${files.join(", ")}`]),
  ];
  return new BabysitterError("GATES_CHANGED", lines.join("\n"), {
    hint: [
      "Nothing was executed. Options:",
      "Restore the breakpoints as they were, then iterate again.",
      `If the change is wanted, a person accepts the code: \`/babysitter:approve ${runId}\` in the agent's session, or \`babysitter run:accept-code ${runId}\` in a terminal. An agent cannot do it.`,
      `What changed: ${diffFile({ seq })} in the run directory.`,
    ].join("\n  - "),
    details: report,
  });
}

function callOf({ file, text }: Listed): string {
  return `(${shownLine(file, 200)}): breakpoint(${shownLine(text, 200)})`;
}
