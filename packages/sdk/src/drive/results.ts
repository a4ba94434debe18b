/**
 * How a driver records the results of its tasks: through the program that hosts the process, which sees each result
 * first, so that what follows from it is recorded with it. Without such a program they are recorded here.
 */
import { BabysitterError } from "../model/errors.js";
import type { EffectResolved, JournalEvent } from "../model/events.js";
import { defined } from "../model/json.js";
import { type PostRequest, postResult } from "../runs/post-result.js";
import type { RunJournal } from "../runs/run-journal.js";
import type { ProcessWorker } from "./process-worker.js";
import type { WorkerPost } from "./worker-protocol.js";

export interface ResultsOptions {
  journal: RunJournal;
  /** The program to ask; undefined while it is busy. */
  worker: () => ProcessWorker | undefined;
  /** It has recorded a result. */
  onPosted: (answer: WorkerPost) => void;
  /** It has ended, nobody knows whether before or after recording. */
  onDeath: (error: BabysitterError) => void;
  /** Calls the hooks of a result. */
  tell: (event: JournalEvent) => void;
}

export class Results {
  readonly #options: ResultsOptions;
  /** Places of results that were recorded for this program, and of which nobody has told. */
  readonly #untold = new Set<number>();

  constructor(options: ResultsOptions) {
    this.#options = options;
  }

  async post(request: PostRequest): Promise<void> {
    const { journal, tell } = this.#options;
    const answer = await journal.standAside(() => this.#ask(request));
    if (answer === "posted") await journal.catchUp();
    else await postAndTell(journal, request, tell, answer === "died");
  }

  /** True, once, for a result of this program that another one has recorded for it. */
  takes({ seq }: JournalEvent): boolean {
    return this.#untold.delete(seq);
  }

  async #ask(post: PostRequest): Promise<"posted" | "died" | "busy"> {
    const { journal, worker, onPosted, onDeath } = this.#options;
    const { runId, fence } = journal;
    const asked = worker();
    if (asked === undefined) return "busy";
    try {
      const answer = await asked.call({ call: "post", runId, post, ...defined({ fence }) });
      if (answer.outcome === "committed") this.#untold.add(answer.seq);
      onPosted(answer);
      return "posted";
    } catch (error) {
      if (!BabysitterError.is(error) || !["PROCESS_DIED", "PROCESS_SPINS"].includes(error.code)) throw error;
      onDeath(error);
      return "died";
    }
  }
}

/**
 * Records a result here; whoever was first with the same result has told of it. `perhaps`: it may have been recorded
 * for this program already.
 */
export async function postAndTell(
  journal: RunJournal,
  request: PostRequest,
  tell: (event: JournalEvent) => void,
  perhaps = false,
): Promise<void> {
  const { outcome, event } = await postResult(journal, request);
  if (event !== undefined && (outcome === "committed" || (perhaps && isOf(request, event)))) tell(event);
}

/** Nobody else knows when the attempt began and ended. */
function isOf({ attempt, result }: PostRequest, event: JournalEvent): boolean {
  const recorded = event.payload as EffectResolved;
  return (
    recorded.attempt === attempt && recorded.startedAt === result.startedAt && recorded.finishedAt === result.finishedAt
  );
}
