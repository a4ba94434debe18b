/** Why a loop is paused, in rows that say already that it is. */
import type { LoopPaused } from "./loop-events.js";

/** What is recorded where a person gave no reason. */
export const NO_REASON = "No reason was given.";

/** The heading for whoever reads nothing else. */
const HEADING = /^\p{Emoji}\ufe0f? +Babysitter (?:run|loop): (?:paused, because )?/u;
/** A command for the session that was in front of the reader then; rows come with commands of their own. */
const COMMAND = / (?:To accept the changes|Add one|To resume|To continue without the limit): babysitter .*$/su;

/** The reason alone; undefined where none was given. */
export function pauseReason({ message = "" }: { message?: string }): string | undefined {
  const reason = message.replace(HEADING, "").replace(COMMAND, "");
  return reason === "" || reason === NO_REASON ? undefined : reason;
}

/** The same as a sentence, which names the person who paused it. */
export function pauseWords(paused: LoopPaused): string {
  const reason = pauseReason(paused);
  const { by, source } = paused;
  if (by !== "person") return reason === undefined ? "It is paused." : `It is paused: ${reason}`;
  return `${source?.by ?? "A person"} paused it${reason === undefined ? "." : `: ${reason}`}`;
}
