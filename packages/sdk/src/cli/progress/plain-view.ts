import type { Progress } from "../../drive/progress.js";
import type { JournalEvent } from "../../model/events.js";
import type { Failure } from "../../model/failure.js";
import { defined } from "../../model/json.js";
import type { Clock } from "../../model/ports.js";
import { oneLine, toolLine } from "../output/display-width.js";
import type { Paint } from "../output/paint.js";
import { logText, textLines } from "./lines-above.js";
import {
  type EffectNode,
  effectName,
  isReadable,
  newProgressModel,
  type ProgressModel,
  takeProgress,
} from "./progress-model.js";
import { renderEnding } from "./render-ending.js";
import { type PrintedLine, printedTail, TaskLogs } from "./task-logs.js";
import { durationText, utcTime } from "./time-text.js";

/** A view for pipes and logs: one line for everything that happens. */
export interface PlainView {
  take(progress: Progress): void;
  close(): void;
}

interface PlainViewOptions {
  write: (text: string) => void;
  paint: Paint;
  clock?: Clock;
  /** Also what tasks print, line by line; else the end of what failed ones have printed. */
  logs?: boolean;
}

/** How often to look for what tasks have printed. */
const LOOK_MS = 200;
/** What was printed so many lines above is still to be seen. */
const NEAR_LINES = 40;

export function openPlainView(options: PlainViewOptions): PlainView {
  return new LinesView(options);
}

class LinesView implements PlainView {
  readonly #write: (text: string) => void;
  readonly #paint: Paint;
  readonly #clock: Clock;
  readonly #model = newProgressModel();
  readonly #logs: TaskLogs | undefined;
  readonly #timer: NodeJS.Timeout | undefined;
  /** Past events that have not been summed up yet. */
  #pastEvents = 0;
  #written = 0;
  /** At which line the output of a failed task was shown. */
  readonly #shownAt = new Map<string, number>();

  constructor({ write, paint, clock = { now: () => new Date() }, logs = false }: PlainViewOptions) {
    this.#write = write;
    this.#paint = paint;
    this.#clock = clock;
    if (!logs) return;
    this.#logs = new TaskLogs();
    this.#timer = setInterval(() => this.#sayPrinted(this.#logs?.news()), LOOK_MS);
    // Looking on is no reason to stay alive.
    this.#timer.unref();
  }

  take(progress: Progress): void {
    const isPast = progress.type === "event" && progress.past;
    if (!isPast) this.#sumUpPast();
    this.#sayPrinted(this.#logs?.take(progress));
    takeProgress(this.#model, progress, this.#nowMs());
    if (isPast) this.#pastEvents += 1;
    else this.#say(withTail(happeningsOf(this.#model, progress), this.#tailOf(progress)));
  }

  close(): void {
    clearInterval(this.#timer);
    this.#sayPrinted(this.#logs?.news());
    this.#sumUpPast();
    const { ending } = this.#model;
    const failures = ending?.failures?.map((one) => (this.#isNear(one) ? { ...one, stderr: [], stdout: [] } : one));
    const model =
      ending === undefined ? this.#model : { ...this.#model, ending: { ...ending, ...defined({ failures }) } };
    for (const line of renderEnding(model, this.#paint)) this.#write(`${line}\n`);
  }

  #say(happenings: readonly Happening[]): void {
    for (const { word, style, text, atMs = this.#nowMs() } of happenings) {
      const [first = "", ...more] = text.split("\n");
      const lines = [
        `${this.#paint("dim", utcTime(atMs))} ${painted(this.#paint, style, word)} ${first}`,
        ...more.map(indented),
      ];
      this.#written += lines.length;
      this.#write(lines.map((line) => `${line.trimEnd()}\n`).join(""));
    }
  }

  #sumUpPast(): void {
    const { run } = this.#model;
    const title = run?.watched === true ? "so far" : "resumed";
    const text = pastText(this.#model);
    if (this.#pastEvents > 0 && run?.resumed === true && text !== undefined)
      this.#say([{ word: "past", style: "dim", text: `${title}: ${text}` }]);
    this.#pastEvents = 0;
  }

  #sayPrinted(lines: readonly PrintedLine[] = []): void {
    if (lines.length > 0) this.#sumUpPast();
    for (const line of lines) this.#say([printedLine(this.#model, line)]);
  }

  /** What a task that has just failed printed last, unless all of it is above. */
  #tailOf(progress: Progress): string[] {
    const failed = progress.type === "event" ? failedIn(progress.event) : undefined;
    if (failed === undefined || this.#model.run === undefined) return [];
    this.#shownAt.set(failed, this.#written);
    if (this.#logs !== undefined) return [];
    const { stdout, stderr } = printedTail(this.#model.run.runDir, failed);
    return [...stdout, ...stderr].map((line) => `| ${line}`);
  }

  /** Whether the reader still sees what a failed task has printed. */
  #isNear({ effectId }: Failure): boolean {
    const at = this.#shownAt.get(effectId);
    return at !== undefined && this.#written - at < NEAR_LINES;
  }

  #nowMs(): number {
    return this.#clock.now().getTime();
  }
}

function failedIn(event: JournalEvent): string | undefined {
  if (event.type === "EFFECT_ATTEMPT_FAILED")
    return event.payload.reason === "interrupted" ? undefined : event.effectId;
  return event.type === "EFFECT_RESOLVED" && event.payload.status === "error" ? event.effectId : undefined;
}

function withTail(happenings: Happening[], tail: readonly string[]): Happening[] {
  const [only] = happenings;
  if (only === undefined || tail.length === 0) return happenings;
  // Its last line is often the end of the message.
  const doubled = tail
    .map((line) => `: ${line.slice(2).trim()}`)
    .find((line) => line !== ": " && only.text.endsWith(line));
  const text = doubled === undefined ? only.text : only.text.slice(0, -doubled.length);
  return [{ ...only, text: [text, ...tail].join("\n") }];
}

function printedLine(model: ProgressModel, { effectId, stream, line }: PrintedLine): Happening {
  const effect = model.effects.get(effectId);
  const name = effect === undefined ? effectId : effectName(effect);
  return { word: stream === "stdout" ? "out" : "err", style: "dim", text: `${oneLine(name)} | ${toolLine(line)}` };
}

interface Happening {
  word: string;
  text: string;
  style?: Parameters<Paint>[0];
  atMs?: number;
}

/** Under the text of the line before. */
function indented(line: string): string {
  return " ".repeat(16) + line;
}

function painted(paint: Paint, style: Happening["style"], word: string): string {
  const padded = word.padEnd(6);
  return style === undefined ? padded : paint(style, padded);
}

/** What there is to tell of the steps so far; a loop may have none. */
function pastText({ root: { counts }, effects }: ProgressModel): string | undefined {
  if (effects.size === 0) return undefined;
  const parts = [`${counts.done} done`];
  if (counts.failed > 0) parts.push(`${counts.failed} failed`);
  if (counts.rejected > 0) parts.push(`${counts.rejected} rejected`);
  if (counts.asking > 0) parts.push(`${counts.asking} waiting for a human`);
  return parts.join(", ");
}

function happeningsOf(model: ProgressModel, progress: Progress): Happening[] {
  if (progress.type === "opened") {
    const { runId, entry, resumed, watched } = progress.run;
    const how = watched === true ? "  (watching)" : resumed ? "  (resumed)" : "";
    return [{ word: "run", text: `${oneLine(runId)}  ${oneLine(entry)}${how}` }];
  }
  if (progress.type === "event") return happeningsIn(model, progress.event);
  if (progress.type === "printed")
    return [{ word: "print", text: textLines(progress.line, { colours: false }).join("\n") }];
  return progress.type === "notice" ? [{ word: "note", style: "yellow", text: oneLine(progress.text) }] : [];
}

function happeningsIn(model: ProgressModel, event: JournalEvent): Happening[] {
  if (!isReadable(event)) return [];
  const tell = texts[event.type] as ((model: ProgressModel, event: JournalEvent) => Happening[]) | undefined;
  const atMs = Date.parse(event.timestamp);
  return (tell?.(model, event) ?? []).map((happening) => ({ ...happening, atMs }));
}

type EventOf<T extends JournalEvent["type"]> = Extract<JournalEvent, { type: T }>;

const texts: { [T in JournalEvent["type"]]?: (model: ProgressModel, event: EventOf<T>) => Happening[] } = {
  EFFECT_REQUESTED: (model, event) => ofEffect(model, event, asked),
  EFFECT_REOPENED: (model, event) =>
    ofEffect(model, event, ({ attempt }) => ({ word: "reopen", text: `attempt ${attempt}` })),
  EFFECT_RETRIED: (model, event) =>
    ofEffect(model, event, ({ attempt }) => ({ word: "retry", text: `attempt ${attempt}` })),
  EFFECT_DROPPED: (model, event) =>
    ofEffect(model, event, () => ({ word: "drop", text: "the process no longer asks for it" })),
  EFFECT_STARTED: (model, event) =>
    ofEffect(model, event, ({ kind, attempt }) => ({
      word: "start",
      text: `${oneLine(kind)}${attempt > 1 ? ` (attempt ${attempt})` : ""}`,
    })),
  EFFECT_ATTEMPT_FAILED: (model, event) =>
    ofEffect(model, event, ({ untilMs, note }) => {
      const wait = untilMs === undefined ? "" : ` in ${durationText(untilMs - Date.parse(event.timestamp))}`;
      const { attempt, nextAttempt, reason } = event.payload;
      const why = oneLine(note ?? reason);
      return {
        word: "retry",
        style: "yellow",
        text: `attempt ${attempt} ${reason}, attempt ${nextAttempt}${wait}: ${why}`,
      };
    }),
  EFFECT_RESOLVED: (model, event) =>
    ofEffect(model, event, (effect) => {
      const { state, note, attempt } = effect;
      const took = durationText((effect.finishedMs ?? 0) - (effect.startedMs ?? effect.requestedMs));
      const tries = attempt > 1 ? ` (attempt ${attempt})` : "";
      const text = `${took}${tries}${note ? `: ${oneLine(note)}` : ""}`;
      if (state === "rejected") return { word: "reject", style: "yellow", text };
      return state === "done" ? { word: "ok", style: "green", text } : { word: "fail", style: "red", text };
    }),
  PROCESS_LOGGED: (_model, { payload }) =>
    payload.entries.map((entry) => ({ word: "log", style: "cyan", text: logText(entry, { colours: false }) })),
  RUN_REOPENED: (_model, { payload }) => [{ word: "reopen", text: oneLine(payload.reason) }],
};

type Told = Pick<Happening, "word" | "style" | "text">;

function ofEffect(
  model: ProgressModel,
  { effectId }: { effectId: string },
  tell: (effect: EffectNode) => Told | undefined,
): Happening[] {
  const effect = model.effects.get(effectId);
  const told = effect === undefined ? undefined : tell(effect);
  if (effect === undefined || told === undefined) return [];
  return [{ ...told, text: `${oneLine(effectName(effect))}  ${told.text}` }];
}

/** Of a request only what nobody starts is told: questions and sleeps. */
function asked({ state, untilMs }: EffectNode): Told | undefined {
  if (state === "asking") return { word: "ask", style: "yellow", text: "waiting for an answer" };
  if (state !== "sleeping") return undefined;
  return { word: "sleep", text: untilMs === undefined ? "" : `until ${new Date(untilMs).toISOString()}` };
}
