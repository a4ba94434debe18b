/** Where a criterion stands, as an icon, a word and a colour. */
import type { IconName } from "../parts/icons.js";
import type { Standing } from "./criteria-matrix.js";

export const STANDINGS: Record<Standing, { icon: IconName; word: string; tone: string }> = {
  met: { icon: "check", word: "Met", tone: "good" },
  kept: { icon: "check", word: "Has not happened", tone: "good" },
  unmet: { icon: "cross", word: "Unmet", tone: "bad" },
  violated: { icon: "cross", word: "Has happened", tone: "bad" },
  claimed: { icon: "hand", word: "Claimed", tone: "needs" },
  unknown: { icon: "none", word: "Unknown", tone: "quiet" },
};
