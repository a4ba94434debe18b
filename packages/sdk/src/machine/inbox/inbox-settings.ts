/** What this person has settled about their inbox. A project and the variables of an agent have no say in it. */
import path from "node:path";
import { configFiles, readConfigFile } from "../../config/read-config.js";
import { resolveConfig } from "../../config/resolve-config.js";
import type { ConfigValues } from "../../config/settings.js";
import { sessionPlaces } from "../../sessions/session-places.js";
import { isGivenByAnAgent, realHome } from "../agents-above.js";
import type { Environment } from "../caller.js";

export interface InboxSettings {
  /** The recorded program. */
  program: string | null;
  onDemand: boolean;
  port: number;
  apiPort: number;
}

/** What this person has settled about being notified. */
export interface NotifySettings {
  /** Where a phone reaches the inbox. */
  publicUrl: string | null;
  afterSeconds: number;
  remindMinutes: number;
  remindBy: string[];
  quietHours: string | null;
  reportAt: string;
}

/** Variables that say where a person's files are. */
const PLACES = /^(?:XDG_\w+|BABYSITTER_HOME)$/u;

/**
 * The environment that says whose inbox it is, and where its settings are. In that of an agent only the system is asked:
 * otherwise the agent could name a program of its own.
 */
export function ownEnvironment(env: Environment): Environment {
  if (!isGivenByAnAgent(env)) return env;
  const rest = Object.entries(env).filter(([name]) => !PLACES.test(name));
  return { ...Object.fromEntries(rest), HOME: realHome() };
}

/** `env`: see {@link ownEnvironment}. */
export function readInboxSettings(env: Environment): InboxSettings {
  return settingsIn(personalValues(env));
}

/** `env`: see {@link ownEnvironment}. */
export function readNotifySettings(env: Environment): NotifySettings {
  const values = personalValues(env);
  return {
    publicUrl: values["inbox.publicUrl"],
    afterSeconds: values["notify.afterSeconds"],
    remindMinutes: values["notify.remindMinutes"],
    remindBy: values["notify.remindBy"],
    quietHours: values["notify.quietHours"],
    reportAt: values["notify.reportAt"],
  };
}

/** Nothing of a project is looked at. */
function personalValues(env: Environment): ConfigValues {
  const person = readConfigFile(personalFile(env), "person");
  return resolveConfig({ person, env: {}, flags: {} }).values;
}

function settingsIn(values: ConfigValues): InboxSettings {
  return {
    program: values["inbox.program"],
    onDemand: values["inbox.onDemand"],
    port: values["inbox.port"],
    apiPort: values["inbox.apiPort"],
  };
}

/** The file of this person's own settings. */
export function personalFile(env: Environment): string {
  return configFiles("/", env).person;
}

/** The folder of whatever the inbox keeps. */
export function inboxFolder(env: Environment): string {
  return path.join(sessionPlaces({ env, cwd: "/" }).home, "inbox");
}
