/** Permissions mean nothing to root: what has to meet them runs as somebody else. */
import fs from "node:fs";
import path from "node:path";
import { CLI, execute, type Finished, type Project } from "../cli/command-line.js";

const NOBODY = 65_534;

/** Runs the command line without the rights of root, from a copy that everybody can read. */
export async function runAsNobody(project: Project, args: string[]): Promise<Finished> {
  const where = { cwd: project.dir, home: project.home };
  if (process.getuid?.() !== 0) return execute(process.execPath, [CLI, ...args], where);
  const programs = path.join(project.root, "programs");
  const [copy, first] = ["babysitter.cjs", "as-nobody.cjs"].map((name) => path.join(programs, name)) as [
    string,
    string,
  ];
  fs.cpSync(path.dirname(CLI), programs, { recursive: true });
  fs.writeFileSync(first, `process.setgroups([]); process.setgid(${NOBODY}); process.setuid(${NOBODY});\n`);
  fs.chmodSync(project.root, 0o755);
  return execute(process.execPath, ["--require", first, copy, ...args], where);
}
