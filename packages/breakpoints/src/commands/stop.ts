import { BabysitterError } from "@a5c-ai/babysitter-sdk";
import { type Command, placeOf, tell } from "./command.js";

/** A server that is told to end answers nobody else, and ends. */
const PATIENCE_MS = 10_000;
const LOOK_MS = 20;

export const stop: Command = async (call) => {
  const running = await call.desk.running();
  if (running === undefined) return tell(call, { running: false }, "No server is running.");
  const { pid } = running;
  process.kill(pid, "SIGTERM");
  for (const patience = Date.now() + PATIENCE_MS; (await call.desk.running()) !== undefined; ) {
    if (Date.now() > patience)
      throw new BabysitterError("SYSTEM_REFUSED", `Process ${pid} was told to stop, but has not.`, {
        hint: `Stop it by hand: kill -9 ${pid}`,
        details: { pid },
      });
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
  return tell(call, { ...running, running: false }, `Ended: ${placeOf(running)}`);
};
