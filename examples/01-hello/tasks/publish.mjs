import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";

export default async function publish({ letters }) {
  // The same folder as ctx.artifactsDir: files that a run produces belong next to its journal.
  const folder = path.join(process.env.BABYSITTER_RUN_DIR, "artifacts");
  const file = path.join(folder, "summary.md");
  const rows = letters.map(({ letter, lines, words }) => `| ${letter} | ${lines} | ${words} |`);
  const summary = ["| letter | lines | words |", "| --- | --- | --- |", ...rows, ""].join("\n");
  await mkdir(folder, { recursive: true });
  // Writes the whole file, so running this task twice does no harm.
  await writeFile(file, summary);
  // Tasks start in the root of the project, and so does whoever reads this path.
  return { file: path.relative(process.cwd(), file) };
}
