/** Projects whose plugin is the one that users get, and changes to their copy of it. */
import fs from "node:fs";
import path from "node:path";
import { HostProject } from "./host-run.js";
import type { HostVersion } from "./install-hosts.js";

export function newShippedProject(version: HostVersion, files: Record<string, string> = {}): HostProject {
  return new HostProject(version, files, { shipped: true });
}

/** Writes a file of the plugin anew; a change that finds nothing to change is an error of the test. */
export function changePlugin({ plugin: { dir } }: HostProject, name: string, change: (text: string) => string): void {
  const file = path.join(dir, name);
  const before = fs.readFileSync(file, "utf8");
  const after = change(before);
  if (after === before) throw new Error(`Nothing was changed in ${name}.`);
  fs.writeFileSync(file, after);
}

interface StopEntry {
  command: string;
  timeout: number;
  asyncRewake?: boolean;
}

/** Changes what the plugin says of the Stop hook for which the host waits. */
export function changeStopHook(project: HostProject, change: (entry: StopEntry) => Partial<StopEntry>): void {
  changePlugin(project, "hooks/hooks.json", (text) => {
    const file = JSON.parse(text) as { hooks: { Stop: { hooks: StopEntry[] }[] } };
    for (const { hooks } of file.hooks.Stop)
      for (const entry of hooks) if (entry.asyncRewake !== true) Object.assign(entry, change(entry));
    return JSON.stringify(file);
  });
}

/** A folder that is first on the host's PATH, with programs of a test's own. */
export function pathWith(project: HostProject, programs: Record<string, string>): string {
  const folder = path.join(project.root, "first-on-path");
  fs.mkdirSync(folder);
  for (const [name, script] of Object.entries(programs))
    fs.writeFileSync(path.join(folder, name), `#!/bin/sh\n${script}\n`, { mode: 0o755, flag: "wx" });
  return `${folder}:${project.environment("")["PATH"]}`;
}
