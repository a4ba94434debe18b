/** The other end: answers the driver from inside the program that hosts the process. */
import { refusedBySystem } from "../model/errno.js";
import { BabysitterError, recordError } from "../model/errors.js";
import type { Json, JsonObject } from "../model/json.js";
import type { WorkerAnswers, WorkerCall, WorkerMessage, WorkerRequest } from "./worker-protocol.js";

export type WorkerHandlers = {
  [C in WorkerCall["call"]]: (call: Extract<WorkerCall, { call: C }>) => Promise<WorkerAnswers[C]>;
};

/** Thrown by a handler: the code on disk is not the one that this program has loaded. */
export class CodeChanged extends Error {}

const BEAT_MS = 250;

/** Serves until the driver goes away; calls are answered one after the other. */
export function serveWorker(
  handlers: WorkerHandlers,
  channel: NodeJS.Process,
  exit: (code: number) => void,
): { late: () => void } {
  let last: Promise<unknown> = Promise.resolve();
  // The driver has ended, in whatever way: nobody is left to run for.
  channel.on("disconnect", () => exit(0));
  channel.on("message", (message) => {
    const request = message as WorkerRequest;
    const before = last;
    last = (async (): Promise<void> => {
      await before;
      send(channel, await answer(handlers, request));
      if (request.call === "close") exit(0);
    })();
  });
  setInterval(() => send(channel, { beat: true }), BEAT_MS).unref();
  return { late: () => send(channel, { late: true }) };
}

async function answer(handlers: WorkerHandlers, request: WorkerRequest): Promise<WorkerMessage> {
  const { id } = request;
  try {
    const handle = handlers[request.call] as (call: WorkerCall) => Promise<unknown>;
    return { id, value: (await handle(request)) as Json };
  } catch (error) {
    if (error instanceof CodeChanged) return { id, stale: true };
    return { id, error: documentOf(error) };
  }
}

function documentOf(error: unknown): JsonObject {
  const known = BabysitterError.is(error) ? error : refusedBySystem(error);
  if (known !== undefined) return known.toDocument().error;
  const { name, message, stack } = recordError(error);
  return { code: "INTERNAL", message: `${name}: ${message}`, details: { stack: stack ?? "" } };
}

function send(channel: NodeJS.Process, message: WorkerMessage): void {
  if (channel.connected) channel.send?.(message, () => undefined);
}
