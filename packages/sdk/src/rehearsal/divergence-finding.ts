/** What a replay of a play has shown: the same requests have to come again. */
import type { ProcessStanding } from "../replay/process-standing.js";
import { type Finding, finding } from "./finding.js";
import type { PlayedRequest } from "./play.js";

const TEXTS = {
  NOT_DETERMINISTIC: [
    "In a replay in another program, the process",
    "A replay must make the same requests. Take what changes from the results of tasks, or from Date, Math.random and crypto.randomUUID, which are the same in every replay.",
  ],
  MODULE_STATE: [
    "In a second run in the same program, the process",
    "Keep what changes inside the process function, not in variables of the module.",
  ],
} as const;

/** Undefined unless the replay has diverged. */
export function divergenceFinding(
  code: keyof typeof TEXTS,
  standing: ProcessStanding,
  requests: readonly PlayedRequest[],
): Finding | undefined {
  if (standing.is !== "diverged") return undefined;
  const [lost, more] = [standing.missing[0], standing.unexpected[0]];
  const known = requests.find(({ invocationKey }) => invocationKey === lost?.invocationKey);
  const [said, hint] = TEXTS[code];
  return finding(code, known?.location ?? more?.location, `${said} ${whatDiffers(lost, more)}.`, hint);
}

type Named = Pick<PlayedRequest, "invocationKey" | "scope" | "taskId"> | undefined;

function whatDiffers(lost: Named, more: Named): string {
  if (lost === undefined) return `also asks for ${more?.invocationKey}`;
  if (more === undefined) return `does not ask for ${lost.invocationKey}`;
  const isSame = lost.scope === more.scope && lost.taskId === more.taskId;
  return isSame
    ? `asks for ${lost.invocationKey} with other arguments`
    : `asks for ${more.invocationKey} instead of ${lost.invocationKey}`;
}
