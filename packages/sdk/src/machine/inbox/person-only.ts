import type { ServerRecord } from "../../inbox/server-record.js";
import { BabysitterError } from "../../model/errors.js";
import { mayChange } from "../../model/who-may-decide.js";
import type { Environment } from "../caller.js";
import { decisionSource } from "../decision-source.js";

/** Where a server is heard. */
export interface InboxAddress {
  url: string;
  apiUrl: string;
  pid: number;
}

export function addressOf({ pid, apiPort, port }: ServerRecord): InboxAddress {
  return { url: `http://localhost:${port}`, apiUrl: `http://localhost:${apiPort}`, pid };
}

/**
 * Refuses whoever may not decide: a signed-in browser may, and a program that is recorded gets what people answer.
 * `what` ends the sentence "only a person may …".
 */
export function requirePerson(env: Environment, what: string, running?: InboxAddress): void {
  const source = decisionSource({ env });
  if (mayChange(source, "bound")) return;
  const isAgent = source.agent === true;
  const why = isAgent ? "an agent ran this command" : "this command has no terminal";
  const place = running === undefined ? "" : ` The inbox is running at ${running.url} (process ${running.pid}).`;
  throw new BabysitterError("ONLY_FOR_PEOPLE", `Only a person may ${what}: ${why}.${place}`, {
    hint: "Type it in your own terminal.",
    details: { why: isAgent ? "agent" : "terminal", ...(running === undefined ? {} : { running: { ...running } }) },
  });
}
