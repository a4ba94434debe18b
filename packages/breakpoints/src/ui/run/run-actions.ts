/** What may be done to a run in the state that it is in. Pure. */
import type { RunChange, RunDetail } from "../../wire/run-wire.js";
import { isOver } from "./run-words.js";

type ChangeName = RunChange["change"];

type ActionIcon = "retry" | "play" | "pause" | "fork" | "cross";

export interface RunAction {
  change: ChangeName;
  word: string;
  icon: ActionIcon;
  /** The same for a terminal. */
  command: string;
  /** Why it cannot be done now, where the server says so. */
  whyNot: string | null;
}

const WORDS: Readonly<Record<ChangeName, { word: string; icon: ActionIcon }>> = {
  retry: { word: "Retry", icon: "retry" },
  resume: { word: "Resume", icon: "play" },
  pause: { word: "Pause", icon: "pause" },
  fork: { word: "Fork", icon: "fork" },
  cancel: { word: "Cancel run", icon: "cross" },
};

export interface ActionFacts {
  /** A step has failed last. */
  failedStep: boolean;
  /** What commands call the run. */
  name: string;
  /** The event that it is looked at; undefined for now. */
  at: number | undefined;
}

/** In the order in which they stand: what gets it on first, what ends it last. */
export function actionsFor(run: RunDetail, { failedStep, name, at }: ActionFacts): RunAction[] {
  if (run.readOnly !== null) return [];
  const { state, loop, events } = run;
  const goesOn = !isOver(state);
  const isNow = at === undefined;
  const fits: Readonly<Record<ChangeName, boolean>> = {
    retry: isNow && (state === "failed" || (goesOn && failedStep)),
    resume: isNow && state === "paused",
    pause: isNow && loop !== null && goesOn && state !== "paused",
    // A loop without a process can never be forked: there is nothing to say about that.
    fork: loop === null || (run.can?.fork ?? null) === null,
    cancel: isNow && (goesOn || state === "failed"),
  };
  return (Object.keys(WORDS) as ChangeName[])
    .filter((change) => fits[change])
    .map((change) => ({
      change,
      ...WORDS[change],
      ...(change === "fork" && !isNow ? { word: "Fork from here" } : {}),
      command: commandFor(change, name, at ?? events),
      whyNot: run.can?.[change] ?? null,
    }));
}

/** What does the same in a terminal. */
function commandFor(change: ChangeName, name: string, at: number): string {
  if (change === "fork") return `babysitter run:fork ${name} --at ${at}`;
  return `babysitter run:${change} ${name}`;
}
