/** Puts the server together: the index, what keeps it true, and the two listeners. */
import { randomBytes } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { VERSION } from "@a5c-ai/babysitter-sdk";
import type { InboxDesk } from "@a5c-ai/babysitter-sdk/operate";
import { InboxQuestions } from "../desk/inbox-questions.js";
import { Questions } from "../desk/questions.js";
import { inboxApi } from "../http/inbox-api.js";
import { LiveStreams } from "../http/live-streams.js";
import { machineApi } from "../http/machine-api.js";
import { NewKeys } from "../http/new-keys.js";
import { QuestionIndex } from "../index/question-index.js";
import { Feed } from "../live/feed.js";
import { LiveIndex, withSeen } from "../live/live-index.js";
import type { QuestionQuery } from "../rules/question-query.js";
import { whyNotForMachines, whyNotForPages } from "../rules/refuse-request.js";
import { MACHINE_HEADERS, PAGE_HEADERS } from "../rules/response-headers.js";
import { type Listening, listen } from "../server/listen.js";
import { readPages } from "../server/read-pages.js";
import type { QuestionList } from "../wire/inbox-wire.js";
import type { Call } from "./command.js";

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
  const feed = new Feed(randomBytes(6).toString("hex"));
  const index = openIndex(call, (why) => {
    logError(`The index was lost (${why}), and is made again.`);
    live.startAnew();
  });
  const live = new LiveIndex({ desk, registry: registryOf(desk), index, feed, onError: logError });
  const streams = new LiveStreams(feed, desk.access, () => ({ version: VERSION, open: index.openCount() }));
  let origin = "";
  const pages = inboxApi({
    access: desk.access,
    questions: new InboxQuestions(desk, index, {
      isComplete: () => live.isComplete,
      caughtUp: (ms) => live.caughtUp(ms),
      refresh: (place, run) => live.refresh(place, run),
      tell: (row) => live.tell(row),
    }),
    list: async (query) => {
      await live.firstLook(LIST_PATIENCE_MS);
      const wasComplete = live.isComplete;
      const list = listOf({ call, index, live }, query);
      if (!wasComplete || live.isComplete) return list;
      // Asking has shown that the index is lost.
      await live.firstLook(LIST_PATIENCE_MS);
      return listOf({ call, index, live }, query);
    },
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
    await Promise.all(listening.map((one) => one.close()));
    await live.close();
    index.close();
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
    return { port: inbox.port, apiPort: api.port, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** It is made here if no project is known yet: what is not there cannot be watched. */
function registryOf({ folder }: InboxDesk): string {
  const registry = path.join(path.dirname(folder), "projects");
  fs.mkdirSync(registry, { recursive: true, mode: 0o700 });
  return registry;
}

function openIndex({ desk, indexFile }: Call, onLoss: (why: string) => void): QuestionIndex {
  const file = indexFile ?? path.join(desk.folder, "index.db");
  return new QuestionIndex(file, { isOwnPlace: indexFile === undefined, onLoss });
}

function listOf(
  { call, index, live }: { call: Call; index: QuestionIndex; live: LiveIndex },
  query: QuestionQuery,
): QuestionList {
  const { questions, ...counts } = index.list(query);
  const seen = call.desk.seen.all();
  return { questions: questions.map((row) => withSeen(row, seen)), ...counts, unreadable: live.problems() };
}

function logError(error: unknown): void {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.stderr.write(`${new Date().toISOString()} ${text}\n`);
}
