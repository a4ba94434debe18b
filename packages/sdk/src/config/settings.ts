/** Every setting. Files, variables, the schema and the documentation page follow from this table. */
import { CHANNELS } from "../model/channel-names.js";
import type { GatesPolicy } from "../model/code-versions.js";
import {
  type AnswerPolicy,
  absolutePath,
  amount,
  answerPolicy,
  type Check,
  checkList,
  choice,
  commandLine,
  hours,
  limit,
  type Prices,
  priceList,
  type SettingType,
  someOf,
  timeOfDay,
  webAddress,
  wholeNumber,
  wordList,
  yesOrNo,
} from "./setting-types.js";

/** Where a setting can be made, in ascending precedence: team file, personal file, environment, command line. */
export type Place = "team" | "person" | "env" | "flag";

/** How two values of a setting become one. */
type Combination = "last wins" | "stricter wins";

export interface Setting<T> {
  type: SettingType<T>;
  default: T;
  doc: string;
  /** The environment variable. */
  env?: string;
  /** The option of commands; `means` is for one that takes no value. */
  flag?: { name: string; means?: T };
  combine: Combination;
  /** Where it may be made, if not everywhere. */
  only?: readonly Place[];
}

/** The value of each setting; null where nothing is set and there is no default. */
export interface ConfigValues {
  "driver.concurrency": number;
  "driver.agentCommand": string | string[] | null;
  "tasks.timeoutMs": number;
  "tasks.kinds": string[];
  "hooks.timeoutMs": number | null;
  "hooks.enabled": boolean;
  "iterate.waitMs": number | null;
  "breakpoints.policy": AnswerPolicy;
  "breakpoints.answers": "open" | "bound";
  "breakpoints.gates": GatesPolicy;
  "limits.maxIterations": number;
  "limits.budgetUsd": number | null;
  "loops.stateFile": boolean;
  "inbox.program": string | null;
  "inbox.onDemand": boolean;
  "inbox.port": number;
  "inbox.apiPort": number;
  "inbox.publicUrl": string | null;
  "notify.afterSeconds": number;
  "notify.remindMinutes": number;
  "notify.remindBy": string[];
  "notify.quietHours": string | null;
  "notify.reportAt": string;
  prices: Prices;
  checks: Check[];
}

export type SettingName = keyof ConfigValues;

/** The longest time that a timer can wait. */
const MAX_MS = 2 ** 31 - 1;
const MAX_PORT = 65_535;

/** Passes on to the programs that a command starts how long they are to wait for tasks. */
export const ITERATE_WAIT_VARIABLE = "BABYSITTER_ITERATE_WAIT_MS";

export const SETTINGS: { readonly [N in SettingName]: Setting<ConfigValues[N]> } = {
  "driver.concurrency": {
    type: wholeNumber({ min: 1, max: 1000 }),
    default: 4,
    doc: "Maximum number of tasks that `babysitter run` executes in parallel.",
    env: "BABYSITTER_CONCURRENCY",
    flag: { name: "concurrency" },
    combine: "last wins",
  },
  "driver.agentCommand": {
    type: commandLine(),
    default: null,
    doc: "Command that executes agent and skill tasks. Without it they wait until another program posts their results.",
    env: "BABYSITTER_AGENT_COMMAND",
    flag: { name: "agent-command" },
    combine: "last wins",
  },
  "tasks.timeoutMs": {
    type: wholeNumber({ min: 0, max: MAX_MS, zero: "no limit" }),
    default: 15 * 60_000,
    doc: "Time limit in milliseconds for node and shell tasks that set no timeout themselves.",
    env: "BABYSITTER_TASK_TIMEOUT_MS",
    combine: "last wins",
  },
  "tasks.kinds": {
    type: wordList(),
    default: [],
    doc: "Kinds of tasks that other programs of the project execute. Undeclared ones are named in a warning, and refused if they look like a misspelt built-in kind.",
    combine: "last wins",
    only: ["team", "person"],
  },
  "hooks.timeoutMs": {
    type: wholeNumber({ min: 1, max: MAX_MS }),
    default: null,
    doc: "Time limit in milliseconds for each hook. If unset: one minute, or ten minutes for hooks that execute tasks.",
    env: "BABYSITTER_HOOK_TIMEOUT_MS",
    combine: "last wins",
  },
  "hooks.enabled": {
    type: yesOrNo(),
    default: true,
    doc: "Whether lifecycle hooks are called. You can turn them off for a command, but not permanently.",
    env: "BABYSITTER_HOOKS_ENABLED",
    flag: { name: "no-hooks", means: false },
    combine: "last wins",
    only: ["env", "flag"],
  },
  "iterate.waitMs": {
    type: wholeNumber({ min: 0, max: MAX_MS, zero: "no waiting" }),
    default: null,
    doc: "How long `run:iterate` waits for running tasks, in milliseconds. If unset: one minute when an agent runs it, else until the tasks have ended.",
    env: ITERATE_WAIT_VARIABLE,
    combine: "last wins",
  },
  "breakpoints.policy": {
    type: answerPolicy(),
    default: "ask",
    doc: "How questions are answered: `ask` a human, or `approve` or `reject` without one. From lax to strict: approve, reject, ask.",
    env: "BABYSITTER_BREAKPOINT_POLICY",
    flag: { name: "breakpoint-policy" },
    combine: "stricter wins",
  },
  "breakpoints.answers": {
    type: choice(["open", "bound"]),
    default: "bound",
    doc: "Which answers count in a run that belongs to an agent's session: `bound`, only those that an agent cannot give; `open`, all.",
    env: "BABYSITTER_BREAKPOINT_ANSWERS",
    combine: "stricter wins",
  },
  "breakpoints.gates": {
    type: choice(["free", "bound", "pinned"]),
    default: "bound",
    doc: "Which runs are blocked, until a person accepts it, when a change of their code removes a breakpoint: `free`, none; `bound`, those that belong to an agent's session; `pinned`, all. A run keeps what it began with.",
    combine: "stricter wins",
    only: ["team", "person"],
  },
  "limits.maxIterations": {
    type: limit(1_000_000),
    default: 50,
    doc: "Number of iterations after which a loop is paused.",
    env: "BABYSITTER_MAX_ITERATIONS",
    flag: { name: "max-iterations" },
    combine: "stricter wins",
  },
  "limits.budgetUsd": {
    type: amount(),
    default: null,
    doc: "Cost in US dollars after which a loop is paused, as far as the agent reports what it spends.",
    env: "BABYSITTER_BUDGET_USD",
    flag: { name: "budget-usd" },
    combine: "stricter wins",
  },
  "loops.stateFile": {
    type: yesOrNo(),
    default: true,
    doc: "Whether loops with criteria keep `.loop/state.json` in the project, for scripts that read this format.",
    env: "BABYSITTER_LOOP_STATE_FILE",
    combine: "last wins",
  },
  "inbox.program": {
    type: absolutePath(),
    default: null,
    doc: "The program of the inbox, if not the one installed beside this command. `babysitter ui --enable` records it.",
    combine: "last wins",
    only: ["person"],
  },
  "inbox.onDemand": {
    type: yesOrNo(),
    default: false,
    doc: "Whether a question starts the inbox's server. `babysitter ui --enable` and `--disable` set it.",
    combine: "last wins",
    only: ["person"],
  },
  "inbox.port": {
    type: wholeNumber({ min: 0, max: MAX_PORT, zero: "any free port" }),
    default: 3184,
    doc: "Port of the inbox's pages on this machine.",
    combine: "last wins",
    only: ["person"],
  },
  "inbox.apiPort": {
    type: wholeNumber({ min: 0, max: MAX_PORT, zero: "any free port" }),
    default: 3185,
    doc: "Port of the inbox for programs on this machine.",
    combine: "last wins",
    only: ["person"],
  },
  "inbox.publicUrl": {
    type: webAddress(),
    default: null,
    doc: "Where your phone reaches the inbox, such as `https://inbox.example.org`. Notifications contain links only if this is set.",
    combine: "last wins",
    only: ["person"],
  },
  "notify.afterSeconds": {
    type: wholeNumber({ min: 0, max: 3600, zero: "at once" }),
    default: 60,
    doc: "How many seconds a question waits before it is sent to you. Questions asked in that time are combined into one message, and those already decided are not sent.",
    combine: "last wins",
    only: ["person"],
  },
  "notify.remindMinutes": {
    type: wholeNumber({ min: 0, max: 10_080, zero: "never" }),
    default: 60,
    doc: "After how many minutes you are reminded of open questions, again and again until they are decided.",
    combine: "last wins",
    only: ["person"],
  },
  "notify.remindBy": {
    type: someOf(CHANNELS),
    default: [],
    doc: "The channels that send reminders, such as `telegram`. If empty: all enabled channels.",
    combine: "last wins",
    only: ["person"],
  },
  "notify.quietHours": {
    type: hours(),
    default: null,
    doc: "When nothing is sent, such as `22:00-07:00`, in local time. What comes up then is recorded, and sent afterwards.",
    combine: "last wins",
    only: ["person"],
  },
  "notify.reportAt": {
    type: timeOfDay(),
    default: "07:00",
    doc: "When the report on the last day is sent, in local time; `off` for never.",
    combine: "last wins",
    only: ["person"],
  },
  prices: {
    type: priceList(),
    default: {},
    doc: "Model prices in US dollars per million tokens, keyed by the start of the model name; they override the built-in table.",
    combine: "last wins",
    only: ["team", "person"],
  },
  checks: {
    type: checkList(),
    default: [],
    doc: "Commands that verify the project. `babysitter init` adds those it finds.",
    combine: "last wins",
    only: ["team"],
  },
};

export const SETTING_NAMES = Object.keys(SETTINGS) as SettingName[];

/** True for the name of a setting. */
export function isSettingName(name: string): name is SettingName {
  return Object.hasOwn(SETTINGS, name);
}

export function settingOf(name: SettingName): Setting<unknown> {
  return SETTINGS[name];
}

/** True where this setting can be made in such a place. */
export function isMadeIn({ only, env, flag }: Setting<unknown>, place: Place): boolean {
  if (only !== undefined && !only.includes(place)) return false;
  return (place !== "env" || env !== undefined) && (place !== "flag" || flag !== undefined);
}

/** How long each hook may take, where a setting says so. */
export function hookLimits({ "hooks.timeoutMs": timeoutMs }: ConfigValues): { timeoutMs?: number } {
  return timeoutMs === null ? {} : { timeoutMs };
}
