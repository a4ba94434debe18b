/** What people do with questions in the inbox: look at them, comment, decide. */
import { BabysitterError } from "@a5c-ai/babysitter-sdk";
import {
  type BreakpointDescription,
  challengeOf,
  comment,
  decide,
  describeBreakpoint,
  type Evidence,
  type FoundBreakpoint,
  findBreakpoint,
  type InboxDesk,
  localContextFiles,
  parseRunId,
  RunJournal,
} from "@a5c-ai/babysitter-sdk/operate";
import type { QuestionIndex } from "../index/question-index.js";
import type { RunKey } from "../index/run-key.js";
import { pageOf } from "../rules/file-pages.js";
import type {
  ChallengeReply,
  CommentBody,
  CommentReply,
  DecisionReply,
  DecisionWords,
  FilePage,
  QuestionDetail,
  QuestionRow,
  Side,
} from "../wire/inbox-wire.js";
import { ApprovedBefore } from "./approved-before.js";
import { commentIn, describeQuestion } from "./describe-question.js";
import { knownReceipts } from "./known-outbox.js";
import { placeAt, placesOf } from "./places.js";
import { briefly, questionRows } from "./question-rows.js";
import { ReadTexts } from "./read-texts.js";

/** What follows a change, or comes before a look: the index and everyone who listens hear of it. */
export interface Following {
  /** False while there may be questions that nobody has read yet. */
  isComplete: () => boolean;
  caughtUp: (patienceMs: number) => Promise<void>;
  refresh: (place: string, run: string) => Promise<void>;
  tell: (row: QuestionRow) => void;
}

export type ButtonPlace = Parameters<InboxDesk["offerDecision"]>[2];

interface Found extends FoundBreakpoint {
  key: RunKey;
  id: string;
  projectRoot: string;
}

/** How long somebody waits for a question that is not known yet, and while not all runs are read. */
const PATIENCE_MS = 2_000;
const LONG_PATIENCE_MS = 20_000;

export class InboxQuestions {
  readonly #desk: InboxDesk;
  readonly #index: QuestionIndex;
  readonly #following: Following;
  readonly #texts = new ReadTexts();
  readonly #approved = new ApprovedBefore();

  constructor(desk: InboxDesk, index: QuestionIndex, following: Following) {
    this.#desk = desk;
    this.#index = index;
    this.#following = following;
  }

  /** Without anybody having seen it. */
  async look(id: string): Promise<QuestionDetail> {
    return this.#detailOf(await this.#find(id));
  }

  /** Looking at an open question is seeing it. */
  async show(id: string): Promise<QuestionDetail> {
    const question = await this.look(id);
    if (question.state !== "open") return question;
    const seenAt = await this.seen(id);
    return { ...question, seenAt, receipts: knownReceipts(this.#desk, id, seenAt) };
  }

  async filePage(id: string, { n, side, from }: { n: number; side: Side; from: number }): Promise<FilePage> {
    const text = this.#texts.get({ id, n, side }) ?? (await this.#textOf(id, n, side));
    return pageOf(text, from);
  }

  /** `shown`: what was looked at; without it, whatever the evidence is about. */
  async decide(
    id: string,
    words: DecisionWords & { shown?: string | null },
    evidence: Evidence,
  ): Promise<DecisionReply> {
    const found = await this.#find(id);
    const { effectId } = found.request;
    try {
      const { outcome } = await decide(this.#desk, found.journal, { effectId, ...words, evidence });
      return { outcome, question: await this.#afterwards(found) };
    } catch (error) {
      throw await this.#withQuestion(error, found);
    }
  }

  async challenge(id: string, words: DecisionWords): Promise<ChallengeReply> {
    const { journal, request } = await this.#find(id);
    return {
      challenge: await challengeOf(journal, { effectId: request.effectId, ...words }),
      credentialIds: this.#desk.access.keys().map(({ credentialId }) => credentialId),
    };
  }

  /** The button that decides when it is tapped in a person's chat. */
  async offerDecision(id: string, words: DecisionWords, place: ButtonPlace): Promise<string> {
    const { journal, request } = await this.#find(id);
    return this.#desk.offerDecision(journal, { effectId: request.effectId, ...words }, place);
  }

  /** The button that adds a comment when it is tapped in a person's chat. */
  async offerComment(id: string, text: string, place: Omit<ButtonPlace, "after">): Promise<string> {
    const { request } = await this.#find(id);
    return this.#desk.offerComment({ effectId: request.effectId, text }, place);
  }

  async comment(id: string, { text, path, ...lines }: CommentBody, evidence: Evidence): Promise<CommentReply> {
    const found = await this.#find(id);
    const { effectId } = found.request;
    const place = path === undefined ? undefined : { path, ...lines };
    try {
      const said = await comment(this.#desk, found.journal, {
        effectId,
        text,
        place,
        evidence,
      });
      await this.#following.refresh(found.key.place, found.key.run);
      const [shown] = commentIn(said.comment);
      return { comment: shown as CommentReply["comment"], count: said.count };
    } catch (error) {
      throw await this.#withQuestion(error, found);
    }
  }

  /** Answers when it was seen first. */
  async seen(id: string): Promise<string> {
    const row = await this.#row(id);
    const isNew = !this.#desk.seen.all().has(id);
    const at = this.#desk.seen.note(id);
    if (isNew) this.#following.tell(row);
    return at;
  }

  async #textOf(id: string, n: number, side: Side): Promise<Buffer> {
    const found = await this.#find(id);
    const description = await this.#describe(found);
    const file = description.files[n];
    const text = side === "approved" ? await this.#approvedText(found, description, n) : textOf(file, side);
    if (text === undefined)
      throw new BabysitterError("INPUT_NOT_FOUND", file?.refused ?? "The question does not include this file.", {
        details: { id, n, side },
      });
    return this.#texts.keep({ id, n, side }, text);
  }

  async #approvedText(found: Found, description: BreakpointDescription, n: number): Promise<string | undefined> {
    const { path = "" } = description.files[n] ?? {};
    const version = (await this.#approved.looked(found, description)).get(path);
    // What was not kept whole must not look like the whole.
    return version === undefined || version.comparison.refused !== undefined ? undefined : (await version.read()).text;
  }

  async #row(id: string): Promise<QuestionRow> {
    const known = this.#index.row(id);
    if (known !== undefined) return known;
    await this.#following.caughtUp(this.#following.isComplete() ? PATIENCE_MS : LONG_PATIENCE_MS);
    const row = this.#index.row(id);
    if (row === undefined) throw this.#following.isComplete() ? notFound(id) : notReadYet();
    return row;
  }

  async #find(id: string): Promise<Found> {
    await this.#row(id);
    const key = this.#index.find(id);
    const place = placesOf(this.#desk).find(({ runsDir }) => runsDir === key?.place);
    if (key === undefined || place === undefined) throw notFound(id);
    const { ports } = placeAt(this.#desk, place);
    const journal = await RunJournal.open(ports, parseRunId(key.run));
    return { ...(await findBreakpoint([journal], key.effect)), key, id, projectRoot: place.projectRoot };
  }

  #describe(found: FoundBreakpoint): Promise<BreakpointDescription> {
    return describeBreakpoint(found, localContextFiles);
  }

  async #detailOf(found: Found): Promise<QuestionDetail> {
    const description = await this.#describe(found);
    const row = await this.#rowOf(found, description);
    const seenAt = this.#desk.seen.all().get(found.id);
    const hasKey = this.#desk.access.keys().length > 0;
    return describeQuestion({ ...row, ...(seenAt === undefined ? {} : { seenAt }) }, description, {
      needs: description.risk === "high" && hasKey ? "passkey" : "session",
      command: `babysitter breakpoint:approve ${found.request.effectId}`,
      approved: await this.#approved.look(found, description),
      receipts: knownReceipts(this.#desk, found.id, seenAt),
    });
  }

  /** From the journal: the index may lag behind, or somebody may have written to it. */
  async #rowOf({ id, key, journal, projectRoot }: Found, description: BreakpointDescription): Promise<QuestionRow> {
    const { options, comments, ...rest } = description;
    const listing = { ...rest, options: options.map(({ label }) => label), comments: comments.length };
    const [current] = questionRows({ projectRoot }, journal.summary, [listing]);
    if (current === undefined) throw notFound(id);
    const row = { id, ...current.row };
    const indexed = this.#index.row(id);
    if (JSON.stringify(indexed) !== JSON.stringify(briefly(row))) await this.#following.refresh(key.place, key.run);
    return row;
  }

  /** How it stands after a change. */
  async #afterwards({ key, id }: Found): Promise<QuestionDetail> {
    await this.#following.refresh(key.place, key.run);
    return this.#detailOf(await this.#find(id));
  }

  /** Whoever was too late is shown how the question stands now. */
  async #withQuestion(error: unknown, found: Found): Promise<unknown> {
    if (!BabysitterError.is(error) || !MOVED_ON.includes(error.code)) return error;
    return new QuestionMovedOn(error, await this.#afterwards(found));
  }
}

function textOf(
  file: BreakpointDescription["files"][number] | undefined,
  side: Exclude<Side, "approved">,
): string | undefined {
  return side === "file" ? file?.text : file?.base?.text;
}

const MOVED_ON: readonly string[] = ["EFFECT_ALREADY_RESOLVED", "BREAKPOINT_CHANGED", "RUN_FINISHED"];

/** What was wanted does not fit any more. */
export class QuestionMovedOn extends Error {
  override readonly cause: BabysitterError;
  readonly question: QuestionDetail;

  constructor(cause: BabysitterError, question: QuestionDetail) {
    super(cause.message);
    this.cause = cause;
    this.question = question;
  }
}

function notReadYet(): BabysitterError {
  return new BabysitterError(
    "SYSTEM_REFUSED",
    "Not all runs have been read yet, and the question is not in those that have.",
    {
      hint: "Try again in a moment.",
    },
  );
}

function notFound(id: string): BabysitterError {
  return new BabysitterError("BREAKPOINT_NOT_FOUND", `There is no question ${JSON.stringify(id.slice(0, 100))}.`, {
    hint: "It may have been archived with its run.",
  });
}
