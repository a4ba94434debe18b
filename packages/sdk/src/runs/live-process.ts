/** The process of a run, alive, and what in the journal it corresponds to. */
import type { ProcessCode } from "../model/ports.js";
import type { RecordedRequest, ReplayIndex } from "../model/replay-index.js";
import type { Delivery } from "../replay/call.js";
import type { Interpreter } from "../replay/interpreter.js";
import { nextTurn } from "../replay/next-turn.js";
import type { Progress } from "../replay/process-standing.js";
import { Overtaken } from "./overtaken.js";
import type { RunJournal } from "./run-journal.js";
import { deliveryOf, startProcess } from "./start-process.js";

/** A result is recorded without waiting any longer for what the process does with it. */
const LONGEST_LOOK_MS = 20;
/** A process that does nothing by itself is ready after a few turns, however busy the machine is. */
const LEAST_TURNS = 16;

export class LiveProcess {
  readonly codeHash: string;
  /** The last process-side event that it knows of. */
  head: number;
  readonly #journal: RunJournal;
  readonly #interpreter: Interpreter;
  /** What it does with a result that it has seen and no iteration has asked for. */
  #ahead: Promise<Progress> | undefined;

  private constructor(journal: RunJournal, interpreter: Interpreter, codeHash: string) {
    this.#journal = journal;
    this.#interpreter = interpreter;
    this.codeHash = codeHash;
    this.head = journal.summary.processHead;
  }

  static async start(
    journal: RunJournal,
    code: ProcessCode,
    options: { quietLimitMs: number; onLate?: () => void; index: ReplayIndex },
  ): Promise<LiveProcess> {
    // What was recorded and compared is what runs.
    if ((await code.load()).hash !== code.hash) throw new Overtaken();
    return new LiveProcess(journal, await startProcess(journal, code, options), code.hash);
  }

  /** True while it is this code, and nobody else has recorded what the process does. */
  isCurrent(codeHash: string): boolean {
    return this.codeHash === codeHash && this.head === this.#journal.summary.processHead;
  }

  /** True when no iteration is owed what it has done. */
  get isIdle(): boolean {
    return this.#ahead === undefined;
  }

  /** The last result that it has seen. */
  get turn(): number {
    return this.#interpreter.turn;
  }

  /** Gives it all results of the journal that it has not seen yet. */
  async advance(index: ReplayIndex): Promise<Progress> {
    const ahead = await this.#ahead;
    this.#ahead = undefined;
    const fresh = this.#unseen(index);
    if (ahead === undefined) return this.#interpreter.advance(fresh);
    if (fresh.length === 0 || ahead.standing.is !== "open") return ahead;
    return joined(ahead, await this.#interpreter.advance(fresh));
  }

  /**
   * Shows it a result that the journal does not have yet. Answers what is to be recorded behind the result;
   * undefined when that is for the next iteration: the process has ended or is stuck, or takes its time.
   */
  async foresee(coming: Delivery): Promise<Progress | undefined> {
    const advance = this.#interpreter.advance([...this.#unseen(await this.#journal.index()), coming]);
    this.#ahead = advance;
    // Whoever asks next is told; nobody may ask.
    advance.catch(() => undefined);
    const progress = await soon(advance);
    if (progress?.standing.is !== "open") return undefined;
    this.#ahead = undefined;
    return progress;
  }

  close(): void {
    this.#interpreter.close();
  }

  #unseen({ resolved }: ReplayIndex): Delivery[] {
    return resolvedAfter(resolved, this.#interpreter.turn).map((request) => deliveryOf(this.#journal, request));
  }
}

/** Undefined when it takes longer than a result should wait to be recorded. */
async function soon<T>(promise: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, LONGEST_LOOK_MS);
  }).then(async () => {
    for (let turn = 0; turn < LEAST_TURNS; turn += 1) await nextTurn(0);
    return undefined;
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

function joined(first: Progress, second: Progress): Progress {
  return {
    standing: second.standing,
    requests: [...first.requests, ...second.requests],
    dropped: [...first.dropped, ...second.dropped],
    logs: [...first.logs, ...second.logs],
    patches: [...first.patches, ...second.patches],
    warnings: [...first.warnings, ...second.warnings],
  };
}

/** The requests whose results came after `turn`; the list is in the order of results. */
function resolvedAfter(resolved: readonly RecordedRequest[], turn: number): RecordedRequest[] {
  let start = resolved.length;
  while (start > 0 && (resolved[start - 1]?.resolution?.seq ?? 0) > turn) start -= 1;
  return resolved.slice(start);
}
