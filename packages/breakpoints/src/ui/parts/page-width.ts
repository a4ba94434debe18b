/** Whether there is room for list and question side by side. */
import { signal } from "@preact/signals";

const query = matchMedia("(min-width: 64rem)");

export const isWide = signal(query.matches);

export function followWidth(): void {
  query.addEventListener("change", ({ matches }) => {
    isWide.value = matches;
  });
}
