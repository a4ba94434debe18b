/** Every kind of effect that the engine knows, and who carries it out. Any other kind waits for someone outside. */

/** `engine`: executed without asking anyone. `worker`: by the program in which the process lives. */
export type Performer = "engine" | "agent" | "person" | "time" | "worker" | "outside";

const TASK_KINDS = {
  node: "engine",
  shell: "engine",
  agent: "agent",
  skill: "agent",
  breakpoint: "person",
  sleep: "time",
  hook: "worker",
} as const satisfies Readonly<Record<string, Performer>>;

export type TaskKind = keyof typeof TASK_KINDS;

export function performerOf(kind: string): Performer {
  return Object.hasOwn(TASK_KINDS, kind) ? TASK_KINDS[kind as TaskKind] : "outside";
}

/** The kinds that these carry out, in the order of the table. */
export function kindsFor(...performers: Performer[]): TaskKind[] {
  return (Object.keys(TASK_KINDS) as TaskKind[]).filter((kind) => performers.includes(TASK_KINDS[kind]));
}
