import type { Progress } from "../../drive/progress.js";
import type { Clock } from "../../model/ports.js";
import { counted } from "../../model/shown-amounts.js";
import { makePaint, type Paint } from "../output/paint.js";
import { linesAbove } from "./lines-above.js";
import { LiveRegion } from "./live-region.js";
import { newProgressModel, type ProgressModel, takeProgress } from "./progress-model.js";
import { renderEnding } from "./render-ending.js";
import { renderTree } from "./render-tree.js";
import { type Symbols, symbolsFor } from "./symbols.js";

/** A view that is drawn again and again at the bottom of a terminal. */
export interface LiveView {
  take(progress: Progress): void;
  /** Clears the screen for someone else, such as a question; nothing is written until `resume`. */
  suspend(): void;
  resume(): void;
  /** Leaves the tree and how it ended on the screen, and these lines below. */
  close(finalLines?: string[]): void;
}

interface LiveViewOptions {
  stream: NodeJS.WriteStream;
  env: Readonly<Record<string, string | undefined>>;
  clock?: Clock;
}

export function openLiveView(options: LiveViewOptions): LiveView {
  return new TerminalView(options);
}

/** Shortest time between two frames, and longest while something runs. */
const FRAME_MS = 100;
const TICK_MS = 1000;
/** What stays on the screen at the end. */
const FINAL_LINES = 60;
/** Lines that may wait while someone else has the screen. */
const MAX_WAITING_LINES = 5000;
/** Screens from this height on have room for an empty line. */
const ROOMY_ROWS = 16;

class TerminalView implements LiveView {
  readonly #stream: NodeJS.WriteStream;
  readonly #clock: Clock;
  readonly #paint: Paint;
  readonly #symbols: Symbols;
  readonly #region: LiveRegion;
  readonly #model: ProgressModel = newProgressModel();
  #above: string[] = [];
  #leftOut = 0;
  #timer: { due: number; handle: NodeJS.Timeout } | undefined;
  #drawnMs = Number.NEGATIVE_INFINITY;
  #isSuspended = false;
  #isClosed = false;

  constructor({ stream, env, clock = { now: () => new Date() } }: LiveViewOptions) {
    this.#stream = stream;
    this.#clock = clock;
    this.#paint = makePaint(true, env);
    this.#symbols = symbolsFor(env);
    this.#region = new LiveRegion((text) => void stream.write(text));
    // A terminal that has gone is no reason to stop the work.
    stream.on("error", () => undefined);
    stream.on("resize", this.#onResize);
    process.on("exit", this.#onExit);
    process.on("SIGTSTP", this.#onStop);
    process.on("SIGCONT", this.#onContinue);
  }

  take(progress: Progress): void {
    takeProgress(this.#model, progress, this.#nowMs());
    this.#above.push(...linesAbove(progress, this.#paint));
    const tooMany = this.#above.length - MAX_WAITING_LINES;
    if (tooMany > 0) {
      this.#above.splice(0, tooMany);
      this.#leftOut += tooMany;
    }
    this.#drawIn(FRAME_MS - (this.#nowMs() - this.#drawnMs));
  }

  suspend(): void {
    if (this.#isSuspended || this.#isClosed) return;
    this.#stopTimer();
    this.#region.leave(this.#takeAbove(), this.#columns());
    this.#isSuspended = true;
  }

  resume(): void {
    if (!this.#isSuspended || this.#isClosed) return;
    this.#isSuspended = false;
    this.#draw();
  }

  close(finalLines: string[] = []): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#stopTimer();
    this.#stream.off("resize", this.#onResize);
    process.off("SIGTSTP", this.#onStop);
    process.off("SIGCONT", this.#onContinue);
    try {
      const tree = this.#model.run === undefined ? [] : ["", ...this.#tree(FINAL_LINES)];
      const ending = renderEnding(this.#model, this.#paint, this.#columns());
      const gap = ending.length === 0 || tree.length === 0 ? [] : [""];
      this.#region.leave([...this.#takeAbove(), ...tree, ...gap, ...ending, ...finalLines], this.#columns());
    } finally {
      this.#region.abandon();
      process.off("exit", this.#onExit);
    }
  }

  readonly #onResize = (): void => this.#drawIn(FRAME_MS);
  /** A program that ends in the middle must not leave the terminal without its cursor. */
  readonly #onExit = (): void => this.#region.abandon();
  /** Ctrl-Z: the shell needs the cursor, and the screen is another one afterwards. */
  readonly #onStop = (): void => {
    this.#region.abandon();
    process.kill(process.pid, "SIGSTOP");
  };
  readonly #onContinue = (): void => {
    this.#region.abandon();
    this.#drawIn(0);
  };

  #drawIn(ms: number): void {
    if (this.#isSuspended || this.#isClosed) return;
    const due = this.#nowMs() + Math.max(0, ms);
    if (this.#timer !== undefined && this.#timer.due <= due) return;
    this.#stopTimer();
    const handle = setTimeout(() => this.#draw(), Math.max(0, ms));
    // Looking on is no reason to stay alive.
    handle.unref();
    this.#timer = { due, handle };
  }

  #stopTimer(): void {
    clearTimeout(this.#timer?.handle);
    this.#timer = undefined;
  }

  #draw(): void {
    this.#stopTimer();
    if (this.#model.run === undefined && this.#above.length === 0) return;
    this.#drawnMs = this.#nowMs();
    const screenRows = this.#stream.rows > 0 ? this.#stream.rows : 24;
    // The cursor rests below the tree.
    const rows = Math.max(1, screenRows - 1);
    const space = screenRows >= ROOMY_ROWS ? [""] : [];
    const tree = this.#model.run === undefined ? [] : [...space, ...this.#tree(rows - space.length)];
    this.#region.draw(this.#takeAbove(), tree, this.#columns());
    const { running, retrying } = this.#model.root.counts;
    if (running + retrying > 0 && this.#model.ending === undefined) this.#drawIn(TICK_MS);
  }

  #tree(rows: number): string[] {
    const nowMs = this.#nowMs();
    return renderTree(this.#model, {
      // Terminals differ in what they do after the last column, so nothing is written there.
      columns: this.#columns() - 1,
      rows,
      nowMs,
      paint: this.#paint,
      frame: Math.floor(Math.max(0, nowMs - this.#model.openedMs) / TICK_MS),
      symbols: this.#symbols,
    });
  }

  #takeAbove(): string[] {
    const lines = this.#above;
    if (this.#leftOut > 0) lines.unshift(this.#paint("dim", `(${counted(this.#leftOut, "line")} omitted)`));
    this.#above = [];
    this.#leftOut = 0;
    return lines;
  }

  #columns(): number {
    return this.#stream.columns > 1 ? this.#stream.columns : 80;
  }

  #nowMs(): number {
    return this.#clock.now().getTime();
  }
}
