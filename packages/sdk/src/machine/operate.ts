import path from "node:path";
import { InboxAccess } from "../inbox/inbox-access.js";
import { SeenQuestions } from "../inbox/seen-questions.js";
import type { Ports } from "../model/ports.js";
import { type KnownProject, listProjects } from "../sessions/project-registry.js";
import { sessionPlaces } from "../sessions/session-places.js";
import type { Desk } from "./decide-with-evidence.js";
import { localPorts } from "./local-ports.js";
import { sdkAccess } from "./sdk-access.js";

/** The runs in a directory of this machine, for the use cases of `./operate`. */
export function openRuns({ runsDir, env = process.env }: { runsDir: string; env?: NodeJS.ProcessEnv }): Ports {
  return localPorts({ runsDir, sdk: sdkAccess(), env });
}

/** What this person's inbox knows: which projects they have, and which browsers and keys are theirs. */
export interface InboxDesk extends Desk {
  /** The folder for whatever else the inbox keeps. */
  folder: string;
  /** Which questions were looked at, and when first. */
  seen: SeenQuestions;
  projects(): KnownProject[];
}

export function openDesk({
  env = process.env,
  now = () => new Date(),
}: {
  env?: NodeJS.ProcessEnv;
  now?: () => Date;
} = {}): InboxDesk {
  const { home } = sessionPlaces({ env, cwd: "/" });
  return {
    env,
    folder: path.join(home, "inbox"),
    access: new InboxAccess({ home, now }),
    seen: new SeenQuestions({ home, now }),
    projects: () => listProjects(home),
  };
}
