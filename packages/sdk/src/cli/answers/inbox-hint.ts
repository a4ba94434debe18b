/** Tells people that questions can be answered in the browser: only people, and only where the inbox is installed. */
import { stripVTControlCharacters } from "node:util";
import type { ProgressView } from "../../drive/progress.js";
import { isAgentEnvironment } from "../../hosts/environments.js";
import { isInboxInstalled } from "../../machine/inbox/describe-inbox.js";
import type { Invocation } from "../grammar/invocation.js";
import { displayWidth } from "../output/display-width.js";
import { screenHere } from "../output/for-screen.js";
import { isTerminal } from "../output/is-terminal.js";

type Reader = Pick<Invocation, "env" | "json">;

const COMMAND = "babysitter ui";

/** A line about a question, with the other way behind it where that fits. */
export function withInboxHint(line: string, reader: Reader): string {
  const longer = `${line}, or ${COMMAND}`;
  const fits = displayWidth(stripVTControlCharacters(longer)) <= screenHere().columns;
  return fits && canOpen(reader) ? longer : line;
}

/** The same for the end of a run that waits for an answer. */
export function withInbox(view: ProgressView, reader: Reader): ProgressView {
  return {
    asker: view.asker,
    close: () => view.close(),
    take: (progress) => {
      const waits = progress.type === "ended" && progress.ending.waitingFor.some(({ kind }) => kind === "breakpoint");
      if (!waits || progress.ending.exit !== "waiting" || !canOpen(reader)) return view.take(progress);
      const { ending } = progress;
      const next = [{ command: COMMAND, about: "answer in the browser" }, ...ending.next];
      return view.take({ type: "ended", ending: { ...ending, next } });
    },
  };
}

function canOpen({ env, json }: Reader): boolean {
  return !json && isTerminal(1) && !isAgentEnvironment(env) && isInboxInstalled(env);
}
