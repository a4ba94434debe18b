import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";

export default async function writeNotes({ version }) {
  const changelog = await readFile(new URL("../product/CHANGELOG.md", import.meta.url), "utf8");
  const [, section = ""] = changelog.split(`## ${version}\n`);
  const [notes] = section.split("\n## ");
  const folder = path.join(process.env.BABYSITTER_RUN_DIR, "artifacts");
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, "notes.md"), `# ${version}\n\n${notes.trim()}\n`);
  return { file: "artifacts/notes.md" };
}
