/** A question starts the server, where its person has allowed that. Nobody waits for it, and nothing depends on it. */
import fs from "node:fs";
import type { Environment } from "../caller.js";
import { inboxFolder, ownEnvironment, readInboxSettings } from "./inbox-settings.js";
import { isServerAlive } from "./running-inbox.js";
import { noteInLog, type StartedServer, startServer } from "./start-server.js";

/** Of this program; while it runs, it is the server. */
let started: StartedServer["child"] | undefined;

/** Called when a question is opened. Of several programs that call it at once, the server that listens first stays. */
export function startOnDemand(env: Environment): void {
  try {
    if (started !== undefined && started.exitCode === null && started.signalCode === null) return;
    const own = ownEnvironment(env);
    const settings = readInboxSettings(own);
    if (!settings.onDemand || settings.program === null) return;
    const folder = inboxFolder(own);
    if (isServerAlive(folder)) return;
    if (fs.existsSync(settings.program)) ({ child: started } = startServer(settings.program, own, settings));
    else noteInLog(folder, `A question did not start the server: ${settings.program} is gone.`);
  } catch {
    // The question is in the journal; whoever looks for it finds it without a server.
  }
}
