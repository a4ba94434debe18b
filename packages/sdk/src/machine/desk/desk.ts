/** What a program that stands between people and runs has at hand. */
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import type { InboxAccess } from "../../inbox/inbox-access.js";
import type { Chats } from "../../notify/chats.js";
import type { RunJournal } from "../../runs/run-journal.js";
import type { Caller, Environment } from "../caller.js";
import { findPlaces } from "../file-places.js";

export interface Desk {
  access: InboxAccess;
  chats: Chats;
  env: Environment;
}

/** Such a program as one that calls use cases for the project of a run. */
export function deskCaller({ env }: Pick<Desk, "env">, { runDir, place }: RunJournal): Caller {
  const cwd = place.projectRoot;
  return {
    cwd,
    env,
    program: ownCommandLine(),
    flags: {},
    places: () => ({ ...findPlaces({ runsDir: path.dirname(runDir), cwd, env }), projectRoot: cwd }),
  };
}

/** The command line that this file was built with: hooks find it on their PATH. */
function ownCommandLine(): string | undefined {
  const program = path.join(path.dirname(fileURLToPath(import.meta.url)), "babysitter.cjs");
  return fs.existsSync(program) ? program : undefined;
}
