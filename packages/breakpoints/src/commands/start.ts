import { setTimeout as delay } from "node:timers/promises";
import { type Command, placeOf, tell } from "./command.js";
import { serveInbox } from "./serve-inbox.js";

/** So long it waits for the hooks of the last decisions; what is owed then, the next command calls. */
const HOOKS_MS = 5_000;

export const start: Command = async (call) => {
  const { desk } = call;
  // On a full disk the log cannot be written to; the server goes on without.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);
  const running = await desk.running();
  if (running !== undefined) return tell(call, { ...running, running: true }, `It runs already: ${placeOf(running)}`);
  const { port, apiPort, close } = await serveInbox(call);
  try {
    const record = desk.announce({ port, apiPort });
    tell(call, { ...record, running: true }, `The inbox is at ${placeOf(record)}\nCtrl-C ends it.`);
    await told();
    desk.withdraw();
    return 0;
  } finally {
    await close();
    await Promise.race([desk.hooksCalled(), delay(HOOKS_MS)]);
  }
};

/** Until somebody wants it to end. */
function told(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => resolve());
  });
}
