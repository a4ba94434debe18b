import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { Project } from "../fixtures/project.js";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const REFERENCE = "plugins/babysitter/skills/babysit/reference";

const inFolder = (folder: string, ending: string): string[] =>
  fs
    .readdirSync(path.join(ROOT, folder))
    .filter((name) => name.endsWith(ending))
    .map((name) => path.join(folder, name));

/** Whole processes among the blocks of code of a page. */
function processesIn(page: string): [name: string, code: string][] {
  const text = fs.readFileSync(path.join(ROOT, page), "utf8");
  return Array.from(text.matchAll(/^```(js|ts)\n([\s\S]*?)^```/gmu), ([, language = "", code = ""], index) => {
    const name = `${page.replaceAll("/", "-")}-${index}.m${language}`;
    return [name, code] as [string, string];
  }).filter(([, code]) => /\bexport\b/u.test(code) && /\bctx\b/u.test(code));
}

it("C24: process:check finds nothing in processes that run well: examples, documentation, recorded runs", async () => {
  const project = new Project();
  await project.ask(["init"]);
  const pages = ["README.md", ...inFolder("docs/guide", ".md"), ...inFolder(REFERENCE, ".md")];
  const documented = pages.flatMap(processesIn);
  expect(documented.length).toBeGreaterThan(1);
  project.write(Object.fromEntries(documented));
  const files = [
    ".a5c/processes/example.mjs",
    ...documented.map(([name]) => name),
    ...inFolder("examples", "").flatMap((folder) => path.join(ROOT, folder, "process.mjs")),
    ...["semantics-1", "semantics-2"].flatMap((version) =>
      inFolder(`tests/histories/${version}`, ".mjs").map((file) => path.join(ROOT, file)),
    ),
  ].filter((file) => fs.existsSync(path.resolve(project.dir, file)));
  expect(files.length).toBeGreaterThan(10);
  const before = project.tree();
  const done = await project.run(["process:check", ...files, "--strict"]);
  expect(done.stdout).toMatch(/\nNo problems found\.\n$/u);
  expect(done.stdout).not.toMatch(/^(?:error|warning) /mu);
  expect(done.code).toBe(0);
  expect(project.tree()).toEqual(before);
}, 300_000);
