/** Remembers where runs are, so that the files of sessions can be found again from the journals. */
import { BabysitterError } from "../../model/errors.js";
import { rememberProject } from "../../sessions/project-registry.js";
import type { Invocation } from "../grammar/invocation.js";
import { placesOf } from "./session-of.js";

/** The run is there already; a list that cannot be written is no reason to say that it is not. */
export function rememberPlace(invocation: Invocation): void {
  const { projectRoot, runsDir } = invocation.places();
  try {
    rememberProject(placesOf(invocation).home, { projectRoot, runsDir, at: new Date().toISOString() });
  } catch (error) {
    if (!BabysitterError.is(error)) throw error;
  }
}
