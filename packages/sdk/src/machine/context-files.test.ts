import { execFileSync } from "node:child_process";
import crypto from "node:crypto";
import { once } from "node:events";
import fs from "node:fs";
import net from "node:net";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { AskedRun, RUN } from "../../../../tests/fixtures/runs/asked-run.js";
import { isSecretPath, SHOWN_BYTES } from "../model/context-files.js";
import type { ContextFile } from "../model/ports.js";
import { localContextFiles } from "./context-files.js";

const sha256 = (content: string | Uint8Array): string => crypto.createHash("sha256").update(content).digest("hex");

async function read(run: AskedRun, file: string): Promise<ContextFile> {
  return localContextFiles.read(file, { runDir: run.runDir, projectRoot: run.project });
}

describe("files that a question is about", () => {
  it("C7: a path is looked for in the run directory, then in the project", async () => {
    const run = await AskedRun.begin({ files: { "plan.md": "of the project", "docs/only.md": "only here" } });
    fs.mkdirSync(path.join(run.runDir, "artifacts"), { recursive: true });
    fs.writeFileSync(path.join(run.runDir, "plan.md"), "of the run");
    fs.writeFileSync(path.join(run.runDir, "artifacts", "a.txt"), "an artifact");
    expect(await read(run, "plan.md")).toEqual({ text: "of the run", bytes: 10, sha256: sha256("of the run") });
    expect(await read(run, "docs/only.md")).toMatchObject({ text: "only here" });
    expect(await read(run, "artifacts/a.txt")).toMatchObject({ text: "an artifact" });
    expect(await read(run, run.path("plan.md"))).toMatchObject({ text: "of the project" });
    expect(await read(run, `.a5c/runs/${RUN}/artifacts/../plan.md`)).toMatchObject({ text: "of the run" });
  });

  it("C7: code/main.js is the process of the run, whatever its file is called; a file of that name comes first", async () => {
    const run = await AskedRun.begin({ files: { "tools/build.mjs": "the process", "tls.key": "secret" } });
    const entered = (name: string, entry?: string): Promise<ContextFile> =>
      localContextFiles.read(name, {
        runDir: run.runDir,
        projectRoot: run.project,
        ...(entry === undefined ? {} : { entry: run.path(entry) }),
      });
    for (const name of ["code/main.js", "./code/../code/main.js", path.join(run.runDir, "code", "main.js")])
      expect(await entered(name, "tools/build.mjs")).toMatchObject({ text: "the process" });
    for (const [name, entry] of [
      ["code/main.ts", "tools/build.mjs"],
      ["main.js", "tools/build.mjs"],
      ["code/main.js", undefined],
      ["code/main.js", "gone.mjs"],
      ["code/main.js", "tls.key"],
      ["code/main.js", "../outside.mjs"],
    ] as const)
      expect({ name, entry, ...(await entered(name, entry)) }).toEqual({ name, entry, refused: "missing" });
    fs.mkdirSync(path.join(run.runDir, "code"), { recursive: true });
    fs.writeFileSync(path.join(run.runDir, "code", "main.js"), "of the run");
    expect(await entered("code/main.js", "tools/build.mjs")).toMatchObject({ text: "of the run" });
  });

  it("C22: nothing outside run and project is read, by whatever way it is named", async () => {
    const run = await AskedRun.begin({ files: { "in/ok.txt": "fine" } });
    const outside = path.join(run.root, "outside");
    fs.mkdirSync(outside);
    fs.writeFileSync(path.join(outside, "private.txt"), "private");
    fs.symlinkSync(path.join(outside, "private.txt"), run.path("link.txt"));
    fs.symlinkSync(outside, run.path("folder"));
    fs.symlinkSync("../../outside/private.txt", run.path("in", "relative.txt"));
    fs.symlinkSync(path.join(outside, "private.txt"), path.join(run.runDir, "link.txt"));
    for (const name of [
      "../outside/private.txt",
      "in/../../outside/private.txt",
      path.join(outside, "private.txt"),
      "/etc/passwd",
      "/nowhere/at/all",
      "link.txt",
      "folder/private.txt",
      "in/relative.txt",
    ])
      expect({ name, ...(await read(run, name)) }).toEqual({ name, refused: "outside the project" });
  });

  it("C22: a link inside the project is followed, but not to a secret", async () => {
    const run = await AskedRun.begin({ files: { "real.txt": "real", "config/.env": "TOKEN=1" } });
    fs.symlinkSync("real.txt", run.path("alias.txt"));
    fs.symlinkSync("config/.env", run.path("notes.md"));
    fs.symlinkSync("real.txt", run.path("server.key"));
    expect(await read(run, "alias.txt")).toMatchObject({ text: "real" });
    for (const name of ["notes.md", "server.key"])
      expect(await read(run, name)).toEqual({ refused: "its name suggests that it contains secrets" });
  });

  it("C22: files whose names say that they hold secrets are neither read nor hashed", async () => {
    const secrets = [
      ".env",
      ".env.local",
      "prod.env",
      "server.pem",
      "keys/tls.KEY",
      "id_ed25519",
      "credentials.json",
      "aws-credentials",
      ".netrc",
      ".npmrc",
      ".ssh/config",
      ".aws/config",
      ".git/config",
    ];
    const run = await AskedRun.begin({ files: Object.fromEntries(secrets.map((name) => [name, "secret"])) });
    for (const name of secrets)
      expect({ name, ...(await read(run, name)) }).toEqual({
        name,
        refused: "its name suggests that it contains secrets",
      });
    for (const name of ["README.md", "src/environment.ts", "keyboard.ts", ".gitignore", "tokens.css", "valid_id.ts"])
      expect({ name, secret: isSecretPath(name) }).toEqual({ name, secret: false });
  });

  it("C22: a long file is cut between two characters and hashed as a whole; a binary one is hashed only", async () => {
    const long = `${"ü".repeat(SHOWN_BYTES / 2 - 1)}x${"ü".repeat(50)}`;
    const binary = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 2, 3]);
    const latin = Buffer.from([0x66, 0xfc, 0x72]);
    const run = await AskedRun.begin({ files: { "long.txt": long, "picture.png": binary, "latin.txt": latin } });
    const cut = await read(run, "long.txt");
    expect(cut).toMatchObject({ bytes: Buffer.byteLength(long), sha256: sha256(long), cutAt: SHOWN_BYTES - 1 });
    expect("text" in cut && cut.text === long.slice(0, SHOWN_BYTES / 2)).toBe(true);
    expect(await read(run, "picture.png")).toEqual({ refused: "not text", bytes: 8, sha256: sha256(binary) });
    expect(await read(run, "latin.txt")).toMatchObject({ refused: "not text", sha256: sha256(latin) });
  });

  it("C22: a file that is missing, irregular or would block is marked as such, at once", async () => {
    const run = await AskedRun.begin({ files: { "folder/file.txt": "text" } });
    execFileSync("mkfifo", [run.path("pipe.txt")]);
    const huge = fs.openSync(run.path("huge.log"), "w");
    fs.ftruncateSync(huge, 300 * 1024 * 1024);
    fs.closeSync(huge);
    fs.symlinkSync("loop", run.path("loop"));
    const server = net.createServer().listen(run.path("socket"));
    await once(server, "listening");
    expect(await read(run, "socket")).toEqual({ refused: "not a regular file" });
    server.close();
    expect(await read(run, "pipe.txt")).toEqual({ refused: "not a regular file" });
    expect(await read(run, "folder")).toEqual({ refused: "not a regular file" });
    expect(await read(run, ".")).toEqual({ refused: "not a regular file" });
    expect(await read(run, "huge.log")).toEqual({ refused: "too large (314572800 bytes)", bytes: 314572800 });
    for (const name of ["gone.txt", "folder/file.txt/deeper", "loop", "nul\0byte", ""])
      expect({ name, ...(await read(run, name)) }).toEqual({ name, refused: "missing" });
  });
});
