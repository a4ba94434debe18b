/** Writes down what a verification finds, as it finds it. At most one is under way in a loop. */
import type { EventDraft } from "../model/events.js";
import type { CriterionChecked, VerificationFinished, VerificationStarted } from "../model/loop-events.js";
import type { RunSummary } from "../model/run-state.js";
import type { RunJournal } from "../runs/run-journal.js";
import type { BegunVerification } from "./loop-ports.js";

export class VerificationRecord {
  readonly #journal: RunJournal;
  readonly #verification: string;

  private constructor(journal: RunJournal, verification: string) {
    this.#journal = journal;
    this.#verification = verification;
  }

  /** Undefined when another one is running, or nothing can be verified any longer. */
  static async begin(
    journal: RunJournal,
    begun: Omit<VerificationStarted, "alone">,
    isAlive: (other: BegunVerification) => boolean,
  ): Promise<VerificationRecord | undefined> {
    const timestamp = journal.ports.clock.now().toISOString();
    const events = await journal.commit((summary) => {
      const { loop } = summary;
      if (loop === undefined || loop.ended !== undefined || summary.cancelled !== undefined) return [];
      const other = loop.verification;
      if (other !== undefined && (other.verification === begun.verification || isAlive(other))) return [];
      const payload = { ...begun, alone: loop.session === undefined || loop.paused !== undefined };
      const started: EventDraft = { type: "VERIFICATION_STARTED", timestamp, payload };
      // One whose program is gone will never end by itself.
      if (other === undefined) return [started];
      const lost = { verification: other.verification, outcome: "lost" as const };
      return [{ type: "VERIFICATION_FINISHED", timestamp, payload: lost }, started];
    });
    await journal.saveCaches();
    const isOurs = events.some(({ type }) => type === "VERIFICATION_STARTED");
    return isOurs ? new VerificationRecord(journal, begun.verification) : undefined;
  }

  /** Whether an agent was working is asked at the end: one may have started while the check was running. */
  async checked(result: Omit<CriterionChecked, "verification" | "alone">): Promise<void> {
    const verification = this.#verification;
    await this.#append(({ loop }) => {
      const alone = loop?.verification?.verification === verification && loop.verification.alone;
      return { type: "CRITERION_CHECKED", payload: { ...result, verification, alone } };
    });
  }

  async end(outcome: VerificationFinished["outcome"]): Promise<void> {
    const payload = { verification: this.#verification, outcome };
    await this.#append(() => ({ type: "VERIFICATION_FINISHED", payload }));
    await this.#journal.saveCaches();
  }

  async #append(
    eventOn: (
      summary: RunSummary,
    ) =>
      | { type: "CRITERION_CHECKED"; payload: CriterionChecked }
      | { type: "VERIFICATION_FINISHED"; payload: VerificationFinished },
  ): Promise<void> {
    const timestamp = this.#journal.ports.clock.now().toISOString();
    await this.#journal.commit((summary, appended) =>
      appended.length > 0 ? [] : [{ ...eventOn(summary), timestamp }],
    );
  }
}
