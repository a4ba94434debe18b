import { removeServerRecord, type ServerRecord, writeServerRecord } from "../server/server-record.js";
import { type Command, placeOf, tell } from "./command.js";
import { runningServer } from "./running-server.js";
import { type ServedInbox, serveInbox } from "./serve-inbox.js";

export const start: Command = async (call) => {
  const { desk } = call;
  const running = await runningServer(desk);
  if (running !== undefined) return tell(call, { ...running, running: true }, `It runs already: ${placeOf(running)}`);
  const inbox = await serveInbox(call);
  try {
    const record = recordOf(inbox);
    writeServerRecord(desk.folder, record);
    tell(call, { ...record, running: true }, `The inbox is at ${placeOf(record)}\nCtrl-C ends it.`);
    await told();
    removeServerRecord(desk.folder);
    return 0;
  } finally {
    await inbox.close();
  }
};

function recordOf({ port, apiPort }: ServedInbox): ServerRecord {
  return { pid: process.pid, port, apiPort, since: new Date().toISOString() };
}

/** Until somebody wants it to end. */
function told(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => resolve());
  });
}
