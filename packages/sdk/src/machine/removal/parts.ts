/** The parts of us that a machine may have, by the names that people remove them by. */

/** In the order in which they are removed: what runs first, what finds the others last. */
export const PART_NAMES = ["servers", "plugin", "runs", "inbox", "cache", "state", "config", "command"] as const;

export type Part = (typeof PART_NAMES)[number];

/** Everything but what people may want to keep: the record of their work. */
export const ALL_BUT_RUNS: readonly Part[] = PART_NAMES.filter((part) => part !== "runs");

/** Something on this machine. */
export interface Item {
  part: Part;
  what: string;
  /** What it takes on the disk, where that is known. */
  bytes?: number;
  /** Files and folders that go with it. */
  paths: string[];
  /** A process that ends with it. */
  pid?: number;
  /** Programs that remove it, each with its arguments. */
  commands?: string[][];
}

/** What belongs to a project and its history, and is never removed here. */
export interface KeptFolder {
  path: string;
  bytes: number;
}

export interface Inventory {
  items: Item[];
  kept: KeptFolder[];
}
