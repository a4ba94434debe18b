import { openToLook } from "../../machine/choose-run.js";
import { toMermaid } from "../../timeline/mermaid.js";
import { toSvg } from "../../timeline/svg.js";
import { type Timeline, timelineOf } from "../../timeline/timeline.js";
import type { Command } from "../grammar/invocation.js";
import { usageError } from "../grammar/parse-arguments.js";

const FORMATS: Readonly<Record<string, (timeline: Timeline) => string>> = { mermaid: toMermaid, svg: toSvg };

/** A run as a picture, on stdout. */
export const command: Command = async (invocation) => {
  const { options, positionals } = invocation;
  const journal = await openToLook(invocation, positionals[0]);
  const [format, ...others] = Object.keys(FORMATS).filter((name) => options.flag(name));
  if (format === undefined || others.length > 0)
    throw usageError(invocation, "Choose one format: --mermaid (a flowchart) or --svg (a waterfall).");
  const events = (await journal.ports.store.read(journal.runId, undefined)) ?? [];
  const timeline = timelineOf(events, journal.ports.clock.now());
  const text = FORMATS[format]?.(timeline) ?? "";
  return { document: { runId: journal.runId, format, text, timeline }, text: "", raw: text };
};
