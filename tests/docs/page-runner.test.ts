/** Pages that are run: what the reader's terminal is like, and what is said about a page that is wrong. */
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { renderProblems, runPage } from "../../tools/page-runner.mjs";
import { isRunning, until } from "../fixtures/processes.js";
import { tempDir } from "../fixtures/temp-dir.js";

const console = (...lines: string[]): string => ["```console run", ...lines, "```", ""].join("\n");

async function problemsOf(text: string): Promise<string> {
  return renderProblems("page.md", await runPage(text, { commandMs: 20_000 }));
}

describe("a page that is run", () => {
  it("D1: has a repository with one commit, an empty home, and babysitter on its path", async () => {
    const text = console(
      "$ git log --format=%s; git status --short",
      "First commit",
      "$ ls -A ~ | wc -l",
      "0",
      "$ babysitter paths | head -3",
      "…",
      "$ babysitter --version && node --version",
      "…",
      "v…",
      "$ test -f <clone>/packages/sdk/package.json",
    );
    expect(await problemsOf(text)).toBe("");
  });

  it("D1: is one session: folder, variables and files stay", async () => {
    const text = [
      "```js file=lib/a.mjs",
      'console.log("one");',
      "```",
      console("$ mkdir deep && cd deep", "$ export WHO='a b'", '$ echo "$WHO" in $(basename $PWD)', "a b in deep"),
      "```js file=lib/a.mjs append",
      'console.log("two");',
      "```",
      console("$ node ../lib/a.mjs", "one", "two", "$ exit 3  # exit 3", "$ basename $PWD", "deep"),
    ].join("\n");
    expect(await problemsOf(text)).toBe("");
  });

  it("loses nothing that was printed last, however busy the machine is that reads it", async () => {
    const busy = setInterval(() => {
      for (const end = Date.now() + 250; Date.now() < end; );
    }, 1);
    try {
      expect(await problemsOf(console("$ seq 3000", "…", "3000"))).toBe("");
    } finally {
      clearInterval(busy);
    }
  });

  it("makes its own repository if it says so", async () => {
    expect(
      await problemsOf(console("$ git init", "Initialized empty Git repository in …", "$ git log # exit 128", "…")),
    ).toBe("");
  });

  it("types answers at a terminal when it is asked", async () => {
    const text = console(
      "$ read -p 'Your name: ' name; read -p 'Sure? ' sure; echo \"$name/$sure\" # answer: Ada L. # answer: yes # exit 0",
      "Your name: Ada L.",
      "Sure? yes",
      "Ada L./yes",
      "$ test -t 0 && test -t 1 && test -t 2 && tput cols",
      "100",
      "$ read -p 'Stop me: ' # answer: ^C # exit 130",
      "…",
    );
    expect(await problemsOf(text)).toBe("");
  });

  it("shows a long line as one, and what was drawn over not at all", async () => {
    const text = console("$ printf 'a%.0s' $(seq 250); echo; printf 'old\\rnew\\n'", "a".repeat(250), "new");
    expect(await problemsOf(text)).toBe("");
  });

  it("D1: is wrong at the line of the command, with the difference", async () => {
    const text = console("$ echo one", "one", "$ printf 'two\\nthree\\n'", "two", "four", "$ touch never");
    expect(await problemsOf(text)).toBe(
      [
        "page.md:4 $ printf 'two\\nthree\\n'",
        "does not print what the page shows (- the page, + the terminal):",
        "    two",
        "  - four",
        "  + three",
      ].join("\n"),
    );
  });

  it.each([
    ["an exit code", console("$ false"), "page.md:2 $ false\nexits with 1, and the page expects 0."],
    ["a success", console("$ true # exit 1"), "page.md:2 $ true\nexits with 0, and the page expects 1."],
    ["an answer", console("$ true # answer: y"), 'page.md:2 $ true\nhas not asked for "y".'],
    ["a malformed block", "```console run\n```\n", "page.md:1 There is no command in this block."],
  ])("is wrong about %s", async (_, text, said) => {
    expect(await problemsOf(text)).toBe(said);
  });

  it("is wrong if a command waits for somebody", async () => {
    const problems = await runPage(console("$ read -p 'Go? ' x"), { commandMs: 500 });
    expect(renderProblems("page.md", problems)).toMatch(/has not ended after 0\.5 s\. If it asks, .*\nGo\?/u);
  });

  it("leaves nothing behind: no folder and no program, also of the background", async () => {
    const file = path.join(tempDir(), "left");
    const started = console(`$ (sleep 600 & echo $! $PWD > ${file}; wait) &`, `$ until [ -s ${file} ]; do :; done`);
    expect(await problemsOf(started)).toBe("");
    const [pid, folder] = fs.readFileSync(file, "utf8").trim().split(" ");
    await until(() => !isRunning(Number(pid)));
    expect(fs.existsSync(folder as string)).toBe(false);
  });

  it("by hand: `docs:try` says what is wrong, and writes it down when asked", async () => {
    const { execute } = await import("../fixtures/command-line.js");
    const dir = tempDir();
    const page = path.join(dir, "page.md");
    fs.writeFileSync(page, console("$ pwd", "$ echo a b", "a", "$ echo c", "c"));
    const tool = fileURLToPath(new URL("../../tools/try-pages.mjs", import.meta.url));
    const tried = await execute(process.execPath, [tool, page], { cwd: dir, home: dir });
    expect([tried.code, tried.stdout]).toEqual([1, expect.stringContaining(`${page}:2 $ pwd`)]);
    const written = await execute(process.execPath, [tool, "--write", page], { cwd: dir, home: dir });
    expect([written.code, written.stdout]).toEqual([0, `${page}: 3 commands, as shown\n`]);
    expect(fs.readFileSync(page, "utf8")).toBe(console("$ pwd", "…", "$ echo a b", "a b", "$ echo c", "c"));
  });
});
