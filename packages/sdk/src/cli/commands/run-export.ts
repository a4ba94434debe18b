import { openToLook } from "../../machine/choose-run.js";
import { runInboxProgram } from "../../machine/inbox/run-inbox-program.js";
import { toMermaid } from "../../timeline/mermaid.js";
import { toSvg } from "../../timeline/svg.js";
import { type Timeline, timelineOf } from "../../timeline/timeline.js";
import type { Command, CommandResult, Invocation } from "../grammar/invocation.js";
import { usageError } from "../grammar/parse-arguments.js";

const PICTURES: Readonly<Record<string, (timeline: Timeline) => string>> = { mermaid: toMermaid, svg: toSvg };
const FORMATS = [...Object.keys(PICTURES), "html"];
/** They are about the file that holds the whole run. */
const OF_HTML = ["redact", "preview", "force"] as const;

/** A run as a picture on stdout, or as a file that shows all of it. */
export const command: Command = async (invocation) => {
  const { options, positionals } = invocation;
  const journal = await openToLook(invocation, positionals[0]);
  const [format, ...others] = FORMATS.filter((name) => options.flag(name));
  if (format === undefined || others.length > 0)
    throw usageError(
      invocation,
      "Choose one format: --mermaid (a flowchart), --svg (a waterfall) or --html (a file that shows the whole run).",
    );
  if (format === "html") return exportHtml(invocation, journal.runDir);
  const stray = [
    ...OF_HTML.filter((name) => options.flag(name)),
    ...(options.text("out") === undefined ? [] : ["out"]),
  ];
  if (stray.length > 0) throw usageError(invocation, `--${stray[0]} needs --html.`);
  const events = (await journal.ports.store.read(journal.runId, undefined)) ?? [];
  const timeline = timelineOf(events, journal.ports.clock.now());
  const text = PICTURES[format]?.(timeline) ?? "";
  return { document: { runId: journal.runId, format, text, timeline }, text: "", raw: text };
};

/** The program of the inbox has the pages, and writes them. */
async function exportHtml({ env, json, options }: Invocation, runDir: string): Promise<CommandResult> {
  const out = options.text("out");
  const flags = [...OF_HTML.filter((name) => options.flag(name)), ...(json ? ["json"] : [])].map((name) => `--${name}`);
  const words = ["export", ...flags, ...(out === undefined ? [] : [`--out=${out}`]), "--", runDir];
  return { document: {}, text: "", raw: "", exitCode: await runInboxProgram(env, words) };
}
