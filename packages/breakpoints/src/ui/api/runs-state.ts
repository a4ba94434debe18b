/** What this tab knows of the board of runs, and keeps knowing while somebody looks at it. */
import { effect, signal } from "@preact/signals";
import type { LiveEvents } from "../../wire/inbox-wire.js";
import type { RunList } from "../../wire/run-wire.js";
import type { RunFilter } from "../model/routes.js";
import {
  type Board,
  catchUpBoard,
  changeBoard,
  emptyBoard,
  extendBoard,
  LANES,
  newsOf,
  settleBoard,
  startBoard,
} from "../model/run-board.js";
import { EVERYTHING, foundWords } from "../model/run-filters.js";
import { boardNews } from "./inbox-state.js";
import { problemOf, type RequestProblem } from "./request.js";
import { listRuns } from "./run-requests.js";

/** Between two questions about the same: a busy night has many events a second. */
const REST_MS = 500;
/** When nobody has been at the cards for this long, they fall into place by themselves. */
const AWAY_MS = 10_000;

export class BoardState {
  readonly board = signal<Board>(emptyBoard());
  readonly problem = signal<RequestProblem | undefined>(undefined);
  /** When the server last said something about the runs. */
  readonly heardAt = signal("");
  /** What is shown does not answer what was asked for yet. */
  readonly isLoading = signal(false);
  readonly isLoadingMore = signal(false);
  /** How many were found, to be read out. */
  readonly found = signal("");
  filter: RunFilter = EVERYTHING;
  #asked = 0;
  #isFollowing = false;
  #wantsAgain = false;
  #isHeld = false;
  #away: ReturnType<typeof setTimeout> | undefined;

  /** What is shown stays until the answer is there. Of several answers the last one that was asked for counts. */
  async load(filter = this.filter): Promise<void> {
    this.filter = filter;
    this.isLoading.value = true;
    const turn = (this.#asked += 1);
    await this.#ask(turn, {}, (page) => startBoard(page, Date.now()));
    if (turn !== this.#asked) return;
    this.isLoading.value = false;
    const { counts, lanes } = this.board.peek();
    if (lanes !== undefined) this.found.value = foundWords(sumOf(counts), filter);
  }

  /** More of what is done. */
  async loadMore(): Promise<void> {
    const { next } = this.board.peek();
    if (next === null || this.isLoadingMore.peek()) return;
    this.isLoadingMore.value = true;
    await this.#ask(this.#asked, { after: next }, (page) => extendBoard(this.board.peek(), page));
    this.isLoadingMore.value = false;
  }

  /** Asks again, as often as there was news meanwhile, but not without a rest. */
  async catchUp(): Promise<void> {
    this.#wantsAgain = true;
    if (this.#isFollowing) return;
    this.#isFollowing = true;
    while (this.#wantsAgain) {
      this.#wantsAgain = false;
      // What is being asked for may have been answered before the news: it is asked again afterwards.
      if (this.isLoading.peek()) this.#wantsAgain = true;
      else await this.#ask(this.#asked, {}, (page) => this.#live(catchUpBoard, page));
      await new Promise((done) => setTimeout(done, REST_MS));
    }
    this.#isFollowing = false;
  }

  change(change: LiveEvents["runs"]): void {
    this.#heard();
    if (this.board.peek().lanes !== undefined) this.board.value = this.#live(changeBoard, change);
    void this.catchUp();
  }

  settle(): void {
    this.board.value = settleBoard(this.board.peek(), Date.now());
  }

  /** Somebody points at cards, or has the focus there: then they stay where they are. */
  hold(isHeld: boolean): void {
    if (isHeld === this.#isHeld) return;
    this.#isHeld = isHeld;
    clearTimeout(this.#away);
    if (!isHeld) this.#away = setTimeout(() => this.settle(), AWAY_MS);
  }

  /** Keeps listening; answers how to stop. */
  follow(): () => void {
    let isOld = true;
    const stop = effect(() => {
      const news = boardNews.value;
      if (isOld) return;
      if (news === "all") void this.catchUp();
      else if (news !== undefined) this.change(news);
    });
    isOld = false;
    return () => {
      stop();
      this.hold(false);
      clearTimeout(this.#away);
      if (this.board.peek().lanes !== undefined) this.settle();
    };
  }

  /** News moves cards only where nobody is at them, and where nothing waits already. */
  #live<T>(take: (board: Board, news: T, now: number) => Board, news: T): Board {
    const before = this.board.peek();
    const { fresh, left } = newsOf(before);
    const now = Date.now();
    const after = take(before, news, now);
    return this.#isHeld || fresh + left > 0 ? after : settleBoard(after, now);
  }

  #heard(): void {
    this.heardAt.value = new Date().toISOString();
  }

  async #ask(turn: number, more: { after?: string }, take: (page: RunList) => Board): Promise<void> {
    try {
      const page = await listRuns({ ...this.filter, ...more });
      if (turn !== this.#asked) return;
      this.board.value = take(page);
      this.#heard();
      this.problem.value = undefined;
    } catch (error) {
      if (turn === this.#asked) this.problem.value = problemOf(error);
    }
  }
}

function sumOf(counts: RunList["counts"]): number {
  return LANES.reduce((sum, lane) => sum + counts[lane], 0);
}

export const runBoard = new BoardState();
