/** What a worker needs, in whichever process it is. */
import * as notices from "@a5c-ai/babysitter-sdk/notify";
import { openChannels } from "../channels/open-channels.js";
import { workerLimits } from "../worker/worker-limits.js";
import type { WorkerParts } from "../worker/worker-parts.js";
import type { Call } from "./command.js";

export function workerParts({
  desk,
  env,
  view,
  log,
}: Pick<Call, "desk" | "env"> & Pick<WorkerParts, "view" | "log">): WorkerParts {
  return {
    desk,
    view,
    openChannels,
    report: async () => notices.reportLines(await desk.report({ since: aDayAgo() })),
    limits: workerLimits(env),
    log,
  };
}

function aDayAgo(): Date {
  return new Date(Date.now() - 24 * 3_600_000);
}
