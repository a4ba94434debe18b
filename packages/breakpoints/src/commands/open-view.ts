/** The questions and runs of a person, as one process sees them: an index of its own, and what keeps it true. */
import { randomBytes } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import type { InboxDesk } from "@a5c-ai/babysitter-sdk/operate";
import { InboxQuestions } from "../desk/inbox-questions.js";
import { QuestionIndex } from "../index/question-index.js";
import { Feed } from "../live/feed.js";
import { LiveIndex } from "../live/live-index.js";
import type { WorkerView } from "../worker/worker-parts.js";
import type { Call } from "./command.js";
import { logError } from "./log-error.js";

export interface View extends WorkerView {
  feed: Feed;
}

/** `name`: of the index in the usual place. Two processes never use the same one. */
export function openView({ desk, indexFile }: Pick<Call, "desk" | "indexFile">, name: string): View {
  const feed = new Feed(randomBytes(6).toString("hex"));
  const file = indexFile ?? path.join(desk.folder, name);
  const onLoss = (why: string): void => {
    logError(`The index was lost (${why}) and is being rebuilt.`);
    live.startAnew();
  };
  const index = new QuestionIndex(file, { isOwnPlace: indexFile === undefined, onLoss });
  const live = new LiveIndex({ desk, registry: registryOf(desk), index, feed, onError: logError });
  const questions = new InboxQuestions(desk, index, {
    isComplete: () => live.isComplete,
    caughtUp: (ms) => live.caughtUp(ms),
    refresh: (place, run) => live.refresh(place, run),
    tell: (row) => live.tell(row),
  });
  const close = async (): Promise<void> => {
    await live.close();
    index.close();
  };
  // Cards of the board change all the time, and nobody is notified of them.
  const listen: View["listen"] = (changed) => feed.listen((event) => event.name !== "runs" && changed());
  return { feed, index, live, questions, listen, close };
}

/** It is made here if no project is known yet: what is not there cannot be watched. */
function registryOf({ folder }: InboxDesk): string {
  const registry = path.join(path.dirname(folder), "projects");
  fs.mkdirSync(registry, { recursive: true, mode: 0o700 });
  return registry;
}
