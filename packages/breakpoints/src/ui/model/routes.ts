/** Which screen an address stands for, and back. */

import { type ReportWindow, windowNamed } from "./report-window.js";

export type Route =
  | { screen: "inbox"; id?: string; search: string }
  | { screen: "history"; id?: string; search: string }
  | { screen: "report"; window: ReportWindow }
  | { screen: "settings" }
  | { screen: "sign-in" }
  | { screen: "unknown"; path: string };

const QUESTION = /^\/questions\/([^/]+)\/?$/u;

export function parseRoute(path: string, query = ""): Route {
  const params = new URLSearchParams(query);
  const search = params.get("search") ?? "";
  const id = decoded(QUESTION.exec(path)?.[1]);
  if (id !== undefined) return { screen: params.get("in") === "history" ? "history" : "inbox", id, search };
  switch (path.replace(/(.)\/$/u, "$1")) {
    case "/":
      return { screen: "inbox", search };
    case "/history":
      return { screen: "history", search };
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

function decoded(text: string | undefined): string | undefined {
  try {
    return text === undefined ? undefined : decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
