/** The address of the page, as something that screens follow. */
import { computed, signal } from "@preact/signals";
import { parseRoute } from "../model/routes.js";

const here = signal(location.pathname + location.search);

export const route = computed(() => {
  const [path = "/", query = ""] = here.value.split("?", 2);
  return parseRoute(path, query);
});

/** Steps that were taken in this tab; without any, "back" leads to the list instead of out of the inbox. */
let steps = 0;

export function go(address: string, { replace = false } = {}): void {
  if (address === here.peek()) return;
  if (replace) history.replaceState(history.state, "", address);
  else {
    steps += 1;
    history.pushState(null, "", address);
  }
  here.value = address;
}

export function goBack(otherwise: string): void {
  if (steps > 0) {
    steps -= 1;
    history.back();
  } else go(otherwise, { replace: true });
}

export function followHistory(): void {
  addEventListener("popstate", () => {
    here.value = location.pathname + location.search;
  });
}
