/** Whether the server can be reached, as far as this tab knows. */
import { computed, signal } from "@preact/signals";

/** `starting` until the first answer, so that nothing blinks while a page loads; `stale` when it answers, but sends no news. */
export const connection = signal<"starting" | "online" | "stale" | "offline">("starting");
/** What is shown is as new as what the server knows. */
export const isLive = computed(() => connection.value === "online" || connection.value === "starting");
/** When a server of another version has taken over while the page was open. */
export const newerVersion = signal(false);

export function serverSeen(answers: boolean): void {
  if (!answers) connection.value = "offline";
  else if (connection.peek() !== "stale") connection.value = "online";
}
