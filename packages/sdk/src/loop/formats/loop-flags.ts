/** The flags by which a loop is agreed on, the same on the command line and behind `/babysit`. */

export interface LoopFlag {
  /** What stands for the value in help texts. */
  value: string;
  help: string;
  /** May be given more than once. */
  many?: true;
  /** A limit, or the promise: may also be changed when a loop is resumed. */
  onResume?: true;
}

export const LOOP_FLAGS = {
  criteria: {
    value: "name: command",
    help: "The engine runs this command when the agent claims to be done; it must exit with 0.",
    many: true,
  },
  "fast-criteria": { value: "name: command", help: "Like --criteria, but also run after every turn.", many: true },
  "must-not": { value: "name: command", help: "Pause the loop when this command succeeds.", many: true },
  claim: { value: "text", help: "A criterion that no command can check; the agent's word counts.", many: true },
  step: { value: "title", help: "A unit of work; all steps must be done.", many: true },
  protect: { value: "glob", help: "Files that must not change.", many: true },
  "max-iterations": {
    value: "n",
    help: "Pause the loop after this many turns (default: 50, for a process 256; 0: no limit).",
    onResume: true,
  },
  "budget-usd": {
    value: "amount",
    help: "Pause the loop after spending this many US dollars, at list prices.",
    onResume: true,
  },
  "budget-tokens": {
    value: "n",
    help: "Pause the loop after this many tokens, cache reads included.",
    onResume: true,
  },
  "max-time": { value: "time", help: "Pause the loop after this long: 90s, 30m, 12h, 2d.", onResume: true },
  "review-every": { value: "n", help: "Pause the loop for your review after every n turns.", onResume: true },
  "completion-promise": {
    value: "text",
    help: "What the agent says in <promise> tags when it is done (default: generated).",
    onResume: true,
  },
  "criteria-timeout": { value: "time", help: "Time limit for each command (default: 10m)." },
  shape: { value: "tool|colleague", help: "Unattended, or with your review every few turns." },
} as const satisfies Readonly<Record<string, LoopFlag>>;

export type LoopFlagName = keyof typeof LOOP_FLAGS;
