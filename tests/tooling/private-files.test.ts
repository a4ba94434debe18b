/** Everything that we write is private, because every call that creates something says so. */
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const SOURCES = fileURLToPath(new URL("../../packages/sdk/src", import.meta.url));

/** Calls that create something with whatever the umask leaves, and why they may. */
const EXCEPTIONS = new Map([
  ["machine/project/place-files.ts", "files of the team, which git shares"],
  ["hosts/claude-code/env-file.ts", "a file of the host, which it reads itself"],
  ["journal/files/journal-fs.ts", "the type of its port asks for the mode"],
  ["checks/git-tree.ts", "a copy has the mode of the original, which is ours"],
]);

const CREATING = /\b(mkdir|writeFile|appendFile|open|copyFile|cp|createWriteStream)(?:Sync)?\(/gu;

/** Calls that may create something and name no mode, as `line: call`. */
function looseCalls(source: string): string[] {
  return [...source.matchAll(CREATING)].flatMap(({ index, 0: call, 1: name }) => {
    const [args, isDefinition] = argumentsAt(source, index + call.length);
    const isReading = name === "open" && !/"(?:w|a)x?\+?"|O_CREAT/u.test(args);
    const isOnDescriptor = name === "writeFile" && /^(?:to|fd)\b/u.test(args);
    const isPrivate = /\bmode\b|0o[67]00|_MODE\b/u.test(args);
    if (isDefinition || isReading || isOnDescriptor || isPrivate) return [];
    return [`${source.slice(0, index).split("\n").length}: ${call}${args})`];
  });
}

/** What stands between the parentheses of a call, and whether a type follows: then it is none. */
function argumentsAt(source: string, from: number): [string, boolean] {
  let at = from;
  for (let depth = 1; depth > 0 && at < source.length; at += 1) {
    if (source[at] === "(") depth += 1;
    if (source[at] === ")") depth -= 1;
  }
  return [source.slice(from, at - 1), /^\s*[:{]/u.test(source.slice(at))];
}

describe("calls that create files and folders", () => {
  it("say that they are private", () => {
    const names = fs.readdirSync(SOURCES, { recursive: true, encoding: "utf8" });
    const ours = names.filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts") && !EXCEPTIONS.has(name));
    const found = ours.flatMap((name) =>
      looseCalls(fs.readFileSync(path.join(SOURCES, name), "utf8")).map((call) => `${name}:${call}`),
    );
    expect(found).toEqual([]);
  });

  it.each([
    ["fs.mkdirSync(dir, { recursive: true });", 1],
    ["fs.mkdirSync(path.dirname(dir), { recursive: true, mode: 0o700 });", 0],
    ['writeFileSync(file, "", { flag: "wx" });', 1],
    ["await fs.appendFile(file, text(line), { mode: 0o600 });", 0],
    ['fs.openSync(file, "w");', 1],
    ['fs.openSync(file, "w", FILE_MODE);', 0],
    ['fs.openSync(file, "r");', 0],
    ["fs.cpSync(from, to);", 1],
  ])("are found: %s", (source, count) => {
    expect(looseCalls(source)).toHaveLength(count);
  });
});
