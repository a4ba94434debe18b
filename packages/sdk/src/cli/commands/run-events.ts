import { eventFileName } from "../../journal/rules/chain.js";
import { openToLook } from "../../machine/choose-run.js";
import { listenToSignals } from "../../machine/driving/signals.js";
import { isOver } from "../../machine/driving/watch-run.js";
import type { JournalEvent } from "../../model/events.js";
import { shownLine } from "../../model/shown-text.js";
import { inLine } from "../../model/terminal-text.js";
import { listEvents } from "../../runs/list-events.js";
import type { RunJournal } from "../../runs/run-journal.js";
import { waitFor } from "../../runs/wait-for.js";
import type { Command, CommandResult, Invocation } from "../grammar/invocation.js";
import { numberOption, usageError } from "../grammar/parse-arguments.js";
import { fitColumns } from "../output/for-screen.js";
import { writeFully } from "../output/output.js";

export const command: Command = async (invocation) => {
  const { options, name } = invocation;
  const limit = numberOption(name, options, "limit");
  const journal = await openToLook(invocation, invocation.positionals[0]);
  const type = options.text("filter-type");
  if (options.flag("follow")) return follow(invocation, journal, { limit, type });
  const events = await listEvents(journal, { limit, reverse: options.flag("reverse"), type });
  const { head } = journal.summary;
  return {
    document: {
      events: events.map(eventDocument),
      metadata: { runId: journal.runId, total: head.seq, returned: events.length, head },
    },
    text: events.length === 0 ? "No matching events." : fitColumns(events.map(rowOf)),
  };
};

function eventDocument(event: JournalEvent): object {
  return { ...event, filename: eventFileName(event), path: `journal/${eventFileName(event)}` };
}

function rowOf(event: JournalEvent): string[] {
  const { seq, timestamp, type, invocationKey } = event;
  return [String(seq), timestamp, type, invocationKey ?? gistOf(event)];
}

/** What people look for in an event that belongs to no step. */
function gistOf(event: JournalEvent): string {
  if (event.type === "STOP_HOOK_INVOKED") return `${event.payload.decision} ${event.payload.reason}`;
  if (event.type !== "HOOK_DISPATCHED") return "";
  const { hookType, hooks } = event.payload;
  const ends = hooks.map(
    ({ name, status, problem }) =>
      `${name} ${status === "ok" || problem === undefined ? status : `failed: ${shownLine(problem, 80)}`}`,
  );
  return [hookType, ...ends].join(", ");
}

/** The last events first, then each as it comes: a line of text, or of JSON. */
async function follow(
  invocation: Invocation,
  journal: RunJournal,
  { limit, type }: { limit: number | undefined; type: string | undefined },
): Promise<CommandResult> {
  const { options, json } = invocation;
  if (options.flag("reverse")) throw usageError(invocation, "--follow prints the newest events last; omit --reverse.");
  const stop = new AbortController();
  const print = (event: JournalEvent): void => {
    const text = json ? JSON.stringify(eventDocument(event)) : lineOf(event);
    if (!stop.signal.aborted && !writeFully(1, `${text}\n`)) stop.abort();
  };
  const isWanted = (event: JournalEvent): boolean =>
    type === undefined || event.type.toLowerCase() === type.toLowerCase();
  const past = await listEvents(journal, { limit, reverse: limit !== undefined, type });
  for (const event of limit === undefined ? past : past.toReversed())
    if (event.seq <= journal.summary.head.seq) print(event);
  const stopListening = listenToSignals(() => stop.abort());
  try {
    await waitFor(
      journal,
      (news) => {
        for (const event of news.filter(isWanted)) print(event);
        return isOver(journal) ? true : undefined;
      },
      { signal: stop.signal },
    );
  } catch (error) {
    if (!stop.signal.aborted) throw error;
  } finally {
    stopListening();
  }
  return { document: {}, text: "", raw: "" };
}

/** Columns that do not depend on the lines to come. */
function lineOf(event: JournalEvent): string {
  const [seq = "", timestamp = "", type = "", key = ""] = rowOf(event).map(inLine);
  return fitColumns([[seq.padEnd(4), timestamp, type.padEnd(21), key]]);
}
