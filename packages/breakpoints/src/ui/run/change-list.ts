/** What was changed under way in a run: its code, and what was agreed on. Pure. */
import type { JournalEvent, RunSummary } from "@a5c-ai/babysitter-sdk/view";

export interface CodeNote {
  seq: number;
  at: string;
  files: string[];
  /** Breakpoints that the code lacks from there on. */
  lost: string[];
  /** By whom, when people have agreed to it. */
  accepted: string | undefined;
}

export type ContractNote = Pick<NonNullable<RunSummary["loop"]>["contractChanges"][number], "at" | "terms">;

export interface ChangeList {
  code: CodeNote[];
  contract: ContractNote[];
}

export function changeNotes(events: readonly JournalEvent[], state: RunSummary | undefined): ChangeList {
  return {
    code: events.flatMap((event) =>
      event.type === "CODE_CHANGED" || event.type === "CODE_ACCEPTED" ? [codeNote(event)] : [],
    ),
    contract: (state?.loop?.contractChanges ?? []).filter(({ terms }) => terms.length > 0),
  };
}

function codeNote(event: Extract<JournalEvent, { type: "CODE_CHANGED" | "CODE_ACCEPTED" }>): CodeNote {
  const { files, lost } = event.payload;
  return {
    seq: event.seq,
    at: event.timestamp,
    files: files.map(({ path }) => path),
    lost: lost.map(({ file, text }) => `${file}: ${text}`),
    accepted: event.type === "CODE_ACCEPTED" ? event.payload.by : undefined,
  };
}
