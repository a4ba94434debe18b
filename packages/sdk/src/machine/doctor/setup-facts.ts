/** Everything that the doctor has checked, as data. */
import type { Finding } from "../../hosts/finding.js";
import type { Installation, ProgramFacts } from "../../hosts/host.js";
import type { HookProblem } from "../../sessions/hook-log.js";
import type { ChannelFacts } from "../desk/inspect-channels.js";
import type { InboxFacts } from "../inbox/describe-inbox.js";

export interface SetupFacts {
  platform: string;
  /** Of this program. */
  cli: { path: string; version: string; from: Installation };
  /** The node that the plugin's hooks find. */
  node?: ProgramFacts;
  /** What people call the hosts that we know. */
  hosts: readonly string[];
  /** What their own doctors have found. */
  hostFindings: readonly Finding[];
  /** Other programs of our name on PATH. */
  others: string[];
  /** Of the folder of the runs, or the next one above that exists. */
  links: { dir: string; problem?: string };
  state: { dir: string; problem?: string };
  /** Absent when the personal settings cannot be read. */
  inbox?: InboxFacts;
  /** Absent when no channel is enabled. */
  channels?: ChannelFacts;
  /** What the clock shows, the newest event of all runs, and the runs that cannot be read. */
  now: string;
  newest?: { runId: string; at: string };
  unreadable: { runId: string; why: string }[];
  /** Of the last day. */
  hookProblems: HookProblem[];
  hookLog: string;
}
