/** One call of a host's hook, with what its handlers need. */

import type { SessionPlaces } from "../../sessions/session-places.js";
import type { SessionRegistry } from "../../sessions/session-registry.js";
import type { AgentHost, HookEvent, HostInput } from "../host.js";
import type { HostMachine } from "./host-machine.js";

export interface HostHookCall {
  event: HookEvent;
  harness: AgentHost;
  input: HostInput;
  sessionId: string;
  registry: SessionRegistry;
  places: SessionPlaces;
  /** The caller has named the place of session files, as older plugins do. */
  explicitPlace: boolean;
  /** Where the host works: what it says, else where we were called. */
  cwd: string;
  env: Readonly<Record<string, string | undefined>>;
  machine: HostMachine;
  /** After this time the host gets no answer. */
  deadlineMs: number;
  /** When the event arrived, to the second, if known. */
  since: Date;
  /** The process of the host, where it was named: a hook that waits has to see that it is gone. */
  hostPid?: number;
}
