import { localLoopMaker, type Vouching } from "../../machine/loops/local-loop-maker.js";
import type { Invocation } from "../grammar/invocation.js";
import { sessionFilesOf } from "./session-of.js";

/** The machine as a command that begins or changes loops sees it. */
export function loopMakerOf(invocation: Invocation, vouching: Vouching = {}): ReturnType<typeof localLoopMaker> {
  return localLoopMaker(invocation, sessionFilesOf(invocation), vouching);
}
