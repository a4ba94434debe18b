/** Chooses how `babysitter run` shows what happens: a live picture, plain lines, or both for scripts. */

import type { Asker, ProgressView } from "../../drive/progress.js";
import type { Invocation } from "../grammar/invocation.js";
import { isTerminal } from "../output/is-terminal.js";
import { writeIfPossible } from "../output/output.js";
import { makePaint } from "../output/paint.js";
import { askOnTerminal } from "./ask-terminal.js";
import { canAsk } from "./confirm.js";
import { type LiveView, openLiveView } from "./live-view.js";
import { openPlainView } from "./plain-view.js";
import { TaskLogs } from "./task-logs.js";

interface ViewOptions {
  /** Of someone who only looks on, at a run that another program drives: called when nobody reads any more. */
  onGone?: () => void;
}

export function openProgressView(invocation: Invocation, { onGone }: ViewOptions = {}): ProgressView {
  const { json, env, paint, options } = invocation;
  const logs = options.flag("logs");
  if (json) {
    // The one document belongs to stdout; whoever looks on reads the rest here.
    const plain = openPlainView({
      write: (text) => writeIfPossible(2, text),
      paint: makePaint(isTerminal(2), env),
      logs,
    });
    return { take: (progress) => plain.take(progress), asker: undefined, close: () => undefined };
  }
  const asker = onGone === undefined && canAsk(invocation) ? askHere(invocation) : undefined;
  if (!isTerminal(1) || options.flag("plain") || logs || env["CI"] || env["TERM"] === "dumb") {
    const write = (text: string): void => void (writeIfPossible(1, text) || onGone?.());
    const plain = openPlainView({ write, paint, logs });
    return { take: (progress) => plain.take(progress), asker, close: () => plain.close() };
  }
  const live = openLiveView({ stream: process.stdout, env });
  if (onGone !== undefined) return lookingOn(live);
  return {
    take: (progress) => live.take(progress),
    close: () => live.close(),
    asker:
      asker === undefined
        ? undefined
        : async (...asked) => {
            live.suspend();
            try {
              return await asker(...asked);
            } finally {
              live.resume();
            }
          },
  };
}

/** How often to look for what tasks of others have printed. */
const LOOK_MS = 250;

/** A driver tells what its tasks print; of a run that is driven elsewhere it is in the logs. */
function lookingOn(live: LiveView): ProgressView {
  const logs = new TaskLogs();
  const timer = setInterval(() => {
    for (const { effectId, line } of logs.news()) if (line.trim() !== "") live.take({ type: "output", effectId, line });
  }, LOOK_MS);
  return {
    asker: undefined,
    take: (progress) => {
      logs.take(progress);
      live.take(progress);
    },
    close: () => {
      clearInterval(timer);
      live.close();
    },
  };
}

function askHere({ paint }: Invocation): Asker {
  return askOnTerminal({ input: process.stdin, output: process.stdout, paint });
}
