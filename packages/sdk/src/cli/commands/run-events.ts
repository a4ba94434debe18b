import { eventFileName } from "../../journal/rules/chain.js";
import { openToLook } from "../../machine/choose-run.js";
import { listEvents } from "../../runs/describe-run.js";
import type { Command } from "../grammar/invocation.js";
import { numberOption } from "../grammar/parse-arguments.js";
import { alignColumns } from "../output/output.js";

export const command: Command = async (invocation) => {
  const { options, name } = invocation;
  const limit = numberOption(name, options, "limit");
  const journal = await openToLook(invocation, invocation.positionals[0]);
  const events = await listEvents(journal, {
    limit,
    reverse: options.flag("reverse"),
    type: options.text("filter-type"),
  });
  const { head } = journal.summary;
  const rows = events.map(({ seq, timestamp, type, invocationKey }) => [
    String(seq),
    timestamp,
    type,
    invocationKey ?? "",
  ]);
  return {
    document: {
      events: events.map((event) => ({
        ...event,
        filename: eventFileName(event),
        path: `journal/${eventFileName(event)}`,
      })),
      metadata: { runId: journal.runId, total: head.seq, returned: events.length, head },
    },
    text: events.length === 0 ? "No such events." : alignColumns(rows),
  };
};
