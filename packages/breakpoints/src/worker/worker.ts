/** Sends notifications for a person, if nobody else does: one worker at a time, whichever process it is in. */
import type { WorkerState } from "../wire/notify-wire.js";
import { Bell } from "./bell.js";
import { textOf } from "./ledger.js";
import type { WorkerParts } from "./worker-parts.js";
import { WorkerSession } from "./worker-session.js";

/** How often one looks whether the other worker is gone. */
const CLAIM_MS = 2_000;

export class Worker {
  readonly #parts: WorkerParts;
  readonly #bell = new Bell();
  #session: WorkerSession | undefined;
  #running: Promise<void> | undefined;
  #status: WorkerState = "none";
  #isStopped = false;

  constructor(parts: WorkerParts) {
    this.#parts = parts;
  }

  /** Who sends, as far as this worker knows. */
  status(): WorkerState {
    return this.#status;
  }

  start(): void {
    this.#running ??= this.#run();
  }

  /** Settles once what was being sent is sent or given up, and another worker can take over. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#session?.stop();
    this.#bell.ring();
    await this.#running;
  }

  async #run(): Promise<void> {
    let complaint = "";
    while (!this.#isStopped) {
      try {
        await this.#turn();
        complaint = "";
      } catch (error) {
        this.#status = "none";
        if (complaint !== textOf(error)) this.#parts.log(`Nobody is notified: ${textOf(error)}`);
        complaint = textOf(error);
      }
      if (!this.#isStopped) await this.#bell.wait(CLAIM_MS);
    }
    this.#status = "none";
  }

  async #turn(): Promise<void> {
    const { desk, log } = this.#parts;
    const claim = await desk.claimWorker();
    if (claim === undefined) {
      if (this.#status !== "elsewhere") log("Another worker sends notifications; this one waits until it ends.");
      this.#status = "elsewhere";
      return;
    }
    try {
      if (this.#isStopped) return;
      this.#status = "here";
      await this.#work(claim);
    } finally {
      this.#status = "none";
      await claim.release();
    }
  }

  async #work(claim: ConstructorParameters<typeof WorkerSession>[2]): Promise<void> {
    const view = await this.#parts.view();
    try {
      this.#session = new WorkerSession(this.#parts, view, claim);
      if (this.#isStopped) this.#session.stop();
      await this.#session.run();
    } finally {
      this.#session = undefined;
      await view.close();
    }
  }
}

/** In the place of a worker, where another process is to send: looks whether one does. */
export class WorkerWatch {
  readonly #desk: Pick<WorkerParts["desk"], "hasWorker">;
  #timer: NodeJS.Timeout | undefined;
  #status: WorkerState = "none";

  constructor(desk: Pick<WorkerParts["desk"], "hasWorker">) {
    this.#desk = desk;
  }

  status(): WorkerState {
    return this.#status;
  }

  start(): void {
    this.#look();
    this.#timer = setInterval(() => this.#look(), CLAIM_MS);
    this.#timer.unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
  }

  #look(): void {
    this.#desk.hasWorker().then(
      (hasOne) => void (this.#status = hasOne ? "elsewhere" : "none"),
      () => void (this.#status = "none"),
    );
  }
}
