/** Puts the server together: the index, what keeps it true, and the two listeners. */
import os from "node:os";
import { fileURLToPath } from "node:url";
import { VERSION } from "@a5c-ai/babysitter-sdk";
import { InboxRuns } from "../desk/inbox-runs.js";
import { nightReport } from "../desk/night-report.js";
import { Notifications } from "../desk/notifications.js";
import { Questions } from "../desk/questions.js";
import { inboxApi } from "../http/inbox-api.js";
import { LiveStreams } from "../http/live-streams.js";
import { machineApi } from "../http/machine-api.js";
import { NewKeys } from "../http/new-keys.js";
import type { QuestionIndex } from "../index/question-index.js";
import { type LiveIndex, withSeen } from "../live/live-index.js";
import { WatchedNotices } from "../live/watched-notices.js";
import type { QuestionQuery } from "../rules/question-query.js";
import { whyNotForMachines, whyNotForPages } from "../rules/refuse-request.js";
import { MACHINE_HEADERS, PAGE_HEADERS } from "../rules/response-headers.js";
import { type Listening, listen } from "../server/listen.js";
import { readPages } from "../server/read-pages.js";
import type { QuestionList } from "../wire/inbox-wire.js";
import { Worker, WorkerWatch } from "../worker/worker.js";
import type { WorkerView } from "../worker/worker-parts.js";
import type { Call } from "./command.js";
import { logError } from "./log-error.js";
import { openView } from "./open-view.js";
import { workerParts } from "./worker-parts.js";

export interface ServedInbox {
  port: number;
  apiPort: number;
  close: () => Promise<void>;
}

const PAGES = fileURLToPath(new URL("../ui", import.meta.url));
/** How long a list waits for runs that are being read, such as after a start. */
const LIST_PATIENCE_MS = 1_500;

export async function serveInbox(call: Call): Promise<ServedInbox> {
  const { desk, port, apiPort } = call;
  desk.access.shorten();
  desk.seen.shorten();
  const view = openView(call, "index.db");
  const { feed, index, live, questions } = view;
  const worker = workerOf(call, { ...view, close: noClosing });
  const notifications = new Notifications({ desk, index, worker: () => worker.status() });
  const trouble = () => notifications.trouble();
  const watched = new WatchedNotices({ desk, feed, trouble, onError: logError });
  const hello = () => ({ version: VERSION, open: index.openCount(), trouble: trouble() });
  const streams = new LiveStreams(feed, desk.access, hello);
  let origin = "";
  const pages = inboxApi({
    access: desk.access,
    questions,
    runs: new InboxRuns(desk, (id) => index.findRun(id)),
    list: (query) => whenRead(live, () => listOf({ call, index, live }, query)),
    board: (query) => whenRead(live, () => ({ ...index.listRuns(query), unreadable: live.problems() })),
    notifications,
    report: async (since) => nightReport(await desk.report({ since })),
    streams,
    newKeys: new NewKeys(),
    pages: readPages(PAGES),
    origin: () => origin,
    who: { user: os.userInfo().username, host: os.hostname(), version: VERSION },
    onError: logError,
  });
  const machines = machineApi({
    questions: new Questions(desk, (place, run) => live.refresh(place, run)),
    version: VERSION,
    port: () => Number(new URL(origin).port),
    onError: logError,
  });
  const listening: Listening[] = [];
  const close = async (): Promise<void> => {
    streams.close();
    watched.close();
    await worker.stop();
    await Promise.all(listening.map((one) => one.close()));
    await view.close();
  };
  try {
    const inbox = await listen(pages, {
      port,
      guard: (head, own) => whyNotForPages(head, `http://localhost:${own}`),
      headers: PAGE_HEADERS,
      flag: "--port",
    });
    listening.push(inbox);
    origin = `http://localhost:${inbox.port}`;
    const api = await listen(machines, {
      port: apiPort,
      guard: whyNotForMachines,
      headers: MACHINE_HEADERS,
      flag: "--api-port",
    });
    listening.push(api);
    live.start();
    watched.start();
    worker.start();
    return { port: inbox.port, apiPort: api.port, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The worker of the server, which sees what the server sees; or what tells whether another one runs. */
function workerOf({ desk, env, worker }: Call, view: WorkerView): Worker | WorkerWatch {
  if (!worker) return new WorkerWatch(desk);
  return new Worker(workerParts({ desk, env, view: async () => view, log: logError }));
}

/** What the server has opened, it closes itself. */
async function noClosing(): Promise<void> {}

interface ListParts {
  call: Call;
  index: QuestionIndex;
  live: LiveIndex;
}

async function whenRead<T>(live: LiveIndex, list: () => T): Promise<T> {
  await live.firstLook(LIST_PATIENCE_MS);
  const wasComplete = live.isComplete;
  const answer = list();
  if (!wasComplete || live.isComplete) return answer;
  // Asking has shown that the index is lost.
  await live.firstLook(LIST_PATIENCE_MS);
  return list();
}

function listOf({ call, index, live }: ListParts, query: QuestionQuery): QuestionList {
  const { questions, ...counts } = index.list(query);
  const seen = call.desk.seen.all();
  return { questions: questions.map((row) => withSeen(row, seen)), ...counts, unreadable: live.problems() };
}
