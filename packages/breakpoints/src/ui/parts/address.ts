/** The address of the page, as something that screens follow. */
import { computed, signal } from "@preact/signals";
import { parseRoute } from "../model/routes.js";

const here = signal(location.pathname + location.search);

export const route = computed(() => {
  const [path = "/", query = ""] = here.value.split("?", 2);
  return parseRoute(path, query);
});

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
