import { openToLook } from "../../machine/choose-run.js";
import { listTasks } from "../../runs/describe-task.js";
import type { Command } from "../grammar/invocation.js";
import { fitColumns } from "../output/for-screen.js";
import { age } from "../output/output.js";

export const command: Command = async (invocation) => {
  const { options } = invocation;
  const journal = await openToLook(invocation, invocation.positionals[0]);
  const tasks = await listTasks(journal, { pending: options.flag("pending"), kind: options.text("kind") });
  const now = journal.ports.clock.now();
  const rows = tasks.map(({ effectId, kind, status, invocationKey, requestedAt, label, title }) => [
    effectId,
    kind,
    status,
    invocationKey,
    age(requestedAt, now),
    label ?? title ?? "",
  ]);
  const text =
    tasks.length === 0
      ? "No matching effects."
      : fitColumns([["EFFECT", "KIND", "STATUS", "KEY", "AGE", "TITLE"], ...rows]);
  return { document: { tasks }, text };
};
