/** What a worker does while it is the one that sends: look, plan, record, act; and once more whenever something changes. */
import { setTimeout as delay } from "node:timers/promises";
import type { InboxDesk } from "@a5c-ai/babysitter-sdk/operate";
import type { Job } from "../rules/notify-jobs.js";
import { planNotifications } from "../rules/notify-plan.js";
import type { NotifySettings, Situation } from "../rules/notify-situation.js";
import { Bell } from "./bell.js";
import { doJob } from "./do-job.js";
import { Gatherer } from "./gather.js";
import { Ledger, textOf } from "./ledger.js";
import { OpenLines } from "./open-lines.js";
import type { WorkerParts, WorkerView } from "./worker-parts.js";

type Claim = NonNullable<Awaited<ReturnType<InboxDesk["claimWorker"]>>>;

/** How long what is being sent may take when the worker is told to end. */
const STOP_MS = 5_000;
/** How often the logs are looked at that may have grown long. */
const SHORTEN_MS = 60 * 60_000;
/** Between two looks, however much changes. */
const PAUSE_MS = 20;
/** Plans that only record something are followed by another one; never without an end. */
const MAX_PLANS = 20;
/** How often a message is tried to be changed, and the pauses in between. */
const EDIT_PAUSES_MS: readonly number[] = [5_000, 30_000, 120_000, 600_000, 3_600_000];

export class WorkerSession {
  readonly #parts: WorkerParts;
  readonly #view: WorkerView;
  readonly #claim: Claim;
  readonly #bell = new Bell();
  readonly #ledger: Ledger;
  readonly #lines: OpenLines;
  readonly #gatherer: Gatherer;
  readonly #underWay = new Set<string>();
  readonly #jobs = new Map<string, Promise<void>>();
  readonly #uneditable = new Map<string, { failures: number; until: number }>();
  #isStopped = false;

  constructor(parts: WorkerParts, view: WorkerView, claim: Claim) {
    this.#parts = parts;
    this.#view = view;
    this.#claim = claim;
    this.#ledger = new Ledger(parts.desk.outbox, parts.log);
    this.#lines = new OpenLines({ parts, view, ledger: this.#ledger });
    this.#gatherer = new Gatherer(view.index);
  }

  /** Until it is told to stop, or another worker has taken over. */
  async run(): Promise<void> {
    const stopListening = this.#view.listen(() => this.#bell.ring());
    try {
      for (let shortened = Number.NEGATIVE_INFINITY; !this.#isStopped; ) {
        if (await this.#claim.isLost()) break;
        if (performance.now() - shortened > SHORTEN_MS) {
          this.#shorten();
          shortened = performance.now();
        }
        await this.#lookOnce();
        await Promise.all([this.#bell.wait(this.#parts.limits.pollMs), delay(PAUSE_MS)]);
      }
    } finally {
      stopListening();
      await this.#end();
    }
  }

  stop(): void {
    this.#isStopped = true;
    this.#bell.ring();
  }

  #shorten(): void {
    const { outbox, chats } = this.#parts.desk;
    for (const log of [outbox, chats]) {
      try {
        log.shorten();
      } catch (error) {
        this.#ledger.complain("logs", textOf(error));
      }
    }
  }

  /** Whatever goes wrong here concerns nobody else; the next look may be better. */
  async #lookOnce(): Promise<void> {
    try {
      await this.#look();
      this.#ledger.isWell("look");
    } catch (error) {
      this.#ledger.complain("look", `Nothing is sent: ${textOf(error)}`);
    }
  }

  async #look(): Promise<void> {
    const { desk, limits } = this.#parts;
    const settings = desk.notifySettings();
    const records = desk.channels.all();
    const publicUrl = settings.publicUrl ?? undefined;
    await this.#lines.keep(records, publicUrl);
    if (this.#lines.all().length === 0 || !this.#ledger.settle()) return;
    const { live } = this.#view;
    await live.firstLook(limits.pollMs);
    const situation = live.isComplete ? this.#planned(settings) : undefined;
    if (situation === undefined) return;
    for (const job of situation.jobs) this.#begin(job, situation, publicUrl);
  }

  /** Records what is to be recorded; undefined when there is nothing that one could act upon. */
  #planned(settings: NotifySettings): (Situation & { jobs: Job[] }) | undefined {
    for (let plans = 0; plans < MAX_PLANS; plans += 1) {
      const situation = this.#situation(settings);
      // Looking may have shown that the index is lost: what it says then is not true.
      if (!this.#view.live.isComplete) return undefined;
      const { entries, jobs } = planNotifications(situation);
      if (entries.length === 0) return { ...situation, jobs };
      this.#ledger.noteAll(entries);
    }
    throw new Error("The plan has no end.");
  }

  #situation(settings: NotifySettings): Situation {
    const outbox = this.#ledger.state();
    const now = new Date();
    return {
      now,
      settings,
      outbox,
      ...this.#gatherer.gather(outbox),
      channels: this.#lines.all().map(({ channel, record }) => ({
        name: channel.name,
        since: record.since,
        topics: record.topics,
        canEdit: channel.edit !== undefined,
        isReady: channel.unready?.() === undefined,
      })),
      underWay: this.#underWay,
      busy: new Set(this.#jobs.keys()),
      uneditable: new Set([...this.#uneditable].filter(([, { until }]) => now.getTime() < until).map(([id]) => id)),
      batchSize: this.#parts.limits.batchSize,
    };
  }

  #begin(job: Job, situation: Situation, publicUrl: string | undefined): void {
    const line = this.#lines.get(job.channel);
    if (line === undefined || this.#isStopped) return;
    const [parts, view, ledger, underWay] = [this.#parts, this.#view, this.#ledger, this.#underWay];
    const isLost = (): Promise<boolean> => this.#claim.isLost();
    const done = doJob(job, { parts, view, ledger, line, situation, publicUrl, isLost, underWay })
      .then((outcome) => this.#settle(job, outcome === "not-edited"))
      // As on a full disk: the next look is early enough.
      .catch((error: unknown) => ledger.complain(job.channel, `${job.channel}: nothing is sent: ${textOf(error)}`))
      .finally(() => this.#jobs.delete(job.channel));
    this.#jobs.set(job.channel, done);
  }

  #settle(job: Job, hasFailed: boolean): void {
    this.#bell.ring();
    this.#ledger.isWell(job.channel);
    if (job.type !== "edit") return;
    const { message, shows } = job;
    const failures = (this.#uneditable.get(message)?.failures ?? 0) + 1;
    const pause = hasFailed ? EDIT_PAUSES_MS[failures - 1] : undefined;
    if (pause !== undefined) this.#uneditable.set(message, { failures, until: Date.now() + pause });
    else this.#uneditable.delete(message);
    // It is given up.
    if (hasFailed && pause === undefined) this.#ledger.noteSurely({ type: "EDITED", message, shows });
  }

  async #end(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const patience = new Promise<void>((resolve) => void (timer = setTimeout(resolve, STOP_MS)));
    await this.#lines.stopListening();
    await Promise.race([Promise.all(this.#jobs.values()), patience]);
    clearTimeout(timer);
    await this.#lines.close();
    await Promise.all(this.#jobs.values());
    this.#ledger.settle();
  }
}
