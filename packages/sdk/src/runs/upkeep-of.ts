import { BabysitterError } from "../model/errors.js";
import type { Ports } from "../model/ports.js";
import type { Upkeep } from "../model/upkeep.js";

/** The upkeep of runs on this machine. */
export function upkeepOf({ upkeep }: Ports): Upkeep {
  if (upkeep !== undefined) return upkeep;
  throw new BabysitterError(
    "USAGE",
    "These runs are not kept in files, so there are no files to check, move or delete.",
    {
      hint: "Ask whoever runs the store.",
    },
  );
}

/** The ports to the archived runs. */
export function archivedPorts(ports: Ports): Ports {
  return { ...ports, ...upkeepOf(ports).archived() };
}
