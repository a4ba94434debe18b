import { describeRun } from "../../runs/describe-run.js";
import { openToLook, runName } from "../choose-run.js";
import type { Command } from "../invocation.js";
import { age, alignColumns } from "../output.js";
import { paintState } from "../paint.js";

export const command: Command = async (invocation) => {
  const journal = await openToLook(invocation, invocation.positionals[0]);
  const { paint } = invocation;
  const run = describeRun(journal, runName(invocation, journal));
  const now = journal.ports.clock.now();
  const lines = [
    alignColumns([
      ["run", run.runId],
      ["state", paintState(paint, run.state)],
      ["why", run.why],
      ["process", `${run.metadata.processId}  ${run.metadata.entry}`],
      ["age", `${age(run.metadata.createdAt, now)}, last event ${age(run.metadata.lastEventAt, now)} ago`],
      [
        "effects",
        `${run.metadata.effects.ok} done, ${run.metadata.effects.error} failed, ${run.pendingEffects.length} pending`,
      ],
      ...(run.completionProof === null ? [] : [["proof", run.completionProof]]),
    ]),
    alignColumns(
      run.pendingEffects
        .slice(0, 20)
        .map(({ effectId, kind, invocationKey, label, title, requestedAt }) => [
          "  ",
          effectId,
          kind,
          invocationKey,
          age(requestedAt, now),
          label ?? title ?? "",
        ]),
    ),
    run.next === undefined ? "" : `${paint("bold", "next:")} ${run.next}`,
  ];
  return { document: run, text: lines.filter((line) => line !== "").join("\n") };
};
