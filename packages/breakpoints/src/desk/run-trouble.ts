/** What keeps a run from going on until a person does something. What heals itself is none of it. */
import path from "node:path";
import { type RunSummary, statusOf } from "@a5c-ai/babysitter-sdk/operate";
import { pauseReason } from "@a5c-ai/babysitter-sdk/view";
import type { RunReading } from "../index/question-index.js";

type Trouble = NonNullable<RunReading["trouble"]>;

/** Nobody reads more of it in a message. */
const LONGEST = 500;

export function runTrouble({ projectRoot }: { projectRoot: string }, summary: RunSummary): Trouble | undefined {
  const found = troubleIn(summary);
  if (found === undefined) return undefined;
  const { runId, processId } = summary.created;
  return {
    ...found,
    why: found.why.slice(0, LONGEST),
    run: { id: runId, process: processId },
    project: { name: path.basename(projectRoot) || projectRoot, root: projectRoot },
  };
}

function troubleIn(summary: RunSummary): Pick<Trouble, "state" | "why" | "at"> | undefined {
  const { blocked, failed, loop } = summary;
  const status = statusOf(summary);
  if (status === "blocked" && blocked !== undefined)
    return { state: "blocked", why: whyBlocked(blocked.code), at: blocked.at };
  if (status === "failed" && failed !== undefined) return { state: "failed", why: textOf(failed.error), at: failed.at };
  const isOver = status === "completed" || status === "cancelled";
  // What a person, or their agent, has paused is as they want it.
  if (isOver || loop?.paused?.by !== "engine") return undefined;
  return { state: "paused", why: whyPaused(loop.paused), at: loop.paused.at };
}

function whyPaused(paused: { message?: unknown }): string {
  const message = textOf(paused);
  return pauseReason({ message }) ?? message;
}

function whyBlocked(code: string | undefined): string {
  return code === "GATES_CHANGED"
    ? "its code has lost questions that people had agreed to"
    : "its code no longer fits what was recorded";
}

/** From a journal, where anything may stand. */
function textOf(error: { message?: unknown; name?: unknown }): string {
  const { message, name } = error ?? {};
  return typeof message === "string" && message !== "" ? message : nameOf(name);
}

function nameOf(name: unknown): string {
  return typeof name === "string" && name !== "" ? name : "an error";
}
