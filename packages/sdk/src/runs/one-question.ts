/** A question without a process of the user's: a run of its own, whose process asks and returns the answer. */
import type { RunId } from "../model/ids.js";
import type { Ports } from "../model/ports.js";
import type { RunSummary } from "../model/run-state.js";
import { LiveRun } from "./live-run.js";

export const ONE_QUESTION = {
  processId: "babysitter/question",
  /** A new name for every new text: runs that are open keep the process that they began with. */
  file: "one-question-1.mjs",
  text: `// Asks one question and returns the answer. Written by \`babysitter breakpoint:create\`; its runs replay with it.
export async function process(inputs, ctx) {
  const { approved, ...answer } = await ctx.breakpoint(inputs);
  return { approved, ...answer };
}
`,
} as const;

/** True for runs that consist of one question. */
export function isOneQuestion({ created }: RunSummary): boolean {
  return created.processId === ONE_QUESTION.processId && created.entry.path.split("/").at(-1) === ONE_QUESTION.file;
}

/** Gives the process of such a run what is new: first it asks, and with an answer it ends. */
export async function advanceOneQuestion(ports: Ports, runId: RunId, quietLimitMs: number): Promise<LiveRun> {
  const run = await LiveRun.open(ports, runId, { quietLimitMs });
  try {
    await run.iterate();
  } finally {
    await run.close();
  }
  return run;
}
