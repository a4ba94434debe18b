/** Runs a program of ours, and tells what it has used. */
import { spawnSync } from "node:child_process";

const PROBE = `import fs from "node:fs";
process.on("exit", () => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  const used = { cpuMs: (userCPUTime + systemCPUTime) / 1000, kilobytes: maxRSS };
  fs.writeSync(2, "\\n" + JSON.stringify(used) + "\\n");
});`;

export function measuredCommand(args, options) {
  const probe = `data:text/javascript,${encodeURIComponent(PROBE)}`;
  const child = spawnSync(process.execPath, ["--import", probe, ...args], { encoding: "utf8", ...options });
  if (child.status !== 0) throw new Error(`${args.join(" ")}: ${child.stdout}${child.stderr}`);
  return { stdout: child.stdout, ...JSON.parse(child.stderr.trim().split("\n").at(-1)) };
}
