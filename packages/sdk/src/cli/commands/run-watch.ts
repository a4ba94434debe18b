/** `babysitter run:watch`: looks on while another program drives a run. */
import { openToLook } from "../../machine/choose-run.js";
import { listenToSignals } from "../../machine/driving/signals.js";
import { watchRun } from "../../machine/driving/watch-run.js";
import { runName } from "../../machine/run-name.js";
import { EXIT_CODES } from "../../model/error-codes.js";
import { statusOf } from "../../model/run-state.js";
import { ownRun } from "../arguments/own-run.js";
import type { Command } from "../grammar/invocation.js";
import { openProgressView } from "../progress/open-progress-view.js";

export const command: Command = async (invocation) => {
  const journal = await openToLook(invocation, invocation.positionals[0] || ownRun(invocation));
  const { runId, runDir } = journal;
  const name = runName(invocation, journal);
  const stop = new AbortController();
  let isReaderGone = false;
  const onGone = (): void => {
    isReaderGone = true;
    stop.abort();
  };
  const stopListening = listenToSignals(() => stop.abort());
  const view = openProgressView(invocation, { onGone });
  try {
    const ending = await watchRun(journal, { view, name, signal: stop.signal });
    if (ending !== undefined)
      return { document: { runId, runDir, ...ending }, text: "", exitCode: EXIT_CODES[ending.exit].exit };
    return {
      document: { runId, runDir, state: statusOf(journal.summary), detached: true },
      text: `Detached; this does not stop the run. To watch it again: babysitter run:watch ${name}`,
      exitCode: EXIT_CODES[isReaderGone ? "ok" : "interrupted"].exit,
    };
  } finally {
    stopListening();
    view.close();
  }
};
