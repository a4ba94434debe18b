/** Runs a program of ours, and tells what it has used. */
import { spawnSync } from "node:child_process";
import path from "node:path";

/** Required, not imported: an import starts the loader of modules, which costs more than many of our commands. */
const PROBE = path.join(import.meta.dirname, "usage-probe.cjs");

export function measuredCommand(args, options) {
  const child = spawnSync(process.execPath, ["--require", PROBE, ...args], { encoding: "utf8", ...options });
  if (child.status !== 0) throw new Error(`${args.join(" ")}: ${child.stdout}${child.stderr}`);
  return { stdout: child.stdout, ...JSON.parse(child.stderr.trim().split("\n").at(-1)) };
}
