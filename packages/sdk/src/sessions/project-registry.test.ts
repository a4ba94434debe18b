import fs from "node:fs";
import path from "node:path";
import { beforeEach, expect, test } from "vitest";
import { tempDir } from "../../../../tests/fixtures/temp-dir.js";
import { type KnownProject, listProjects, rememberProject } from "./project-registry.js";

let home: string;
let ann: string;
beforeEach(() => {
  home = tempDir();
  ann = tempDir();
  for (const dir of ["a/.a5c/runs", "b/.a5c/runs", "data/runs"]) fs.mkdirSync(path.join(ann, dir), { recursive: true });
});

const at = "2026-03-02T10:00:00.000Z";

test("projects are remembered once, sorted, in private files", () => {
  rememberProject(home, { projectRoot: `${ann}/b`, runsDir: `${ann}/b/.a5c/runs`, at });
  const file = rememberProject(home, { projectRoot: `${ann}/a/`, runsDir: ".a5c/runs", at });
  expect(listProjects(home)).toEqual([
    { projectRoot: `${ann}/a`, runsDir: `${ann}/a/.a5c/runs`, at },
    { projectRoot: `${ann}/b`, runsDir: `${ann}/b/.a5c/runs`, at },
  ]);
  expect(fs.statSync(file).mode & 0o777).toBe(0o600);
});

test("a project that is known already is not written again", () => {
  const project = { projectRoot: `${ann}/a`, runsDir: `${ann}/a/.a5c/runs`, at };
  const file = rememberProject(home, project);
  const { ino } = fs.statSync(file);
  expect(rememberProject(home, { ...project, at: "2027-01-01T00:00:00.000Z" })).toBe(file);
  expect(fs.statSync(file).ino).toBe(ino);
  expect(listProjects(home)).toEqual([project]);
});

test("another runs directory of the same project does not make the first forgotten", () => {
  rememberProject(home, { projectRoot: `${ann}/a`, runsDir: `${ann}/a/.a5c/runs`, at });
  rememberProject(home, { projectRoot: `${ann}/a`, runsDir: `${ann}/data/runs`, at });
  expect(listProjects(home).map(({ runsDir }) => runsDir)).toEqual([`${ann}/a/.a5c/runs`, `${ann}/data/runs`]);
});

test("what cannot be read is skipped, and repaired when the project is used again", () => {
  const project = { projectRoot: `${ann}/a`, runsDir: `${ann}/a/.a5c/runs`, at };
  const file = rememberProject(home, project);
  const folder = path.dirname(file);
  const others = ["null", "[]", '{"projectRoot":"relative","runsDir":"/x","at":""}', '{"projectRoot":7}', "", "\0"];
  for (const [n, content] of others.entries()) fs.writeFileSync(path.join(folder, `${n}.json`), content);
  fs.mkdirSync(path.join(folder, "folder.json"));
  fs.writeFileSync(file, '{"projectRoot": "/wo');
  expect(listProjects(home)).toEqual([]);
  rememberProject(home, project);
  expect(listProjects(home)).toEqual([project]);
});

test("a home that is not there has no projects; one that cannot be made is an error with a code", () => {
  expect(listProjects(path.join(home, "nowhere"))).toEqual([]);
  fs.writeFileSync(path.join(home, "file"), "");
  expect(() => rememberProject(path.join(home, "file"), { projectRoot: `${ann}/a`, runsDir: "runs", at })).toThrow(
    expect.objectContaining({ code: "SESSION_UNREACHABLE" }),
  );
});

test("a project whose runs are gone is dropped, and remembered again when it is back", () => {
  const [a, b] = ["a", "b"].map((name) => ({ projectRoot: `${ann}/${name}`, runsDir: `${ann}/${name}/.a5c/runs`, at }));
  for (const project of [a, b]) rememberProject(home, project as KnownProject);
  fs.renameSync(`${ann}/a`, `${ann}/away`);
  expect(listProjects(home)).toEqual([b]);
  expect(fs.readdirSync(path.join(home, "projects"))).toHaveLength(1);
  fs.renameSync(`${ann}/away`, `${ann}/a`);
  rememberProject(home, a as KnownProject);
  expect(listProjects(home)).toEqual([a, b]);
});

test("a new entry makes those that are gone forgotten; a known one touches nothing", () => {
  const [a, b] = ["a", "b"].map((name) => ({ projectRoot: `${ann}/${name}`, runsDir: `${ann}/${name}/.a5c/runs`, at }));
  rememberProject(home, a as KnownProject);
  fs.rmSync(`${ann}/a`, { recursive: true });
  rememberProject(home, b as KnownProject);
  expect(fs.readdirSync(path.join(home, "projects"))).toHaveLength(1);
});

test("a folder that cannot be looked at is not gone", () => {
  const project = { projectRoot: `${ann}/a`, runsDir: `${ann}/a/.a5c/runs`, at };
  rememberProject(home, project);
  fs.rmdirSync(project.runsDir);
  fs.symlinkSync("runs", project.runsDir);
  expect(listProjects(home)).toEqual([project]);
});
