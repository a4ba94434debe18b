/**
 * Whether the process that a record names is alive. Everybody who asks that asks here: a pid alone means nothing, not
 * on another machine, after a reboot, or in a container that numbers its processes by itself.
 */

/** A process as it was written down, by itself or by whoever started it. */
export interface ProcessRecord {
  pid: number;
  /** On Linux `<clock ticks since boot>@<boot id>`; elsewhere the start time as `ps` prints it. */
  startTime: string;
  host?: string | undefined;
  /** Which processes its pid counts among; absent in records of earlier versions, and where there is only one set. */
  namespace?: string | undefined;
  machine?: string | undefined;
}

/** The machine, or container, on which somebody asks. */
export interface MachineFacts {
  host: string;
  /** Another one after every boot, and the same in all containers of a machine. */
  boot: string | undefined;
  namespace: string | undefined;
  machine: string | undefined;
}

/** What a look at a pid shows. `unclear`: it cannot be looked at now, or not by us. */
export type Sight = { startTime: string; zombie: boolean } | "nobody" | "unclear";

/** `unknown`: nobody here can tell. */
export type Life = "alive" | "dead" | "unknown";

export function lifeOf(record: ProcessRecord, here: MachineFacts, look: (pid: number) => Sight): Life {
  if (!Number.isSafeInteger(record.pid) || record.pid < 1 || record.startTime === "") return "unknown";
  const place = placeOf(record, here);
  if (place === "an earlier boot") return "dead";
  if (place === "elsewhere") return "unknown";
  const sight = look(record.pid);
  const isSame = typeof sight === "object" && sight.startTime === record.startTime;
  if (isSame && !sight.zombie) return "alive";
  // A zombie has ended; only its parent has not asked for the exit code.
  return place === "here" && sight !== "unclear" ? "dead" : "unknown";
}

/** True for a process that cannot be seen from here, whether it lives or not. */
export function isElsewhere(record: ProcessRecord, here: MachineFacts): boolean {
  return placeOf(record, here) === "elsewhere";
}

/** False only for one that is surely not on this machine: another container may be visible from here. */
export function mayBeHere({ startTime, host }: ProcessRecord, here: MachineFacts): boolean {
  const boot = bootOf(startTime);
  return boot === here.boot && (boot !== undefined || host === here.host);
}

/** `perhaps here`: whoever is found is the one, but not finding it proves nothing. */
type Place = "here" | "perhaps here" | "an earlier boot" | "elsewhere";

function placeOf(record: ProcessRecord, here: MachineFacts): Place {
  const boot = bootOf(record.startTime);
  if (boot !== here.boot) return isRebooted(record, boot, here) ? "an earlier boot" : "elsewhere";
  if (boot === undefined && record.host !== here.host) return "elsewhere";
  if (record.namespace === here.namespace)
    // Without an id of the boot, the number of a namespace may be that of another machine with the same name.
    return boot === undefined && here.namespace !== undefined ? "perhaps here" : "here";
  return record.namespace === undefined || here.namespace === undefined ? "perhaps here" : "elsewhere";
}

/** A name alone proves no machine: containers and clones share theirs, and may even share the machine's id. */
function isRebooted(record: ProcessRecord, boot: string | undefined, here: MachineFacts): boolean {
  const isKnown = boot !== undefined && here.boot !== undefined && here.machine !== undefined;
  const { host, machine, namespace } = record;
  return isKnown && host === here.host && machine === here.machine && namespace === here.namespace;
}

/** What stands for the boot where the system does not tell. */
export const NO_BOOT = "unknown";

function bootOf(startTime: string): string | undefined {
  const at = startTime.indexOf("@");
  const boot = at === -1 ? "" : startTime.slice(at + 1);
  return boot === "" || boot === NO_BOOT ? undefined : boot;
}
