/** The parts of us that a machine may have, by the names that people remove them by. */

/** In the order in which they are removed: what runs first, what finds the others last. */
export const PARTS = {
  servers: "the inbox's server and worker that run now",
  plugin: "the plugin in agent hosts",
  runs: "the runs of all known projects, archived ones too",
  inbox: "what the inbox keeps: its index, devices, tokens and addresses of channels",
  cache: "compiled hooks",
  state: "sessions, logs and the list of projects",
  config: "your personal settings and hooks",
  command: "the command itself, where npm has installed it",
} as const satisfies Readonly<Record<string, string>>;

export type Part = keyof typeof PARTS;

export const PART_NAMES = Object.keys(PARTS) as Part[];

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
