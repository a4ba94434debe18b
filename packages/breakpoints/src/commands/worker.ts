/** Sends notifications in a process of its own, with an index of its own. */
import { setTimeout as delay } from "node:timers/promises";
import { Worker } from "../worker/worker.js";
import type { WorkerView } from "../worker/worker-parts.js";
import { type Call, type Command, say } from "./command.js";
import { openView } from "./open-view.js";
import { HOOKS_MS, toldToEnd } from "./told-to-end.js";
import { workerParts } from "./worker-parts.js";

export const worker: Command = async (call) => {
  const { desk, env, json } = call;
  // Nobody may read what it prints, and the disk may be full; it goes on.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);
  const log = (text: string): void => {
    const at = new Date().toISOString();
    say(json ? JSON.stringify({ at, text }) : `${at} ${text}`);
  };
  const one = new Worker(workerParts({ desk, env, view: async () => ownView(call), log }));
  const end = toldToEnd();
  one.start();
  log("Looking for messages to send. Ctrl-C stops it.");
  await end;
  await one.stop();
  await Promise.race([desk.hooksCalled(), delay(HOOKS_MS, undefined, { ref: false })]);
  return 0;
};

/** Beside the index of a server, which may run at the same time. */
export function ownView({ desk, indexFile }: Call): WorkerView {
  const own = indexFile === undefined ? undefined : `${indexFile}.worker`;
  const view = openView({ desk, indexFile: own }, "worker-index.db");
  view.live.start();
  return view;
}
