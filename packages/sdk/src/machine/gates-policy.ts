/** What the settings say about gates, for ports through which runs are created. */
import { readConfig } from "../config/read-config.js";
import type { Ports } from "../model/ports.js";
import type { Environment } from "./caller.js";

export function gatesPolicy(env: Environment): NonNullable<Ports["gatesPolicy"]> {
  return (projectRoot) => readConfig({ projectRoot, env, flags: {} }).values["breakpoints.gates"];
}
