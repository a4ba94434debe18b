import os from "node:os";
import path from "node:path";
import { InboxAccess } from "../../inbox/inbox-access.js";
import { SeenQuestions } from "../../inbox/seen-questions.js";
import { removeServerRecord, type ServerRecord, writeServerRecord } from "../../inbox/server-record.js";
import type { Ports } from "../../model/ports.js";
import { type KnownProject, listProjects } from "../../sessions/project-registry.js";
import { sessionPlaces } from "../../sessions/session-places.js";
import { refOf } from "../../spawn/process-group-ref.js";
import { runningServer } from "../inbox/running-inbox.js";
import { localPorts } from "../local-ports.js";
import { sdkAccess } from "../sdk-access.js";
import type { Desk } from "./desk.js";
import { hooksCalled } from "./hook-calls.js";

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
  /** The server of this person, if one answers. */
  running(): Promise<ServerRecord | undefined>;
  /** Notes that this process is that server, for whoever looks for it; answers the note. */
  announce(ports: { port: number; apiPort: number }): ServerRecord;
  /** Takes the note away, unless it has become another process's. */
  withdraw(): void;
  /** Every hook has been called that decisions and questions of this program have called for so far. */
  hooksCalled(): Promise<void>;
}

/** The desk of whoever runs this program. */
export function openDesk({
  env = process.env,
  now = () => new Date(),
}: {
  env?: NodeJS.ProcessEnv;
  now?: () => Date;
} = {}): InboxDesk {
  const { home } = sessionPlaces({ env, cwd: "/" });
  const folder = path.join(home, "inbox");
  return {
    env,
    folder,
    access: new InboxAccess({ home, now }),
    seen: new SeenQuestions({ home, now }),
    projects: () => listProjects(home),
    running: () => runningServer(folder),
    announce: (ports) => {
      const { marker: _, ...own } = refOf(process.pid, "");
      const record = { ...own, host: os.hostname(), ...ports, since: now().toISOString() };
      writeServerRecord(folder, record);
      return record;
    },
    withdraw: () => removeServerRecord(folder),
    hooksCalled,
  };
}
