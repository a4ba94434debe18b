/** Chooses how `babysitter run` shows what happens: a live picture, plain lines, or both for scripts. */

import { isatty } from "node:tty";
import type { Asker, ProgressView } from "../../drive/progress.js";
import { isAgentEnvironment } from "../../hosts/environments.js";
import type { Invocation } from "../grammar/invocation.js";
import { writeIfPossible } from "../output/output.js";
import { makePaint } from "../output/paint.js";
import { askOnTerminal } from "./ask-terminal.js";
import { openLiveView } from "./live-view.js";
import { openPlainView } from "./plain-view.js";

export function openProgressView(invocation: Invocation): ProgressView {
  const { json, env, paint, options } = invocation;
  if (json) {
    // The one document belongs to stdout; whoever looks on reads the rest here.
    const plain = openPlainView({ write: (text) => writeIfPossible(2, text), paint: makePaint(isatty(2), env) });
    return { take: (progress) => plain.take(progress), asker: undefined, close: () => undefined };
  }
  const asker = isatty(0) && isatty(1) && !isAgentEnvironment(env) ? askHere(invocation) : undefined;
  if (!isatty(1) || options.flag("plain") || env["CI"] || env["TERM"] === "dumb") {
    const plain = openPlainView({ write: (text) => writeIfPossible(1, text), paint });
    return { take: (progress) => plain.take(progress), asker, close: () => plain.close() };
  }
  const live = openLiveView({ stream: process.stdout, env });
  return {
    take: (progress) => live.take(progress),
    close: () => live.close(),
    asker:
      asker === undefined
        ? undefined
        : async (question, signal) => {
            live.suspend();
            try {
              return await asker(question, signal);
            } finally {
              live.resume();
            }
          },
  };
}

function askHere({ paint }: Invocation): Asker {
  return askOnTerminal({ input: process.stdin, output: process.stdout, paint });
}
