/** Which runs the board is to show. */
import { parseCursor, parseLimit, wordsOf, wrong } from "./query-parts.js";

/** A place among the runs that are done: what has failed since `freshFrom` comes first, then the newest. */
export interface RunCursor {
  freshFrom: number;
  key: readonly [group: number, time: number, id: string];
}

export interface RunQuery {
  /** In small letters; each must be found. */
  words: string[];
  process: string | undefined;
  /** The root of a project. */
  project: string | undefined;
  state: string | undefined;
  /** The day in which it began or was last written to, in milliseconds, without its end. */
  day: { from: number; to: number } | undefined;
  after: RunCursor | undefined;
  limit: number;
}

const STATES = ["created", "running", "waiting", "blocked", "paused", "completed", "failed", "cancelled"];
const NAMES: readonly string[] = ["search", "process", "project", "state", "day", "after", "limit"];
const LONGEST = 4_096;

/** Whatever is not understood is refused: a filter that does nothing would show what nobody asked for. */
export function parseRunQuery(given: Readonly<Record<string, string>>): RunQuery {
  for (const name of Object.keys(given))
    if (!NAMES.includes(name)) throw wrong(name, "left out: there is no such filter");
  const { search = "", process, project, state, day, after, limit } = given;
  if (state !== undefined && !STATES.includes(state)) throw wrong("state", `one of ${STATES.join(", ")}`);
  return {
    words: wordsOf(search),
    process: nameIn("process", process),
    project: nameIn("project", project),
    state,
    day: day === undefined ? undefined : dayIn(day),
    after: after === undefined ? undefined : cursorIn(after),
    limit: parseLimit(limit),
  };
}

function nameIn(name: string, text: string | undefined): string | undefined {
  if (text !== undefined && (text === "" || text.length > LONGEST)) throw wrong(name, "a name");
  return text;
}

/** A day of the clock on the wall here, which need not have 24 hours. */
function dayIn(text: string): { from: number; to: number } {
  const [year = 0, month = 0, day = 0] = /^(\d{4})-(\d{2})-(\d{2})$/u.exec(text)?.slice(1).map(Number) ?? [];
  const begin = new Date(year, month - 1, day);
  const isDay = year >= 1970 && begin.getMonth() === month - 1 && begin.getDate() === day;
  if (!isDay) throw wrong("day", "a day such as 2026-11-17");
  return { from: begin.getTime(), to: new Date(year, month - 1, day + 1).getTime() };
}

function cursorIn(text: string): RunCursor {
  const {
    numbers: [freshFrom = 0, group = 0, time = 0],
    id,
  } = parseCursor(text, 3);
  return { freshFrom, key: [group, time, id] };
}
