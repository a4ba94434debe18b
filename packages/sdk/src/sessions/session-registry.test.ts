import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { tempDir } from "../../../../tests/fixtures/temp-dir.js";
import { MAX_SESSION_FILE, renderSessionFile, type SessionFile } from "../loop/formats/session-file.js";
import { SessionRegistry } from "./session-registry.js";

let dir: string;
let own: string;
let other: string;
let registry: SessionRegistry;

beforeEach(() => {
  dir = tempDir();
  own = path.join(dir, "home", "state");
  other = path.join(dir, "project", ".a5c", "state");
  registry = new SessionRegistry(
    { write: own, read: [own, other], home: path.join(dir, "home") },
    () => new Date("2026-03-02T10:05:30.123Z"),
  );
});

const session = (more: Partial<SessionFile> = {}): SessionFile => ({
  active: true,
  iteration: 1,
  maxIterations: 50,
  iterationTimes: [],
  prompt: "Build a REST API",
  unknown: [],
  ...more,
});

const modeOf = (file: string): string => (fs.statSync(file).mode & 0o777).toString(8);
/** Every file below the temporary folder, without the folder's name. */
const allFiles = (): string[] =>
  fs
    .readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => path.relative(dir, path.join(entry.parentPath, entry.name)))
    .toSorted();

function put(place: string, name: string, content: string | Uint8Array): string {
  fs.mkdirSync(place, { recursive: true });
  const file = path.join(place, name);
  fs.writeFileSync(file, content);
  return file;
}

describe("writing and finding", () => {
  test("L2: atomic writes: a new file is private and nothing else is left beside it", () => {
    const file = registry.write("s1", session());
    expect(file).toBe(path.join(own, "s1.md"));
    expect([modeOf(file), modeOf(own), modeOf(path.join(dir, "home"))]).toEqual(["600", "700", "700"]);
    expect(allFiles()).toEqual(["home/state/s1.md"]);
    expect(registry.find("s1")).toEqual({ kind: "found", file, session: session() });
  });

  test("L2: atomic writes: a file that someone has open keeps its text; the name has the new one", () => {
    const file = registry.write("s1", session());
    const fd = fs.openSync(file, "r");
    try {
      registry.write("s1", session({ iteration: 2, prompt: "longer than before ".repeat(1000) }));
      expect(fs.readFileSync(fd, "utf8")).toBe(renderSessionFile(session()));
      expect(registry.find("s1")).toMatchObject({ kind: "found", session: { iteration: 2 } });
    } finally {
      fs.closeSync(fd);
    }
  });

  test("L2: per-session isolation: each session has its own file", () => {
    registry.write("s1", session({ prompt: "one" }));
    registry.write("s10", session({ prompt: "ten" }));
    expect(registry.find("s1")).toMatchObject({ session: { prompt: "one" } });
    expect(registry.find("s10")).toMatchObject({ session: { prompt: "ten" } });
    expect(registry.find("s")).toEqual({ kind: "none" });
    registry.end("s1");
    expect([registry.exists("s1"), registry.exists("s10")]).toEqual([false, true]);
  });

  test.each([
    ["a path", "../out/evil"],
    ["nothing", ""],
    ["10 KB", "x".repeat(10 * 1024)],
    ["a NUL", "a\0b"],
    ["a name of the registry's own folders", "../state"],
  ])("L2: per-session isolation: an id of %s finds nothing and writes nothing", (_, id) => {
    put(path.join(dir, "home", "out"), "evil.md", renderSessionFile(session()));
    put(own, ".md", renderSessionFile(session()));
    const before = allFiles();
    expect([registry.find(id), registry.exists(id), registry.end(id)]).toEqual([{ kind: "none" }, false, undefined]);
    expect(() => registry.write(id, session())).toThrow(expect.objectContaining({ code: "INVALID_ID" }));
    expect(allFiles()).toEqual(before);
  });

  test("a file that was found in another place is written there", () => {
    const file = put(other, "s1.md", renderSessionFile(session()));
    expect(registry.exists("s1")).toBe(true);
    expect(registry.write("s1", session({ iteration: 2 }))).toBe(file);
    expect(allFiles()).toEqual(["project/.a5c/state/s1.md"]);
    expect(registry.find("s1")).toMatchObject({ file, session: { iteration: 2 } });
  });

  test("the first place counts", () => {
    put(other, "s1.md", renderSessionFile(session({ prompt: "old" })));
    put(own, "s1.md", renderSessionFile(session({ prompt: "new" })));
    expect(registry.find("s1")).toMatchObject({ session: { prompt: "new" } });
    expect(registry.list()).toMatchObject([{ sessionId: "s1", session: { prompt: "new" } }]);
  });

  test("a prompt that no file may hold is refused, and the file stays as it was", () => {
    registry.write("s1", session());
    const tooMuch = session({ prompt: "ä".repeat(MAX_SESSION_FILE / 2) });
    expect(() => registry.write("s1", tooMuch)).toThrow(expect.objectContaining({ code: "USAGE" }));
    expect(registry.find("s1")).toMatchObject({ kind: "found", session: session() });
  });

  test("a folder that cannot be made gives a coded error and a hint", () => {
    fs.writeFileSync(path.join(dir, "home"), "a file in the way");
    expect(registry.find("s1")).toEqual({ kind: "none" });
    expect(() => registry.write("s1", session())).toThrow(
      expect.objectContaining({ code: "SESSION_UNREACHABLE", hint: expect.stringContaining("BABYSITTER_HOME") }),
    );
    expect(fs.readFileSync(path.join(dir, "home"), "utf8")).toBe("a file in the way");
  });
});

describe("L8: corrupt state: nothing deleted, nothing waited for", () => {
  test.each([
    ["half a file", renderSessionFile(session()).slice(0, 20), "the second --- line is missing"],
    [
      "no number",
      renderSessionFile(session()).replace("iteration: 1", "iteration: x"),
      "'iteration' field is not a valid number",
    ],
    ["bytes that are no text", Buffer.from([0x2d, 0x2d, 0x2d, 0x0a, 0xff, 0xfe]), "it is not UTF-8 text"],
    ["50 MB", Buffer.alloc(50_000_000), "the file is too large (50000000 bytes)"],
    ["a byte order mark", `\uFEFF${renderSessionFile(session())}`, "byte order mark"],
  ])("%s", (_, content, problem) => {
    const file = put(own, "s1.md", content);
    expect(registry.find("s1")).toEqual({ kind: "corrupt", file, problem: expect.stringContaining(problem) });
    expect(registry.exists("s1")).toBe(true);
    expect(registry.list()).toEqual([]);
    const moved = registry.quarantine(file);
    expect(moved).toBe(path.join(own, "quarantine", "s1.20260302T100530123Z.md"));
    expect(Buffer.from(content as string).equals(fs.readFileSync(moved as string))).toBe(true);
    expect(registry.find("s1")).toEqual({ kind: "none" });
  });

  test.each([
    ["a pipe", (file: string) => void execFileSync("mkfifo", [file])],
    ["a folder", (file: string) => fs.mkdirSync(file)],
    [
      "a link to a good file",
      (file: string) => fs.symlinkSync(put(dir, "good.md", renderSessionFile(session())), file),
    ],
    ["a link to a device", (file: string) => fs.symlinkSync("/dev/zero", file)],
    ["a link to nowhere", (file: string) => fs.symlinkSync("/nowhere/at/all", file)],
    ["a link to itself", (file: string) => fs.symlinkSync(file, file)],
  ])("%s in place of a file is moved aside as it is", (_, make) => {
    fs.mkdirSync(own, { recursive: true });
    const file = path.join(own, "s1.md");
    make(file);
    const kind = (name: string): number => fs.lstatSync(name).mode;
    const before = kind(file);
    expect(registry.find("s1")).toMatchObject({ kind: "corrupt", file });
    expect([registry.exists("s1"), registry.list()]).toEqual([true, []]);
    const moved = registry.quarantine(file) as string;
    expect(kind(moved)).toBe(before);
    expect(registry.exists("s1")).toBe(false);
  });

  test("writing over a corrupt file keeps it in quarantine", () => {
    put(own, "s1.md", "what was here");
    const file = registry.write("s1", session());
    expect(registry.find("s1")).toMatchObject({ kind: "found", file });
    const kept = path.join(own, "quarantine", "s1.20260302T100530123Z.md");
    expect(fs.readFileSync(kept, "utf8")).toBe("what was here");
  });

  test("a file that is gone cannot be moved aside, and leaves no trace", () => {
    fs.mkdirSync(own, { recursive: true });
    expect(registry.quarantine(path.join(own, "s1.md"))).toBeUndefined();
    expect(allFiles()).toEqual([]);
  });
});

describe("ending", () => {
  test("an ended session's file is moved, not deleted, and earlier ones are kept", () => {
    registry.write("s1", session({ prompt: "first" }));
    const first = registry.end("s1") as string;
    registry.write("s1", session({ prompt: "second" }));
    const second = registry.end("s1") as string;
    expect([first, second].map((file) => path.relative(own, file))).toEqual([
      "ended/s1.20260302T100530123Z.md",
      "ended/s1.20260302T100530123Z.2.md",
    ]);
    expect(fs.readFileSync(first, "utf8")).toContain("first");
    expect(fs.readFileSync(second, "utf8")).toContain("second");
    expect([registry.find("s1"), registry.end("s1")]).toEqual([{ kind: "none" }, undefined]);
    expect(allFiles()).toHaveLength(2);
  });

  test("no file of the session in another place starts the loop again", () => {
    put(other, "s1.md", renderSessionFile(session({ prompt: "old" })));
    put(own, "s1.md", renderSessionFile(session()));
    expect(registry.end("s1")).toBe(path.join(own, "ended", "s1.20260302T100530123Z.md"));
    expect(registry.find("s1")).toEqual({ kind: "none" });
    expect(fs.readdirSync(path.join(other, "ended"))).toHaveLength(1);
  });
});

test("the list has every readable session once, and nothing that is none", () => {
  registry.write("b", session({ prompt: "b" }));
  registry.write("a", session({ prompt: "a" }));
  registry.write("ended", session({ prompt: "a session of this name" }));
  registry.write("gone", session());
  registry.end("gone");
  put(other, "c.md", renderSessionFile(session({ prompt: "c" })));
  put(own, "corrupt.md", "---");
  put(own, "a.md.tmp.123.abcdef", "half");
  put(own, "..evil.md", renderSessionFile(session()));
  put(own, "notes.txt", "x");
  expect(registry.list().map(({ sessionId, session: { prompt } }) => [sessionId, prompt])).toEqual([
    ["a", "a"],
    ["b", "b"],
    ["c", "c"],
    ["ended", "a session of this name"],
  ]);
});
