/** What a program that stands between people and runs has at hand. */
import path from "node:path";
import type { InboxAccess } from "../../inbox/inbox-access.js";
import type { RunJournal } from "../../runs/run-journal.js";
import type { Caller, Environment } from "../caller.js";
import { findPlaces } from "../file-places.js";

export interface Desk {
  access: InboxAccess;
  env: Environment;
  /** The command line that hooks are to find. */
  program?: string | undefined;
}

/** Such a program as one that calls use cases for the project of a run. */
export function deskCaller({ env, program }: Pick<Desk, "env" | "program">, { runDir, place }: RunJournal): Caller {
  const cwd = place.projectRoot;
  return {
    cwd,
    env,
    program,
    flags: {},
    places: () => ({ ...findPlaces({ runsDir: path.dirname(runDir), cwd, env }), projectRoot: cwd }),
  };
}
