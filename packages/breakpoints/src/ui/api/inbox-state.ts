/** What this tab knows of the server's questions, and keeps knowing. */
import { computed, type Signal, signal } from "@preact/signals";
import type { LiveEvents, QuestionDetail, RunProblem } from "../../wire/inbox-wire.js";
import type { NotifyTrouble } from "../../wire/notify-wire.js";
import type { RunDetail } from "../../wire/run-wire.js";
import { changeOf, type QuestionChange } from "../model/question-change.js";
import {
  catchUpList,
  changeList,
  dropRow,
  emptyList,
  extendList,
  type ListKind,
  type ShownList,
  settleList,
  startList,
} from "../model/question-list.js";
import { connection, newerVersion } from "./connection.js";
import { listQuestions, readQuestion, readRun } from "./inbox-api.js";
import type { LiveEvent } from "./live-stream.js";
import { problemOf, type RequestProblem } from "./request.js";
import { token } from "./session.js";
import { joinTabs } from "./tabs.js";

/** A list with what it was searched for. */
export class ListState {
  readonly kind: ListKind;
  readonly list: Signal<ShownList>;
  readonly problem = signal<RequestProblem | undefined>(undefined);
  readonly loadingMore = signal(false);
  search = "";
  #asked = 0;

  constructor(kind: ListKind) {
    this.kind = kind;
    this.list = signal(emptyList(kind));
  }

  /** From the beginning; what is shown stays until the answer is there. */
  async load(search = this.search): Promise<void> {
    const turn = (this.#asked += 1);
    if (search !== this.search) this.list.value = emptyList(this.kind);
    this.search = search;
    await this.#ask(turn, undefined, (page) => startList(this.kind, page));
  }

  async loadMore(): Promise<void> {
    const { next } = this.list.peek();
    if (next === null || this.loadingMore.peek()) return;
    this.loadingMore.value = true;
    await this.#ask(this.#asked, next, (page) => extendList(this.list.peek(), page));
    this.loadingMore.value = false;
  }

  async catchUp(): Promise<void> {
    if (this.list.peek().rows === undefined) return this.load();
    await this.#ask((this.#asked += 1), undefined, (page) => catchUpList(this.list.peek(), page));
  }

  /** Live rows tell nothing about a search: then only what is shown is brought up to date. */
  change(change: { changed: LiveEvents["questions"]["changed"]; gone: string[] }): void {
    const shown = new Set(this.list.peek().rows?.map(({ id }) => id));
    const changed = this.search === "" ? change.changed : change.changed.filter(({ id }) => shown.has(id));
    this.list.value = changeList(this.list.peek(), { ...change, changed });
  }

  settle(): void {
    this.list.value = settleList(this.list.peek());
  }

  drop(id: string): void {
    this.list.value = dropRow(this.list.peek(), id);
  }

  async #ask(
    turn: number,
    after: string | undefined,
    take: (page: Awaited<ReturnType<typeof listQuestions>>) => ShownList,
  ): Promise<void> {
    try {
      const search = this.search;
      const page = await listQuestions({ state: this.kind, search, ...(after === undefined ? {} : { after }) });
      if (turn !== this.#asked) return;
      this.list.value = take(page);
      this.problem.value = undefined;
      openCount.value = page.open;
      unreadable.value = page.unreadable;
    } catch (error) {
      if (turn === this.#asked) this.problem.value = problemOf(error);
    }
  }
}

/** All open questions, on all pages; undefined until the server has said. */
export const openCount = signal<number | undefined>(undefined);
export const unreadable = signal<readonly RunProblem[]>([]);
/** What keeps notifications from arriving. */
export const trouble = signal<NotifyTrouble | null>(null);
/** Counts what was heard of notifications, for whoever shows more of them. */
export const noticeNews = signal(0);
/** The runs of which something new was heard just now; `all` when something may have been missed. */
export const runNews = signal<readonly string[] | "all" | undefined>(undefined);
/** The same, with the cards themselves. */
export const boardNews = signal<LiveEvents["runs"] | "all" | undefined>(undefined);
export const inbox = new ListState("open");
export const history = new ListState("decided");

/** The question on the screen. It changes only when its reader asks for that. */
export interface ReadQuestion {
  id: string;
  shown?: QuestionDetail;
  /** How it stands now, when that differs from what is shown. */
  newer?: { detail: QuestionDetail; change: QuestionChange };
  problem?: RequestProblem;
  /** Its run, once it is decided: an answer alone moves none that nobody drives. */
  run?: RunDetail;
}

export const reading = signal<ReadQuestion | undefined>(undefined);
export const readingId = computed(() => reading.value?.id);

/** Whoever comes to a question sees how it stands now. */
export async function openQuestion(id: string): Promise<void> {
  if (reading.peek()?.id !== id) reading.value = { id };
  await readAgain(id, true);
}

/** Shows how the question stands now. */
export function showNewer(): void {
  const now = reading.peek();
  if (now?.newer !== undefined) reading.value = { id: now.id, shown: now.newer.detail, ...runOf(now) };
}

/** What this reader has caused is shown at once, and what came of notifications; everything else waits for them. */
export function takeDetail(detail: QuestionDetail, replace: boolean, run?: RunDetail): void {
  const now = reading.peek();
  if (now === undefined || now.id !== detail.id) return;
  if (replace || now.shown === undefined) {
    reading.value = { id: now.id, shown: detail, ...runOf({ run }) };
    return;
  }
  const change = changeOf(now.shown, detail);
  const shown = { ...now.shown, receipts: detail.receipts };
  reading.value = { id: now.id, shown, ...runOf({ run }), ...(change === "same" ? {} : { newer: { detail, change } }) };
}

function runOf({ run }: { run?: RunDetail | undefined }): Pick<ReadQuestion, "run"> {
  return run === undefined ? {} : { run };
}

async function readAgain(id: string, replace: boolean): Promise<void> {
  try {
    const detail = await readQuestion(id);
    // Both at once, so that nothing moves when the run is there as well.
    takeDetail(
      detail,
      replace,
      detail.state === "open" ? undefined : await readRun(detail.run.id).catch(() => undefined),
    );
  } catch (error) {
    const now = reading.peek();
    if (now?.id === id) reading.value = { ...now, problem: problemOf(error) };
  }
}

let version: string | undefined;

function onEvent({ event, data }: LiveEvent): void {
  connection.value = "online";
  switch (event) {
    case "hello":
      openCount.value = data.open;
      trouble.value = data.trouble;
      if (version !== undefined && version !== data.version) newerVersion.value = true;
      version ??= data.version;
      if (!data.resumed) onGap();
      break;
    case "questions":
      openCount.value = data.open;
      inbox.change(data);
      history.change(data);
      readAgainIfIn([...data.changed.map(({ id }) => id), ...data.gone]);
      break;
    case "notices":
      trouble.value = data.trouble;
      noticeNews.value += 1;
      readAgainIfIn(data.questions);
      break;
    case "runs":
      runNews.value = [...data.changed.map(({ id }) => id), ...data.gone];
      boardNews.value = data;
      readAgainIfLeft(runNews.value);
      break;
  }
}

function readAgainIfIn(ids: readonly string[]): void {
  const id = readingId.peek();
  if (id !== undefined && ids.includes(id)) void readAgain(id, false);
}

/** Somebody may have begun to drive the run of which the page says that nobody does. */
function readAgainIfLeft(runs: readonly string[]): void {
  const { id, run } = reading.peek() ?? {};
  if (id !== undefined && run?.drivenBy === null && runs.includes(run.id)) void readAgain(id, false);
}

function onGap(): void {
  void inbox.catchUp();
  noticeNews.value += 1;
  runNews.value = undefined;
  runNews.value = "all";
  boardNews.value = undefined;
  boardNews.value = "all";
  if (history.list.peek().rows !== undefined) void history.catchUp();
  const id = readingId.peek();
  if (id !== undefined) void readAgain(id, false);
}

/** How many are open, and nothing else. */
export async function countAgain(): Promise<void> {
  const page = await listQuestions({ state: "open", limit: 1 }).catch(() => undefined);
  if (page !== undefined) openCount.value = page.open;
}

/** Begins to listen; once per page. */
export function listen(): void {
  joinTabs({ onEvent, onGap, onUnseen: () => void countAgain() });
  token.subscribe((value) => {
    if (value !== null) {
      void inbox.load();
      if (reading.peek()?.problem !== undefined) void readAgain(reading.peek()?.id ?? "", false);
    }
  });
}
