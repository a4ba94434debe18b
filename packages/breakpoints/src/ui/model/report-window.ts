/** Which time a report is about, by the reader's clock. */

export const WINDOWS = ["evening", "day", "week"] as const;
export type ReportWindow = (typeof WINDOWS)[number];

export const WINDOW_WORDS: Readonly<Record<ReportWindow, string>> = {
  evening: "Since last evening",
  day: "24 hours",
  week: "7 days",
};

const HOUR = 3_600_000;
const EVENING = 18;
/** Whoever looks in the evening means the one before. */
const LEAST_HOURS = 4;

export function sinceWhen(kind: ReportWindow, now: Date): Date {
  if (kind === "day") return new Date(now.getTime() - 24 * HOUR);
  if (kind === "week") return new Date(now.getTime() - 7 * 24 * HOUR);
  const evening = new Date(now);
  evening.setHours(EVENING, 0, 0, 0);
  if (now.getTime() - evening.getTime() < LEAST_HOURS * HOUR) evening.setDate(evening.getDate() - 1);
  return evening;
}

export function windowNamed(text: string | null): ReportWindow {
  return WINDOWS.find((kind) => kind === text) ?? "evening";
}
