/** Puts together what the plan is made from. */
import type * as notices from "@a5c-ai/babysitter-sdk/notify";
import type { QuestionIndex } from "../index/question-index.js";
import { idOf, kindOf, type Situation } from "../rules/notify-situation.js";
import { parseQuery } from "../rules/question-query.js";
import type { QuestionRow } from "../wire/inbox-wire.js";

/** Nobody has as many; whoever has is told of these first. */
const MAX_OPEN = 1_000;
const PAGE = 200;
const MAX_TROUBLES = 200;

type Known = Pick<Situation, "open" | "decided" | "troubles" | "overcome">;

export class Gatherer {
  readonly #index: QuestionIndex;
  /** What was decided stays so, unless it is open again. */
  readonly #decided = new Map<string, QuestionRow>();

  constructor(index: QuestionIndex) {
    this.#index = index;
  }

  gather(outbox: Readonly<notices.OutboxState>): Known {
    const open = new Map(this.#open().map((row) => [row.id, row]));
    for (const id of open.keys()) this.#decided.delete(id);
    const decided = new Map<string, QuestionRow>();
    for (const notice of ofKind(outbox, "question")) {
      const id = idOf(notice.subject);
      const row = open.has(id) ? undefined : this.#row(id, notice.dropped !== undefined);
      if (row !== undefined) (row.state === "open" ? open : decided).set(id, row);
    }
    const troubles = this.#index.troubles(MAX_TROUBLES);
    const troubled = new Set(troubles.map(({ subject }) => subject));
    const told = new Set(ofKind(outbox, "run").map(({ subject }) => subject));
    const overcome = new Set([...told].filter((one) => !troubled.has(one) && this.#index.isOvercome(one)));
    return { open: [...open.values()], decided, troubles, overcome };
  }

  /** Of what was dropped nobody needs to know anew how it ended. */
  #row(id: string, isDropped: boolean): QuestionRow | undefined {
    const known = isDropped ? this.#decided.get(id) : undefined;
    if (known !== undefined) return known;
    const row = this.#index.row(id);
    if (row !== undefined && row.state !== "open") this.#decided.set(id, row);
    return row;
  }

  #open(): QuestionRow[] {
    const rows: QuestionRow[] = [];
    for (let after: string | undefined; rows.length < MAX_OPEN; ) {
      const query = { limit: String(PAGE), ...(after === undefined ? {} : { after }) };
      const page = this.#index.list(parseQuery((name) => (query as Record<string, string>)[name]));
      rows.push(...page.questions);
      if (page.next === null) break;
      after = page.next;
    }
    return rows;
  }
}

function ofKind({ notices: all }: Readonly<notices.OutboxState>, kind: string): notices.Notice[] {
  return [...all.values()].filter(({ subject }) => kindOf(subject) === kind);
}
