/** The errors by which every store refuses. */
import { BabysitterError } from "../../model/errors.js";
import type { RunId } from "../../model/ids.js";
import type { JsonObject } from "../../model/json.js";

/** Refuses to make a run whose id is taken. */
export function runExists(runId: RunId, details: JsonObject = {}): BabysitterError {
  return new BabysitterError("RUN_EXISTS", `Run ${runId} already exists.`, {
    hint: "Choose another --run-id, or omit the flag to have one generated.",
    details: { runId, ...details },
  });
}

/** For a run that is not there; `where` tells people where it was looked for, such as ` in /some/folder`. */
export function runNotFound(runId: RunId, where = "", details: JsonObject = {}): BabysitterError {
  return new BabysitterError("RUN_NOT_FOUND", `There is no run ${runId}${where}.`, {
    hint:
      details["archived"] === true
        ? `It is archived. To restore it: babysitter run:archive ${runId} --restore`
        : "`babysitter run:list` lists the existing runs; --runs-dir or RUNS_DIR selects another directory.",
    details: { runId, ...details },
  });
}

/** Refuses a writer whose lease someone else has taken over. */
export function refuseStaleFence(runId: RunId, fence: number, newest: number): void {
  if (fence >= newest) return;
  throw new BabysitterError("RUN_BUSY", `Another driver has taken over run ${runId}; this one may no longer write.`, {
    hint: "Watch it with `babysitter run:status`.",
    details: { runId, fence, newest },
  });
}
