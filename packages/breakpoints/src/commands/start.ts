import { removeServerRecord, type ServerRecord, writeServerRecord } from "../server/server-record.js";
import { type Call, type Command, placeOf, tell } from "./command.js";
import { type ServedInbox, serveInbox } from "./serve-inbox.js";

export const start: Command = async (call) => {
  const { desk } = call;
  // On a full disk the log cannot be written to; the server goes on without.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);
  const running = await desk.running();
  if (running !== undefined) return tell(call, { ...running, running: true }, `It runs already: ${placeOf(running)}`);
  const inbox = await serveInbox(call);
  try {
    const record = recordOf(desk, inbox);
    writeServerRecord(desk.folder, record);
    tell(call, { ...record, running: true }, `The inbox is at ${placeOf(record)}\nCtrl-C ends it.`);
    await told();
    if ((await desk.running())?.pid === process.pid) removeServerRecord(desk.folder);
    return 0;
  } finally {
    await inbox.close();
  }
};

function recordOf(desk: Call["desk"], { port, apiPort }: ServedInbox): ServerRecord {
  return { ...desk.self(), port, apiPort, since: new Date().toISOString() };
}

/** Until somebody wants it to end. */
function told(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => resolve());
  });
}
