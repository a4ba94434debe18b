/** What is known of the inbox on this machine, for whoever looks after it. Changes nothing. */
import { BabysitterError } from "../../model/errors.js";
import { defined } from "../../model/json.js";
import type { Environment } from "../caller.js";
import { findInboxProgram, type InboxProgram, isUsable } from "./inbox-program.js";
import { inboxFolder, readInboxSettings } from "./inbox-settings.js";
import { addressOf, type InboxAddress } from "./person-only.js";
import { runningServer } from "./running-inbox.js";

export interface InboxFacts {
  program: InboxProgram;
  /** A question starts the server. */
  onDemand: boolean;
  running?: InboxAddress;
}

/** Undefined when the personal settings cannot be read: everything else says so already. */
export async function describeInbox(env: Environment): Promise<InboxFacts | undefined> {
  try {
    const settings = readInboxSettings(env);
    const record = await runningServer(inboxFolder(env));
    const running = record && addressOf(record);
    const program = findInboxProgram(settings.program, process.argv[1] as string);
    return { program, onDemand: settings.onDemand, ...defined({ running }) };
  } catch (error) {
    if (BabysitterError.is(error)) return undefined;
    throw error;
  }
}

/** True when `babysitter ui` would find its program. */
export function isInboxInstalled(env: Environment): boolean {
  try {
    return isUsable(findInboxProgram(readInboxSettings(env).program, process.argv[1] as string));
  } catch {
    return false;
  }
}
