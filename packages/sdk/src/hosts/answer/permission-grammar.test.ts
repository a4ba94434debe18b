import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { makeTempDir, removeTempDir } from "../../../../../tests/fixtures/temp-dir.js";
import { GLOBAL_OPTIONS } from "../../cli/grammar/command-spec.js";
import { COMMANDS, REPLACED_COMMANDS } from "../../cli/grammar/command-table.js";
import {
  ALLOWED_VERBS,
  type AllowedCall,
  type PlainCommand,
  parseAllowedCall,
  parsePlainCommand,
  renderPlainCommand,
  wordsOfCall,
} from "./permission-grammar.js";

function judge(text: string): AllowedCall | undefined {
  const plain = parsePlainCommand(text);
  return plain?.words[0] === "babysitter" ? parseAllowedCall(plain) : undefined;
}

const POST = "babysitter task:post eff-1 --status ok --value";

const MUST_PASS: [string, Partial<AllowedCall>][] = [
  ["babysitter run:iterate", { verb: "run:iterate", options: [] }],
  ["babysitter run:iterate run-1 --json --iteration 3", { run: "run-1" }],
  ["  babysitter\trun:status   run-1\n", { verb: "run:status", run: "run-1" }],
  ["babysitter run:status '/home/me/my project/.a5c/runs/run-1'", { run: "/home/me/my project/.a5c/runs/run-1" }],
  ["babysitter run:events run-1 --limit 20 --reverse --filter-type=EFFECT_RESOLVED", { verb: "run:events" }],
  ["babysitter run:show run-1", { verb: "run:show" }],
  ["babysitter task:list run-1 --pending --kind agent", { verb: "task:list" }],
  ["babysitter task:show run-1 eff-1 --json", { run: "run-1", about: { kind: "effect", id: "eff-1" } }],
  ["babysitter task:show eff-1", { about: { kind: "effect", id: "eff-1" } }],
  [
    `${POST} out/result.json`,
    {
      options: [
        { name: "status", kind: "text", value: "ok" },
        { name: "value", kind: "file", value: "out/result.json" },
      ],
    },
  ],
  [
    `${POST} - <<'EOF'\n{"a": "$(x) \`y\` 'z'"}\nEO F\nEOF\n`,
    { heredoc: { delimiter: "EOF", body: `{"a": "$(x) \`y\` 'z'"}\nEO F\n` } },
  ],
  ["babysitter task:post eff-1 --status error --error - << 'END'\nEND", { heredoc: { delimiter: "END", body: "" } }],
  [
    "babysitter process:check .a5c/processes/notes.mjs --strict",
    { verb: "process:check", about: { kind: "process", id: ".a5c/processes/notes.mjs" } },
  ],
  ["babysitter loop:status", { verb: "loop:status" }],
  ["babysitter loop:verify --criterion tests --criterion 'type check' --again --timeout 90s", { verb: "loop:verify" }],
  ["babysitter loop:check --json", { verb: "loop:check" }],
  ["babysitter loop:step run-1", { run: "run-1" }],
  [
    "babysitter loop:step write-tests --done --note 'all; green & $HOME \\ \"fine\" #1 naïve'",
    { about: { kind: "step", id: "write-tests" } },
  ],
];

/** What a shell makes more of than one command of words that mean themselves. */
const NOT_PLAIN: Record<string, string> = {
  "two lines": "babysitter run:status\nrm -rf x",
  "an empty line between": "babysitter run:status\n\nrm -rf x",
  semicolon: "babysitter run:status; rm -rf x",
  and: "babysitter run:status && rm -rf x",
  or: "babysitter run:status || rm -rf x",
  pipe: "babysitter run:status | sh",
  "pipe into it": `echo '{}' | ${POST} -`,
  background: "babysitter run:status & rm -rf x",
  substitution: "babysitter run:status $(rm -rf x)",
  backticks: "babysitter run:status `rm -rf x`",
  arithmetic: "babysitter run:events --limit $((1+1))",
  variable: "babysitter run:status $RUN",
  "variable in braces": ["babysitter run:status $", "{RUN:-x}"].join(""),
  "substitution in double quotes": 'babysitter loop:step a --done --note "$(rm -rf x)"',
  "double quotes": 'babysitter loop:step a --done --note "fine"',
  "process substitution": `${POST} <(cat x)`,
  "output process": "babysitter run:status >(sh)",
  "redirection out": "babysitter run:status > .bashrc",
  "redirection appended": "babysitter run:status >>.bashrc",
  "redirection of errors": "babysitter run:status 2>&1",
  "redirection in": `${POST} - < x`,
  assignment: "PATH=/tmp/x; babysitter run:status",
  continuation: "babysitter run:\\\nstatus",
  "escaped space": "babysitter run:status a\\ b",
  "no-break space": "babysitter\u00a0run:status",
  "ideographic space": "babysitter run:status\u3000x",
  "line separator": "babysitter run:status\u2028rm -rf x",
  "zero-width space": "baby\u200bsitter run:status",
  "byte order mark": "\ufeffbabysitter run:status",
  "look-alike letter": "b\u0430bysitter run:status",
  "quotes in a word": "babysitter run:'status'",
  "quotes that touch": "babysitter run:status 'a''b'",
  "escaped quote": "babysitter loop:step a --done --note 'don'\\''t'",
  "open quote": "babysitter run:status 'a",
  "newline in quotes": "babysitter loop:step a --done --note 'x\ny'",
  "ANSI quotes": "babysitter run:status $'\\x61'",
  "translated quotes": 'babysitter run:status $"a"',
  "heredoc that expands": `${POST} - <<EOF\n$(rm -rf x)\nEOF`,
  "heredoc with half a quoted delimiter": `${POST} - <<E'O'F\nEOF`,
  "heredoc with an escaped delimiter": `${POST} - <<\\EOF\nEOF`,
  "heredoc with a doubly quoted delimiter": `${POST} - <<"EOF"\nEOF`,
  "heredoc with tabs": `${POST} - <<-'EOF'\n\tEOF\nrm -rf x\nEOF`,
  "heredoc without an end": `${POST} - <<'EOF'\n{}`,
  "command behind a heredoc": `${POST} - <<'EOF'\n{}\nEOF\nrm -rf x`,
  "heredoc that ends before it seems to": `${POST} - <<'EOF'\nEOF\nrm -rf x\nEOF`,
  "pipe beside a heredoc": `${POST} - <<'EOF' | sh\n{}\nEOF`,
  "command beside a heredoc": `${POST} - <<'EOF'; rm -rf x\n{}\nEOF`,
  "two heredocs": `${POST} - <<'A' <<'B'\nA\nB`,
  "heredoc for another file": `${POST} - --attempt 1<<'EOF'\n{}\nEOF`,
  "carriage return in a heredoc": `${POST} - <<'EOF'\n{}\r\nEOF`,
  "here-string": `${POST} - <<<'{}'`,
  comment: "babysitter run:status # rm -rf x",
  "comment before": "# x\nbabysitter run:status",
  star: "babysitter run:status *",
  "question mark": "babysitter run:status run-?",
  brackets: "babysitter run:status run-[12]",
  "brace expansion": "babysitter run:status {a,b}",
  tilde: "babysitter run:status ~/x",
  "tilde in a value": "babysitter task:post eff-1 --status ok --value=~/x",
  history: "babysitter run:status !!",
  subshell: "(babysitter run:status)",
  group: "{ babysitter run:status; }",
  negation: "! babysitter run:status",
  "extended pattern": "babysitter run:status @(a|b)",
  function: "babysitter() { rm -rf x; }; babysitter run:status",
  alias: "alias babysitter='rm -rf x'\nbabysitter run:status",
  NUL: "babysitter run:status\0rm",
  "NUL in quotes": "babysitter run:status 'a\0b'",
  "carriage return": "babysitter run:status\r",
  "carriage return between": "babysitter run:status\rrm -rf x",
  "vertical tab": "babysitter\vrun:status",
  escape: "babysitter loop:step a --done --note '\u001b[2J'",
  "half a character": "babysitter loop:step a --done --note '\ud800'",
  "a megabyte": `babysitter run:status ${"a".repeat(1024 * 1024)}`,
  "a megabyte of heredoc": `${POST} - <<'E'\n${"a\n".repeat(512 * 1024)}E`,
  nothing: "",
  blanks: " \n ",
};

/** One plain command, but none that may run without a question. */
const NOT_ALLOWED: Record<string, string> = {
  "a check of several files": "babysitter process:check a.mjs b.mjs",
  "a check of nothing": "babysitter process:check --strict",
  "a check in this very program": "babysitter process:check a.mjs --here",
  "a variable before it": "PATH=/tmp/x babysitter run:status",
  "preloaded code": "NODE_OPTIONS=--require=./x.js babysitter run:status",
  "our name as an argument": "sudo babysitter run:status",
  "our name for another": "env babysitter run:status",
  "another program": "npx babysitter run:status",
  "a path to another one": "./babysitter run:status",
  "an absolute path to another one": "/tmp/babysitter run:status",
  "another name": "babysitter-sdk run:status",
  "no verb": "babysitter",
  "a verb for people": "babysitter loop:amend --drop-criterion tests",
  "a verb that makes runs": "babysitter run:create --process-id x --entry x.mjs",
  "a verb that runs anything": "babysitter run x.mjs",
  "the verb in two words": "babysitter run status",
  "an option before the verb": "babysitter --json run:status",
  "a verb of every object": "babysitter constructor",
  "an internal program": "babysitter internal:task-runner x",
  approval: "babysitter breakpoint:approve eff-1",
  "hooks by hand": "babysitter hook:dispatch on-run-complete",
  "end of options": "babysitter run:status -- run-1",
  "a short option": "babysitter run:status -h",
  "an unknown option": "babysitter run:status --evil",
  "an option of every object": "babysitter run:status --constructor x",
  "an option of another verb": "babysitter run:status --value x",
  "a plugin's hooks": "babysitter run:iterate --plugin-root /tmp/x",
  "another session": "babysitter loop:check --session-id other",
  "another place of sessions": "babysitter loop:check --state-dir /tmp/x",
  "a value for a flag": "babysitter run:iterate --retry=yes",
  "an option in a value": "babysitter task:post eff-1 --status --json",
  "an option in a joined value": "babysitter task:post eff-1 --status=--json",
  "a value that is missing": "babysitter task:post eff-1 --status",
  "an empty value": "babysitter task:post eff-1 --status ''",
  "an empty argument": "babysitter run:status ''",
  "an option twice": `${POST} a.json --value /etc/passwd`,
  "too many arguments": "babysitter run:status a b",
  "too many arguments of an effect": "babysitter task:show a b c",
  "no effect": "babysitter task:post --status ok",
  "a step that is not named": "babysitter loop:step --done",
  "a heredoc that nobody reads": "babysitter run:status <<'EOF'\nx\nEOF",
  secrets: "babysitter task:show eff-1 --verbose",
};

describe("what may run without a question", () => {
  it.each(MUST_PASS)("is understood: %s", (text, expected) => {
    expect(judge(text)).toMatchObject(expected);
  });

  it.each(Object.entries(NOT_PLAIN))("is no plain command: %s", (_, text) => {
    expect(parsePlainCommand(text)).toBeUndefined();
  });

  it.each(Object.entries(NOT_ALLOWED))("is not on the list: %s", (_, text) => {
    expect(parsePlainCommand(text)).toBeDefined();
    expect(judge(text)).toBeUndefined();
  });

  it("has only verbs and options of the command table, of the same kind", () => {
    const odd = Object.entries(ALLOWED_VERBS).flatMap(([verb, { options }]) => {
      if (Object.hasOwn(REPLACED_COMMANDS, verb)) return [];
      const known = { ...GLOBAL_OPTIONS, ...specOf(verb)?.options };
      return Object.entries(options)
        .filter(([name, kind]) => known[name]?.type !== (kind === "flag" ? "boolean" : "string"))
        .map(([name]) => `${verb} --${name}`);
    });
    expect(odd).toEqual([]);
  });

  it("knows every option whose value is, or may be, a file that is read", () => {
    const mayBeFile = (value: string | undefined): boolean => value === "file" || value === "json";
    const missed = Object.entries(ALLOWED_VERBS).flatMap(([verb, { options }]) =>
      Object.entries(options)
        .filter(([name]) => !Object.hasOwn(GLOBAL_OPTIONS, name))
        .filter(([name, kind]) => mayBeFile(specOf(verb)?.options[name]?.value) !== (kind === "file"))
        .map(([name]) => `${verb} --${name}`),
    );
    expect(missed).toEqual([]);
  });

  it("writes a call with its run before all else", () => {
    const call = judge("babysitter loop:step write-tests --done --note 'a b'") as AllowedCall;
    const words = ["/opt/b.cjs", "loop:step", "/p/.a5c/runs/r", "write-tests", "--done", "--note", "a b"];
    expect(wordsOfCall(["/opt/b.cjs"], call, "/p/.a5c/runs/r")).toEqual(words);
  });
});

function specOf(verb: string): (typeof COMMANDS)[number] | undefined {
  return COMMANDS.find(({ name, aliases }) => name === verb || aliases?.includes(verb));
}

describe("what a real shell makes of it", () => {
  let root = "";
  beforeAll(() => {
    root = makeTempDir();
    fs.mkdirSync(path.join(root, "bin"));
    fs.mkdirSync(path.join(root, "empty"));
    // Says what it was called with; whatever else runs prints something else, fails, or leaves a file behind.
    const program = `#!/bin/sh\nprintf '%s\\0' CALLED "$#" "$@"\n/bin/cat\n`;
    fs.writeFileSync(path.join(root, "bin", "babysitter"), program, { mode: 0o755 });
    return () => removeTempDir(root);
  });

  function seen(shell: string, text: string): object {
    const { status, stdout, stderr } = spawnSync(shell, ["-c", text], {
      cwd: path.join(root, "empty"),
      env: { PATH: path.join(root, "bin"), HOME: root, LC_ALL: "C.UTF-8" },
      input: "",
      encoding: "utf8",
    });
    return { status, stdout, stderr, files: fs.readdirSync(path.join(root, "empty")) };
  }

  function expected({ words, heredoc }: PlainCommand): object {
    const [, ...args] = words;
    const called = ["CALLED", String(args.length), ...args].map((part) => `${part}\0`).join("");
    return { status: 0, stdout: called + (heredoc?.body ?? ""), stderr: "", files: [] };
  }

  it.each(["/bin/bash", "/bin/sh"])("%s gives the program the very words, as written and as rewritten", (shell) => {
    for (const [text] of MUST_PASS) {
      const plain = parsePlainCommand(text) as PlainCommand;
      expect(seen(shell, text)).toEqual(expected(plain));
      expect(seen(shell, renderPlainCommand(plain))).toEqual(expected(plain));
    }
  });

  it("bash runs one command and nothing else, whatever was put into a line that still passes", () => {
    const random = numbersFrom(20_260_120);
    const pick = <T>(list: readonly T[]): T => list[random(list.length)] as T;
    let passed = 0;
    for (let tries = 0; passed < 60; tries += 1) {
      expect(tries).toBeLessThan(100_000);
      let text = pick(MUST_PASS)[0];
      for (let times = 1 + random(4); times > 0; times -= 1) {
        const at = random(text.length + 1);
        text = text.slice(0, at) + pick(PIECES) + text.slice(at + (random(3) === 0 ? 1 : 0));
      }
      const plain = parsePlainCommand(text);
      if (plain?.words[0] !== "babysitter") continue;
      passed += 1;
      expect({ text, ...seen("/bin/bash", text) }).toEqual({ text, ...expected(plain) });
      expect({ text, ...seen("/bin/bash", renderPlainCommand(plain)) }).toEqual({ text, ...expected(plain) });
      expect(parsePlainCommand(renderPlainCommand(plain))).toEqual(plain);
    }
  });
});

/** What shells are fond of. */
const PIECES = [
  ..."\t \n'\"`$\\;&|<>(){}[]*?~!#%=:,@+-_.^/\r0129aEOF é\u00a0\u2028\u001b".split(""),
  "\n\n",
  "''",
  "' '",
  "<<'EOF'",
  "<<'E'",
  "\nEOF\n",
  "\nEOF",
  "2>",
  "&&",
  "$(touch x)",
  "`touch x`",
  "; touch x",
  "\ntouch x",
  "> x",
  "a=b ",
  " = ",
  "%1",
  "--",
  " -",
  "...",
  "@(a)",
  "a,b",
];

/** The same numbers every time. */
function numbersFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}
