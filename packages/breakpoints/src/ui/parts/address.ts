/** The address of the page, as something that screens follow. */
import { computed, signal } from "@preact/signals";
import { parseRoute } from "../model/routes.js";

const here = signal(location.pathname + location.search);

export const route = computed(() => {
  const [path = "/", query = ""] = here.value.split("?", 2);
  return parseRoute(path, query);
});

/** One value of the query: what a part of a page shows, so that it is there again after a reload. */
export function inQuery(name: string): string | undefined {
  const [, query = ""] = here.value.split("?", 2);
  return new URLSearchParams(query).get(name) ?? undefined;
}

/** Changes values of the query in place; undefined takes one out. */
export function setInQuery(values: Readonly<Record<string, string | undefined>>): void {
  const [path = "/", query = ""] = here.peek().split("?", 2);
  const params = new URLSearchParams(query);
  for (const [name, value] of Object.entries(values))
    if (value === undefined || value === "") params.delete(name);
    else params.set(name, value);
  const address = params.size > 0 ? `${path}?${params}` : path;
  try {
    history.replaceState(history.state, "", address);
  } catch {
    // A file that is looked at has no address of its own to change; what is shown follows all the same.
  }
  here.value = address;
}

export function go(address: string, { replace = false } = {}): void {
  if (address === here.peek()) return;
  if (replace) history.replaceState(history.state, "", address);
  else history.pushState(null, "", address);
  here.value = address;
}

export function followHistory(): void {
  addEventListener("popstate", () => {
    here.value = location.pathname + location.search;
  });
}
