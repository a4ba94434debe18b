import fs from "node:fs";
import path from "node:path";
import { beforeEach, expect, test } from "vitest";
import { tempDir } from "../../../../tests/fixtures/temp-dir.js";
import { listProjects, rememberProject } from "./project-registry.js";

let home: string;
beforeEach(() => void (home = tempDir()));

const at = "2026-03-02T10:00:00.000Z";

test("projects are remembered once, sorted, in private files", () => {
  rememberProject(home, { projectRoot: "/home/ann/b", runsDir: "/home/ann/b/.a5c/runs", at });
  const file = rememberProject(home, { projectRoot: "/home/ann/a/", runsDir: ".a5c/runs", at });
  expect(listProjects(home)).toEqual([
    { projectRoot: "/home/ann/a", runsDir: "/home/ann/a/.a5c/runs", at },
    { projectRoot: "/home/ann/b", runsDir: "/home/ann/b/.a5c/runs", at },
  ]);
  expect(fs.statSync(file).mode & 0o777).toBe(0o600);
});

test("a project that is known already is not written again", () => {
  const project = { projectRoot: "/home/ann/a", runsDir: "/home/ann/a/.a5c/runs", at };
  const file = rememberProject(home, project);
  const { ino } = fs.statSync(file);
  expect(rememberProject(home, { ...project, at: "2027-01-01T00:00:00.000Z" })).toBe(file);
  expect(fs.statSync(file).ino).toBe(ino);
  expect(listProjects(home)).toEqual([project]);
});

test("another runs directory of the same project does not make the first forgotten", () => {
  rememberProject(home, { projectRoot: "/home/ann/a", runsDir: "/home/ann/a/.a5c/runs", at });
  rememberProject(home, { projectRoot: "/home/ann/a", runsDir: "/data/runs", at });
  expect(listProjects(home).map(({ runsDir }) => runsDir)).toEqual(["/data/runs", "/home/ann/a/.a5c/runs"]);
});

test("what cannot be read is skipped, and repaired when the project is used again", () => {
  const project = { projectRoot: "/home/ann/a", runsDir: "/home/ann/a/.a5c/runs", at };
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
  expect(() => rememberProject(path.join(home, "file"), { projectRoot: "/home/ann/a", runsDir: "runs", at })).toThrow(
    expect.objectContaining({ code: "SESSION_UNREACHABLE" }),
  );
});
