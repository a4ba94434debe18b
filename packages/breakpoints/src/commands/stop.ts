import { BabysitterError } from "@a5c-ai/babysitter-sdk";
import type { InboxDesk } from "@a5c-ai/babysitter-sdk/operate";
import { type Command, placeOf, type Running, tell } from "./command.js";

/** A server that is told to end answers nobody else, and ends. */
const PATIENCE_MS = 10_000;
const LOOK_MS = 20;

export const stop: Command = async (call) => {
  const running = await call.desk.running();
  if (running === undefined) return tell(call, { running: false }, "No server runs.");
  const { pid } = running;
  if (!isHere(running, call.desk.self()))
    throw new BabysitterError("SYSTEM_REFUSED", "The server does not run here, so its process cannot be told to end.", {
      hint: "End it where it was started: babysitter-breakpoints stop",
      details: { pid, host: running.host ?? null },
    });
  process.kill(pid, "SIGTERM");
  for (const patience = Date.now() + PATIENCE_MS; (await call.desk.running()) !== undefined; ) {
    if (Date.now() > patience)
      throw new BabysitterError("SYSTEM_REFUSED", `Process ${pid} was told to end, and has not.`, {
        hint: `End it by hand: kill -9 ${pid}`,
        details: { pid },
      });
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
  return tell(call, { ...running, running: false }, `Ended: ${placeOf(running)}`);
};

/** By what its record says; a number means another process elsewhere. */
function isHere({ startTime, host, namespace }: Running, self: ReturnType<InboxDesk["self"]>): boolean {
  return startTime !== undefined && host === self.host && namespace === self.namespace;
}
