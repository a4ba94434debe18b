/** What pages ask the server about runs. */
import type { RunList } from "../../wire/run-wire.js";
import type { RunFilter } from "../model/routes.js";
import type { RunSource } from "../model/run-source.js";
import { readRun } from "./inbox-api.js";
import { runNews } from "./inbox-state.js";
import { request, send } from "./request.js";

export function listRuns(filter: Partial<RunFilter> & { after?: string; limit?: number }): Promise<RunList> {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(filter))
    if (value !== undefined && value !== "") params.set(name, String(value));
  return request(`/api/runs?${params}`);
}

/** A run as the server knows it. */
export function runSource(id: string): RunSource {
  const at = `/api/runs/${encodeURIComponent(id)}`;
  return {
    detail: () => readRun(id),
    events: (after) => request(`${at}/events?after=${after}`),
    event: (seq) => request(`${at}/events/${seq}`),
    integrity: () => request(`${at}/integrity`),
    files: () => request(`${at}/files`),
    readFile: async (path, from) => {
      const response = await send(`${at}/file?${new URLSearchParams({ path, from: String(from) })}`, {});
      const next = response.headers.get("babysitter-next") ?? "";
      return {
        bytes: new Uint8Array(await response.arrayBuffer()),
        next: next === "" ? null : Number(next),
        size: Number(response.headers.get("babysitter-size")),
      };
    },
    transcripts: () => request(`${at}/transcripts`),
    transcript: (of, from) => request(`${at}/transcript?${new URLSearchParams({ of, from: String(from) })}`),
    change: (body) => request(`${at}/change`, { method: "POST", body }),
    follow: (onNews) =>
      runNews.subscribe((ids) => ids !== undefined && (ids === "all" || ids.includes(id)) && onNews()),
  };
}
