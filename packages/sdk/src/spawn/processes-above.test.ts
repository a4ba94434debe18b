import { expect, it } from "vitest";
import { aboveInListing, processesAbove } from "./processes-above.js";

const LISTING = `
    1     0 Mon Nov 16 08:00:00 2026 /sbin/launchd
  300     1 Mon Nov 16 09:00:00 2026 /Applications/iTerm.app/Contents/MacOS/iTerm2
  310   300 Mon Nov 16 09:00:01 2026 -zsh
  320   310 Mon Nov 16 09:05:00 2026 claude --plugin-dir /p
  330   320 Mon Nov 16 09:06:00 2026 /bin/sh -c set -- stop
  999     1 Mon Nov 16 09:06:00 2026
`;

it("finds all that this process was started by, from its parent up", () => {
  const above = processesAbove() ?? [];
  expect(above[0]?.pid).toBe(process.ppid);
  expect(above[0]?.argv.length).toBeGreaterThan(0);
  expect(above.every(({ pid, startTime }) => pid > 1 && startTime !== "")).toBe(true);
});

it("finds them in a listing where there is no /proc", () => {
  expect(aboveInListing(330, LISTING)?.map(({ pid, argv }) => [pid, argv[0]])).toEqual([
    [330, "/bin/sh"],
    [320, "claude"],
    [310, "-zsh"],
    [300, "/Applications/iTerm.app/Contents/MacOS/iTerm2"],
  ]);
  expect(aboveInListing(320, LISTING)?.[0]?.startTime).toBe("Mon Nov 16 09:05:00 2026");
});

it("does not know when the listing is empty or has a gap", () => {
  expect(aboveInListing(330, "")).toBeUndefined();
  expect(aboveInListing(12345, LISTING)).toBeUndefined();
});
