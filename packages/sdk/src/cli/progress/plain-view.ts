import type { Progress } from "../../drive/progress.js";
import type { JournalEvent } from "../../model/events.js";
import type { Clock } from "../../model/ports.js";
import type { Paint } from "../output/paint.js";
import { oneLine } from "./display-width.js";
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
}

export function openPlainView({ write, paint, clock = { now: () => new Date() } }: PlainViewOptions): PlainView {
  const model = newProgressModel();
  /** Past events that have not been summed up yet. */
  let pastEvents = 0;
  const say = (happenings: readonly Happening[], nowMs: number): void => {
    for (const { word, style, text, atMs } of happenings) {
      const [first = "", ...more] = text.split("\n");
      const lines = [
        `${paint("dim", utcTime(atMs ?? nowMs))} ${painted(paint, style, word)} ${first}`,
        ...more.map(indented),
      ];
      write(lines.map((line) => `${line.trimEnd()}\n`).join(""));
    }
  };
  const sumUpPast = (nowMs: number): void => {
    if (pastEvents > 0 && model.run?.resumed === true)
      say([{ word: "past", style: "dim", text: `resumed: ${pastText(model)}` }], nowMs);
    pastEvents = 0;
  };
  return {
    take(progress) {
      const nowMs = clock.now().getTime();
      const isPast = progress.type === "event" && progress.past;
      if (!isPast) sumUpPast(nowMs);
      takeProgress(model, progress, nowMs);
      if (isPast) pastEvents += 1;
      else say(happeningsOf(model, progress), nowMs);
    },
    close() {
      sumUpPast(clock.now().getTime());
      write(
        renderEnding(model, paint)
          .map((line) => `${line}\n`)
          .join(""),
      );
    },
  };
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

function pastText({ root: { counts } }: ProgressModel): string {
  const parts = [`${counts.done} done`];
  if (counts.failed > 0) parts.push(`${counts.failed} failed`);
  if (counts.asking > 0) parts.push(`${counts.asking} waiting for a human`);
  return parts.join(", ");
}

function happeningsOf(model: ProgressModel, progress: Progress): Happening[] {
  if (progress.type === "opened") {
    const { runId, entry, resumed } = progress.run;
    return [{ word: "run", text: `${oneLine(runId)}  ${oneLine(entry)}${resumed ? "  (resumed)" : ""}` }];
  }
  if (progress.type === "event") return happeningsIn(model, progress.event);
  if (progress.type === "printed") return [{ word: "print", text: textLines(progress.line).join("\n") }];
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
      return state === "done" ? { word: "ok", style: "green", text } : { word: "fail", style: "red", text };
    }),
  PROCESS_LOGGED: (_model, { payload }) =>
    payload.entries.map((entry) => ({ word: "log", style: "cyan", text: logText(entry) })),
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
