/** Skills and agents that a host offers in a project, for its agent to know. */
import type { Environment, NamedHost } from "../../hosts/host.js";
import { partsOf } from "../../hosts/host-parts.js";

/** More are never told. */
const MAX_NAMES = 10;

export function discoverNames(hosts: readonly NamedHost[], projectRoot: string, env: Environment): string[] {
  const names = hosts.flatMap((host) => partsOf(host).discover?.(projectRoot, env) ?? []);
  return [...new Set(names)].slice(0, MAX_NAMES);
}
