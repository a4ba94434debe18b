import os from "node:os";
import path from "node:path";
import { InboxAccess } from "../../inbox/inbox-access.js";
import { SeenQuestions } from "../../inbox/seen-questions.js";
import { removeServerRecord, type ServerRecord, writeServerRecord } from "../../inbox/server-record.js";
import type { RunId } from "../../model/ids.js";
import type { Ports } from "../../model/ports.js";
import type { Report } from "../../model/report.js";
import { Channels } from "../../notify/channels.js";
import { Chats } from "../../notify/chats.js";
import { Outbox } from "../../notify/outbox.js";
import type { DecisionWords } from "../../runs/decide-breakpoint.js";
import type { ReportWindow } from "../../runs/report-runs.js";
import type { RunJournal } from "../../runs/run-journal.js";
import type { Driving } from "../../runs/standing.js";
import { type KnownProject, listProjects } from "../../sessions/project-registry.js";
import { sessionPlaces } from "../../sessions/session-places.js";
import { refOf } from "../../spawn/process-group-ref.js";
import { type NotifySettings, readNotifySettings } from "../inbox/inbox-settings.js";
import { requirePerson } from "../inbox/person-only.js";
import { runningServer } from "../inbox/running-inbox.js";
import { localPorts } from "../local-ports.js";
import { reportEverywhere } from "../report-everywhere.js";
import { sdkAccess } from "../sdk-access.js";
import { type ButtonPlace, offerComment, offerDecision } from "./decide-with-evidence.js";
import type { Desk } from "./desk.js";
import { drivingOf, glanceAtRun, isArchived, type RunGlance, type RunTexts, textsOfRun } from "./glance-at-run.js";
import { hooksCalled } from "./hook-calls.js";
import {
  checkRun,
  lookAtRun,
  type RunIntegrity,
  type RunLook,
  type ValueLimits,
  ViewedEvents,
  type WholeEvents,
  wholeEvents,
} from "./look-at-run.js";
import { claimWorker, hasWorker, type WorkerClaim } from "./worker-claim.js";

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
  /** What was sent to this person, and what came of it. */
  outbox: Outbox;
  /** How this person wants to be reached. */
  channels: Channels;
  notifySettings(): NotifySettings;
  /** Undefined while another worker sends and listens. */
  claimWorker(): Promise<WorkerClaim | undefined>;
  /** Whether some worker, of this process or another, does. */
  hasWorker(): Promise<boolean>;
  /** The button that decides when it is tapped in a person's chat; with `after`, the second of two. */
  offerDecision(journal: RunJournal, words: DecisionWords, place: ButtonPlace): Promise<string>;
  /** The button that adds a comment when it is tapped in a person's chat. */
  offerComment(words: { effectId: string; text: string }, place: Pick<ButtonPlace, "channel" | "about">): string;
  /** Where a run stands, who works on it, and what to do next. */
  look(journal: RunJournal): Promise<RunLook>;
  /** The same as a card on a board needs it, which costs little. */
  glance(journal: RunJournal): Promise<RunGlance>;
  /** What whoever searches may look for in a run. */
  texts(journal: RunJournal): Promise<RunTexts>;
  /** Who works on a run just now; it need not be opened for that. */
  driving(ports: Ports, runId: RunId): Promise<Driving>;
  /** Whether a run was put away, from where it can be brought back. */
  isArchived(ports: Ports, runId: RunId): Promise<boolean>;
  /** Whether the journal of a run is whole. */
  check(journal: RunJournal): Promise<RunIntegrity>;
  /** The events of a run, as pages get them. */
  viewed(journal: RunJournal): ViewedEvents;
  /** The events of a run with their values, for whoever takes the run elsewhere. */
  whole(journal: RunJournal, limits: ValueLimits): Promise<WholeEvents>;
  /** Refuses whoever is not a person at a terminal; `what` ends the sentence "only a person may …". */
  requirePerson(what: string): void;
  projects(): KnownProject[];
  /** What happened in all of them since then, and what waits for this person; `until` is now, if it is left out. */
  report(window: ReportWindow): Promise<Report>;
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
  const chats = new Chats({ home, now });
  return {
    env,
    folder,
    access: new InboxAccess({ home, now }),
    chats,
    outbox: new Outbox({ home, now }),
    channels: new Channels({ home }),
    notifySettings: () => readNotifySettings(env),
    claimWorker: () => claimWorker(folder, now),
    hasWorker: () => hasWorker(folder, now),
    offerDecision: (journal, words, place) => offerDecision({ chats }, journal, words, place),
    offerComment: (words, place) => offerComment({ chats }, words, place),
    look: lookAtRun,
    glance: glanceAtRun,
    texts: textsOfRun,
    driving: drivingOf,
    isArchived,
    check: checkRun,
    viewed: (journal) => new ViewedEvents(journal),
    whole: wholeEvents,
    requirePerson: (what) => requirePerson(env, what),
    seen: new SeenQuestions({ home, now }),
    projects: () => listProjects(home),
    report: (window) => reportEverywhere(env, window),
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
