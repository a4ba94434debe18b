/** What the hosts of the registry can do beyond talking to us, each by its name. */
import { launcher as claudeCodeLauncher } from "./claude-code/launcher.js";
import { claudeCodeParts } from "./claude-code/parts.js";
import type {
  Environment,
  HostDoctor,
  HostInstallation,
  HostLauncher,
  HostParts,
  HostTranscripts,
  NamedHost,
} from "./host.js";

const PARTS: Readonly<Record<string, HostParts>> = { "claude-code": claudeCodeParts };

export function partsOf({ name }: NamedHost): HostParts {
  return (Object.hasOwn(PARTS, name) ? PARTS[name] : undefined) ?? {};
}

/** The hosts that can be started, by name. */
const LAUNCHERS: Readonly<Record<string, HostLauncher>> = { "claude-code": claudeCodeLauncher };

export function launcherOf(name: string): HostLauncher | undefined {
  return Object.hasOwn(LAUNCHERS, name) ? LAUNCHERS[name] : undefined;
}

export function drivenHosts(): string[] {
  return Object.keys(LAUNCHERS);
}

/** The doctors of all hosts; each looks whether its host is there at all. Loaded for those who ask for them. */
export async function hostDoctors(): Promise<HostDoctor[]> {
  return [(await import("./claude-code/check-setup.js")).doctor];
}

/** What the hosts have of ours; loaded for those who want to remove it. */
export async function hostInstallations(env: Environment): Promise<HostInstallation[]> {
  const found = [(await import("./claude-code/installed-plugin.js")).installedPlugin(env)];
  return found.filter((installation) => installation !== undefined);
}

/** For a transcript of an unknown host: the likeliest format. */
export function knownFormat(): HostTranscripts {
  const [first] = Object.values(PARTS).flatMap(({ transcripts }) => transcripts ?? []);
  if (first === undefined) throw new Error("There is no host, so there are no transcripts.");
  return first;
}
