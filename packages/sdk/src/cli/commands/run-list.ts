import { listAnswer } from "../answers/run-list.js";
import { filterOf } from "../arguments/run-filter.js";
import type { Command } from "../grammar/invocation.js";
import { numberOption } from "../grammar/parse-arguments.js";

/** More than people read; programs get everything. */
const MOST_SHOWN = 100;

export const command: Command = async (invocation) => {
  const { options, paint, name, json } = invocation;
  const limit = numberOption(name, options, "limit") ?? (json ? 0 : MOST_SHOWN);
  return listAnswer(invocation, {
    open: options.flag("open"),
    archived: options.flag("archived"),
    filter: filterOf(invocation, new Date()),
    most: limit === 0 ? undefined : limit,
    paint,
  });
};
