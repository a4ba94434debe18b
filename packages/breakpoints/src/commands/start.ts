import { setTimeout as delay } from "node:timers/promises";
import { type Command, placeOf, tell } from "./command.js";
import { serveInbox } from "./serve-inbox.js";
import { HOOKS_MS, toldToEnd } from "./told-to-end.js";

export const start: Command = async (call) => {
  const { desk } = call;
  // On a full disk the log cannot be written to; the server goes on without.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);
  const running = await desk.running();
  if (running !== undefined)
    return tell(call, { ...running, running: true }, `It is already running: ${placeOf(running)}`);
  const { port, apiPort, close } = await serveInbox(call);
  try {
    const record = desk.announce({ port, apiPort });
    tell(call, { ...record, running: true }, `The inbox is at ${placeOf(record)}\nCtrl-C stops it.`);
    await toldToEnd();
    desk.withdraw();
    return 0;
  } finally {
    await close();
    await Promise.race([desk.hooksCalled(), delay(HOOKS_MS)]);
  }
};
