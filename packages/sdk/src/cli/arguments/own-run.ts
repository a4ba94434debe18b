import type { DefaultChoice } from "../../machine/choose-run.js";
import type { Invocation } from "../grammar/invocation.js";
import { sessionFilesOf, sessionOf } from "./session-of.js";

/** The run of the session in whose shell the command runs. */
export function ownRun(invocation: Invocation): string | undefined {
  const sessionId = sessionOf(invocation);
  if (sessionId === undefined) return undefined;
  const found = sessionFilesOf(invocation).find(sessionId);
  return found.kind === "found" ? found.session.runDir : undefined;
}

/** Whoever types `loop:status` means a loop, also when it is the same command as `run:status`. */
export function defaultChoice({ calledAs }: Invocation): DefaultChoice {
  return { loops: calledAs?.startsWith("loop:") ?? false };
}
