/** Which screen an address stands for, and back. */

import { type ReportWindow, windowNamed } from "./report-window.js";

export type Route =
  | { screen: "inbox"; id?: string; search: string }
  | { screen: "history"; id?: string; search: string }
  | { screen: "report"; window: ReportWindow }
  | { screen: "runs"; filter: RunFilter }
  /** `at`: after which event it is looked at; without it, as it is now. `event`: the one that is chosen. */
  | { screen: "run"; id: string; part: RunPart; at?: number; event?: number }
  | { screen: "compare"; left: string; right: string }
  | { screen: "settings" }
  | { screen: "sign-in" }
  | { screen: "unknown"; path: string };

/** What the board shows; empty texts mean everything. */
export interface RunFilter {
  search: string;
  process: string;
  project: string;
  state: string;
  day: string;
}

const RUN_FILTERS = ["search", "process", "project", "state", "day"] as const satisfies readonly (keyof RunFilter)[];

/** What of a run is shown below its head. */
export const RUN_PARTS = ["steps", "events", "logs", "files", "criteria", "transcripts"] as const;
export type RunPart = (typeof RUN_PARTS)[number];

const RUN = /^\/runs\/([^/]+)\/?$/u;
const QUESTION = /^\/questions\/([^/]+)\/?$/u;

export function parseRoute(path: string, query = ""): Route {
  const params = new URLSearchParams(query);
  const search = params.get("search") ?? "";
  const id = decoded(QUESTION.exec(path)?.[1]);
  if (id !== undefined) return { screen: params.get("in") === "history" ? "history" : "inbox", id, search };
  const run = decoded(RUN.exec(path)?.[1]);
  if (run !== undefined) return { screen: "run", id: run, ...runPlace(params) };
  return pageAt(path, params);
}

function pageAt(path: string, params: URLSearchParams): Route {
  const search = params.get("search") ?? "";
  switch (path.replace(/(.)\/$/u, "$1")) {
    case "/":
      return { screen: "inbox", search };
    case "/history":
      return { screen: "history", search };
    case "/runs":
      return { screen: "runs", filter: runFilter(params) };
    case "/compare":
      return { screen: "compare", left: params.get("left") ?? "", right: params.get("right") ?? "" };
    case "/report":
      return { screen: "report", window: windowNamed(params.get("time")) };
    case "/settings":
      return { screen: "settings" };
    case "/sign-in":
      return { screen: "sign-in" };
    default:
      return { screen: "unknown", path };
  }
}

/** The address of a list, or of a question beside it. */
export function addressOf(screen: "inbox" | "history", { id, search = "" }: { id?: string; search?: string } = {}) {
  const params = new URLSearchParams();
  if (id !== undefined && screen === "history") params.set("in", "history");
  if (search !== "") params.set("search", search);
  const query = params.size > 0 ? `?${params}` : "";
  const list = screen === "history" ? "/history" : "/";
  return `${id === undefined ? list : `/questions/${encodeURIComponent(id)}`}${query}`;
}

export function runsAddress(filter: Partial<RunFilter> = {}): string {
  const chosen = RUN_FILTERS.flatMap((name) => (filter[name] ? [[name, filter[name]]] : []));
  return chosen.length === 0 ? "/runs" : `/runs?${new URLSearchParams(chosen)}`;
}

export function runAddress(
  id: string,
  { part = "steps", at, event }: { part?: RunPart; at?: number | undefined; event?: number | undefined } = {},
): string {
  const params = new URLSearchParams();
  if (part !== "steps") params.set("part", part);
  if (at !== undefined) params.set("at", String(at));
  if (event !== undefined) params.set("event", String(event));
  return `/runs/${encodeURIComponent(id)}${params.size > 0 ? `?${params}` : ""}`;
}

export function compareAddress(left: string, right: string): string {
  return `/compare?${new URLSearchParams({ left, right })}`;
}

function runFilter(params: URLSearchParams): RunFilter {
  const [search = "", process = "", project = "", state = "", day = ""] = RUN_FILTERS.map(
    (name) => params.get(name) ?? "",
  );
  return { search, process, project, state, day };
}

function runPlace(params: URLSearchParams): { part: RunPart; at?: number; event?: number } {
  const part = RUN_PARTS.find((name) => name === params.get("part")) ?? "steps";
  const [at, event] = [numberOf(params.get("at")), numberOf(params.get("event"))];
  return { part, ...(at === undefined ? {} : { at }), ...(event === undefined ? {} : { event }) };
}

function numberOf(text: string | null): number | undefined {
  return /^[1-9]\d{0,8}$/u.test(text ?? "") ? Number(text) : undefined;
}

function decoded(text: string | undefined): string | undefined {
  try {
    return text === undefined ? undefined : decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
