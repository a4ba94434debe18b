/** Real commands that behave badly. That nothing of them is left running is checked after each test. */
import { execFileSync } from "node:child_process";
import crypto from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { tempDir } from "../../../../tests/fixtures/temp-dir.js";
import type { CommandCriterion, FileCriterion } from "../model/loop-contract.js";
import { type CheckPlace, type CheckResult, checkCriterion } from "./check-criterion.js";
import { treeHash } from "./tree-hash.js";
import { type VerifiedCriterion, verifyCriteria } from "./verify-criteria.js";

const LINUX = fs.existsSync("/proc/self/environ");
let base = "";
let place: CheckPlace;
let counter = 0;

beforeEach(() => {
  counter += 1;
  base = tempDir();
  const [projectRoot, runDir] = [path.join(base, "project"), path.join(base, "run")];
  for (const dir of [projectRoot, runDir]) fs.mkdirSync(dir);
  fs.writeFileSync(path.join(projectRoot, "package.json"), '{"type":"module"}');
  execFileSync("git", ["init", "-q"], { cwd: projectRoot, env: { PATH: process.env["PATH"], HOME: base } });
  place = {
    projectRoot,
    runDir,
    evidenceDir: path.join(runDir, "evidence"),
    cacheDir: path.join(runDir, "state", "tree"),
    env: { PATH: process.env["PATH"], HOME: base },
    session: `check-test-${process.pid}-${counter}`,
    graceMs: 300,
  };
});

afterEach(() => {
  const left = carriersOf(place.session);
  for (const pid of left) process.kill(pid, "SIGKILL");
  if (left.length > 0) throw new Error(`left running: ${left.join(", ")}`);
});

/** Pids of the living that carry the mark of our session. */
function carriersOf(session: string): number[] {
  if (!LINUX) return [];
  const carries = (pid: number): boolean => {
    try {
      const state = fs.readFileSync(`/proc/${pid}/stat`, "utf8").replace(/.*\) /su, "").charAt(0);
      return state !== "Z" && fs.readFileSync(`/proc/${pid}/environ`, "utf8").includes(session);
    } catch {
      return false;
    }
  };
  return fs
    .readdirSync("/proc")
    .map(Number)
    .filter((pid) => pid > 0 && carries(pid));
}

function command(line: string, more: Partial<CommandCriterion> = {}): CommandCriterion {
  return {
    id: "c",
    text: line,
    kind: "command",
    command: line,
    timeoutMs: 30_000,
    tier: "fast",
    role: "required",
    ...more,
  };
}

async function check(
  criterion: string | CommandCriterion | FileCriterion,
  more: Partial<CheckPlace> = {},
): Promise<CheckResult> {
  const result = await checkCriterion(typeof criterion === "string" ? command(criterion) : criterion, {
    ...place,
    ...more,
  });
  if (result === undefined) throw new Error("it was cancelled");
  return result;
}

const evidenceOf = ({ evidence = "none" }: CheckResult): string =>
  fs.readFileSync(path.join(place.runDir, evidence), "utf8");
const inProject = (name: string): string => path.join(place.projectRoot, name);

describe("L10: criteria with commands that the engine runs", () => {
  it("L10: criteria with commands that the engine runs are met by exit code 0, with evidence", async () => {
    const result = await check("echo out; echo err >&2; echo more");
    expect(result).toEqual({
      criterion: "c",
      kind: "command",
      ok: true,
      outcome: "met",
      exitCode: 0,
      signal: null,
      durationMs: expect.any(Number),
      before: (await treeHash(place.projectRoot, place.cacheDir)).hash,
      after: result.before,
      tail: "out\nerr\nmore",
      evidence: "evidence/c/1.log",
      outputSha256: crypto.createHash("sha256").update("out\nerr\nmore\n").digest("hex"),
      at: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/u),
    });
    expect(evidenceOf(result)).toBe("out\nerr\nmore\n");
    expect(fs.readdirSync(path.join(place.evidenceDir, "c"))).toEqual(["1.log"]);
  });

  it("L10: criteria with commands that the engine runs are unmet by any other exit code, with signature and count", async () => {
    const result = await check("echo '# fail 3'; exit 7");
    expect(result).toMatchObject({ ok: false, outcome: "unmet", exitCode: 7, signal: null, failures: 3 });
    expect(result.signature).toMatch(/^[0-9a-f]{64}$/u);
    expect((await check("echo '# fail 3'; exit 7")).signature).toBe(result.signature);
    expect((await check("echo '# fail 4'; exit 7")).signature).not.toBe(result.signature);
  });
});

describe("a command that", () => {
  it("leaves a daemon in a session of its own behind, does not leave it running", async () => {
    const result = await check(
      "setsid sh -c 'echo $$ >daemon.pid; exec sleep 300' >/dev/null 2>&1 </dev/null & while [ ! -s daemon.pid ]; do :; done",
    );
    expect(result).toMatchObject({ ok: true });
    expect(fs.readFileSync(inProject("daemon.pid"), "utf8")).toMatch(/^\d+\n$/u);
    expect(carriersOf(place.session)).toEqual([]);
  });

  it("hangs, is ended with everything that it started", async () => {
    const result = await check(
      command("trap '' TERM; echo begun; sleep 300 & sleep 300; sleep 300", { timeoutMs: 400 }),
    );
    expect(result).toMatchObject({ ok: false, outcome: "timed-out", exitCode: null, signal: "SIGKILL", tail: "begun" });
  });

  it("asks a terminal or its input, gets no answer and does not wait for one", async () => {
    expect(await check("read answer </dev/tty")).toMatchObject({ ok: false, outcome: "unmet" });
    expect(await check("read answer")).toMatchObject({ ok: false, outcome: "unmet", exitCode: 1 });
  });

  it("prints a hundred megabytes, leaves the beginning and the end of them", async () => {
    const result = await check("echo FIRST; yes 0123456789abcde | head -c 100000000; echo LAST", {
      outputLimitBytes: 100_000,
    });
    expect(result.ok).toBe(true);
    const log = evidenceOf(result);
    expect(log.length).toBeLessThan(101_000);
    expect(log).toMatch(/^FIRST\n[\s\S]*bytes omitted[\s\S]*LAST\n$/u);
    expect(result.tail.length).toBeLessThanOrEqual(4096);
    expect(result.tail.split("\n").length).toBeLessThanOrEqual(40);
    expect(result.tail).toMatch(/LAST$/u);
  });

  it("prints one endless line, leaves its end", async () => {
    const { tail } = await check(`node -e 'process.stdout.write("ü".repeat(100000) + "END")'`);
    expect(Buffer.byteLength(tail)).toBeLessThanOrEqual(4096);
    expect(tail).toMatch(/^ü+END$/u);
  });

  it("edits the tree is about two trees, and says which files it wrote", async () => {
    fs.writeFileSync(path.join(place.projectRoot, "old.txt"), "old");
    const { before, after, written } = await check("mkdir out; echo new >made.txt; echo x >out/ä; echo >>package.json");
    expect(after).not.toBe(before);
    expect(after).toBe((await treeHash(place.projectRoot, place.cacheDir)).hash);
    expect(written).toEqual(["made.txt", "out/ä", "package.json"]);
    expect((await check("true")).written).toBeUndefined();
    const many = await check("for n in 1 2 3 4 5 6 7 8 9 10 11 12; do echo >f$n; done");
    expect(many.written).toHaveLength(10);
    fs.rmSync(path.join(place.projectRoot, ".git"), { recursive: true });
    expect((await check("echo newer >made.txt")).written).toEqual(["made.txt"]);
  });

  it("is killed by a signal is not met", async () => {
    expect(await check("kill -9 $$")).toMatchObject({ ok: false, outcome: "unmet", exitCode: null, signal: "SIGKILL" });
  });

  it("signals its whole group, does not reach us", async () => {
    expect(await check("echo before; kill 0; sleep 300")).toMatchObject({
      ok: false,
      exitCode: null,
      signal: "SIGTERM",
      tail: "before",
    });
  });

  it.each(["there-is-no-such-command", "./package.json", "sh -c there-is-no-such-command"])(
    "cannot be run, as %s, is told from one that fails",
    async (line) => {
      const result = await check(line);
      expect(result).toMatchObject({ ok: false, outcome: "not-started" });
      expect(result.tail).toMatch(/not found|denied/u);
    },
  );

  it("is no command for a shell is not met", async () => {
    expect(await check("if then (")).toMatchObject({ ok: false, outcome: "unmet", exitCode: 2 });
  });

  it("holds a byte that no command can hold is told from one that fails", async () => {
    expect(await check("echo a\0b")).toMatchObject({ ok: false, outcome: "not-started", exitCode: null });
  });

  it("begins with a comment or a line end, or ends with an operator, runs as it is", async () => {
    expect(await check("# nothing\necho yes # no")).toMatchObject({ ok: true, tail: "yes" });
    expect(await check("cat <<'END'\n$HOME\nEND\n")).toMatchObject({ ok: true, tail: "$HOME" });
  });

  it("goes elsewhere, does not take the next one with it", async () => {
    expect(await check("cd / && pwd")).toMatchObject({ ok: true, tail: "/" });
    expect(await check("pwd")).toMatchObject({ ok: true, tail: place.projectRoot });
  });

  it("deletes the folder of the evidence still has a result", async () => {
    const result = await check(`rm -rf '${place.evidenceDir}'; echo gone; exit 3`);
    expect(result).toMatchObject({ ok: false, exitCode: 3, tail: "gone" });
    expect(result).not.toHaveProperty("evidence");
    expect((await check("echo again")).evidence).toBe("evidence/c/1.log");
  });

  it("puts a link in the place of its evidence, does not get it read", async () => {
    fs.writeFileSync(path.join(base, "secret"), "SECRET");
    const result = await check(
      `ln -sf '${base}/secret' '${place.evidenceDir}/c/1.log'; ln -s '${base}/secret' '${place.evidenceDir}/c/2.log'`,
    );
    expect(result).not.toHaveProperty("evidence");
    expect((await check("echo next")).evidence).toBe("evidence/c/3.log");
    expect(fs.readFileSync(path.join(base, "secret"), "utf8")).toBe("SECRET");
  });

  it("deletes the project is not met", async () => {
    const result = await check(`rm -rf '${place.projectRoot}'`);
    expect(result).toMatchObject({ ok: false, outcome: "unmet", exitCode: 0, after: "" });
    expect(await check("true")).toMatchObject({ ok: false, outcome: "not-started", before: "", after: "" });
  });

  it("has no place for its evidence is not started", async () => {
    fs.writeFileSync(path.join(base, "file"), "");
    const result = await check("touch ran", { evidenceDir: path.join(base, "file", "evidence") });
    expect(result).toMatchObject({ ok: false, outcome: "not-started" });
    expect(fs.existsSync(inProject("ran"))).toBe(false);
  });
});

describe("evidence", () => {
  it("of any criterion stays in its own folder, whatever its name is", async () => {
    const ids = ["../../escape", "..", ".", "", "a/b", "a_b", "A_B", "a b", "x".repeat(300), "-rf", "ü"];
    const paths = [];
    for (const id of ids) paths.push((await check(command("true", { id }))).evidence);
    expect(new Set(paths.map((file) => file?.toLowerCase())).size).toBe(ids.length);
    for (const file of paths) expect(file).toMatch(/^evidence\/[\w-][\w.-]*\/1\.log$/u);
    expect(fs.readdirSync(place.runDir).toSorted()).toEqual(["evidence", "state"]);
  });

  it("of two checks at once is in two files", async () => {
    const results = await Promise.all(["one", "two", "three"].map((word) => check(`echo ${word}`)));
    expect(results.map(evidenceOf)).toEqual(["one\n", "two\n", "three\n"]);
  });

  it("holds no secrets", async () => {
    const env = { ...place.env, API_TOKEN: "s3cret-value-1", NAME: "plain" };
    const result = await check('echo "$API_TOKEN $NAME"; [ "$API_TOKEN" = s3cret-"value"-1 ]', { env });
    expect(result).toMatchObject({ ok: true, tail: "*** plain" });
    expect(evidenceOf(result)).toBe("*** plain\n");
  });
});

describe("the environment of a command", () => {
  it("is that of a person whom nobody can ask, without what belongs to the caller or to a hook", async () => {
    const env = {
      ...place.env,
      GIT_DIR: "/nowhere",
      BASH_ENV: "/nowhere",
      npm_config_script_shell: "/bin/true",
      FORCE_COLOR: "1",
      MINE: "kept",
    };
    const { tail } = await check("env", { env });
    const names = new Set(tail.split("\n").map((line) => line.replace(/=.*/u, "")));
    const unwanted = ["GIT_DIR", "BASH_ENV", "FORCE_COLOR"];
    expect([...unwanted, "npm_config_script_shell"].filter((name) => names.has(name))).toEqual([]);
    for (const line of ["MINE=kept", "CI=1", "PAGER=cat", "NO_COLOR=1", "TERM=dumb"])
      expect(tail.split("\n")).toContain(line);
    expect((await check("echo $CI", { env: { ...env, CI: "false" } })).tail).toBe("false");
  });
});

describe("a criterion about a file", () => {
  const file = (more: Partial<FileCriterion>): FileCriterion => ({
    id: "f",
    text: "",
    kind: "file",
    path: "out.txt",
    ...more,
  });

  it.each<[string, Partial<FileCriterion>, string | undefined]>([
    ["is there", {}, undefined],
    ["contains the text", { contains: "needle" }, undefined],
    ["contains the text across pieces", { path: "large.txt", contains: "needle" }, undefined],
    ["does not contain the text", { contains: "Needle" }, 'out.txt does not contain "Needle".'],
    ["is not there", { path: "gone.txt" }, "gone.txt does not exist."],
    ["is below a file", { path: "out.txt/x" }, "out.txt/x does not exist."],
    ["is a folder", { path: "dir" }, "dir is not a file."],
    ["is a pipe", { path: "pipe", contains: "x" }, "pipe is not a file."],
  ])("that %s is judged so", async (_what, more, problem) => {
    fs.writeFileSync(inProject("out.txt"), "hay needle hay");
    fs.writeFileSync(inProject("large.txt"), `${"x".repeat(1024 * 1024 - 3)}needle`);
    fs.mkdirSync(inProject("dir"));
    execFileSync("mkfifo", [inProject("pipe")]);
    const result = await check(file(more));
    expect(result).toMatchObject({
      criterion: "f",
      kind: "file",
      ok: problem === undefined,
      tail: problem ?? "",
      exitCode: null,
    });
    expect(result.outcome).toBe(problem === undefined ? "met" : "unmet");
    expect(result.before).toBe(result.after);
    expect("signature" in result).toBe(problem !== undefined);
  });
});

describe("cancelling", () => {
  it("ends the command and what it started, and gives no result", async () => {
    const cancel = new AbortController();
    const running = checkCriterion(command("sleep 300 & touch begun; sleep 300"), { ...place, cancel: cancel.signal });
    while (!fs.existsSync(inProject("begun"))) await new Promise((resolve) => setImmediate(resolve));
    cancel.abort();
    expect(await running).toBeUndefined();
  });

  it("before the beginning starts nothing", async () => {
    expect(await checkCriterion(command("touch ran"), { ...place, cancel: AbortSignal.abort() })).toBeUndefined();
    expect(fs.existsSync(inProject("ran"))).toBe(false);
  });
});

describe("verifying criteria", () => {
  async function verify(
    criteria: (CommandCriterion | FileCriterion | { id: string; text: string; kind: "claim" })[],
    earlier: VerifiedCriterion[] = [],
    more: Partial<CheckPlace> & { onReport?: (result: VerifiedCriterion) => void } = {},
  ): Promise<{ outcome: string; results: VerifiedCriterion[] }> {
    const results: VerifiedCriterion[] = [];
    const outcome = await verifyCriteria({
      ...place,
      ...more,
      criteria,
      earlier: { c: earlier },
      report: (result) => {
        results.push(result);
        more.onReport?.(result);
      },
    });
    return { outcome, results };
  }

  /** Fails as often as it is told, counted outside the project. */
  const flaky = (pattern: string): CommandCriterion =>
    command(
      `n=$(cat '${base}/n' 2>/dev/null || echo 0); echo $((n + 1)) >'${base}/n'; echo ${pattern} | cut -c$((n + 1)) | grep -q +`,
    );

  it("happens one after the other, each reported before the next begins; claims are passed over", async () => {
    const order = path.join(base, "order");
    const criteria = [
      command(`echo a >>'${order}'`, { id: "a" }),
      { id: "word", text: "trust me", kind: "claim" as const },
      command(`echo b >>'${order}'; false`, { id: "b" }),
      { id: "f", text: "", kind: "file" as const, path: "package.json" },
    ];
    const { outcome, results } = await verify(criteria, [], {
      onReport: ({ criterion }) => fs.appendFileSync(order, `reported ${criterion}\n`),
    });
    expect(outcome).toBe("done");
    expect(results.map(({ criterion, ok, flaky: isFlaky }) => [criterion, ok, isFlaky])).toEqual([
      ["a", true, false],
      ["b", false, false],
      ["f", true, false],
    ]);
    expect(fs.readFileSync(order, "utf8")).toBe("a\nreported a\nb\nreported b\nreported f\n");
  });

  it("wants success twice where the same tree has failed before, and says so", async () => {
    const criterion = flaky("-++");
    const { results: red } = await verify([criterion]);
    expect(red).toMatchObject([{ ok: false, flaky: false }]);
    const { results: green } = await verify([criterion], red);
    expect(green).toMatchObject([{ ok: true, flaky: true }]);
    expect(fs.readFileSync(path.join(base, "n"), "utf8")).toBe("3\n");
  });

  it("does not believe one success on a tree that has failed before and after", async () => {
    const criterion = flaky("-+-");
    const { results: red } = await verify([criterion]);
    expect((await verify([criterion], red)).results).toMatchObject([{ ok: false, flaky: true }]);
  });

  it("says that a failure comes and goes, without another try", async () => {
    const criterion = flaky("+-+");
    const { results: green } = await verify([criterion]);
    expect((await verify([criterion], green)).results).toMatchObject([{ ok: false, flaky: true }]);
  });

  it("believes the first success when the tree is another one", async () => {
    const criterion = flaky("-+-");
    const { results: red } = await verify([criterion]);
    fs.writeFileSync(inProject("fix.txt"), "fixed");
    expect((await verify([criterion], red)).results).toMatchObject([{ ok: true, flaky: false }]);
  });

  it("ends when it is cancelled", async () => {
    const cancel = new AbortController();
    const criteria = [command("true", { id: "a" }), command("touch ran", { id: "b" })];
    const { outcome, results } = await verify(criteria, [], { cancel: cancel.signal, onReport: () => cancel.abort() });
    expect([outcome, results.length, fs.existsSync(inProject("ran"))]).toEqual(["stopped", 1, false]);
  });
});

describe("what the engine itself does for a check", () => {
  const tooLong = { ok: false, outcome: "timed-out", tail: "Reading the project's files took too long." };

  it.each(["git", "a walk"])("has a limit, and is recorded when it takes longer: %s", async (by) => {
    if (by === "a walk") fs.rmSync(path.join(place.projectRoot, ".git"), { recursive: true });
    const result = await check("touch ../ran", { workLimitMs: 0 });
    expect(result).toMatchObject({ ...tooLong, before: "", after: "" });
    expect(fs.existsSync(path.join(base, "ran"))).toBe(false);
  });

  it("has a limit for a file as well", async () => {
    const file: FileCriterion = { id: "f", text: "f", kind: "file", path: "package.json" };
    expect(await check({ ...file, contains: "nowhere" }, { workLimitMs: 0 })).toMatchObject(tooLong);
  });

  it("ends although git hangs once the command has run", async () => {
    const git = execFileSync("sh", ["-c", "command -v git"]).toString("utf8").trim();
    const bin = path.join(base, "bin");
    fs.mkdirSync(bin);
    const hangs = path.join(base, "hangs");
    const script = `#!/bin/sh\n[ ! -e '${hangs}' ] || exec sleep 600\nexec '${git}' "$@"\n`;
    fs.writeFileSync(path.join(bin, "git"), script, { mode: 0o755 });
    vi.stubEnv("PATH", `${bin}:${process.env["PATH"]}`);
    try {
      // Long for git as it is, short once it hangs.
      const limits: Pick<CheckPlace, "workLimitMs"> = Object.defineProperty({}, "workLimitMs", {
        get: () => (fs.existsSync(hangs) ? 100 : 60_000),
      });
      const result = await checkCriterion(command(`touch '${hangs}'`), Object.assign(limits, place));
      expect(result).toMatchObject({ ...tooLong, before: expect.stringMatching(/./u), after: "" });
    } finally {
      vi.unstubAllEnvs();
    }
  });

  it("does not read what is far larger than a log and lies in its place", async () => {
    const evidence = path.join(place.evidenceDir, "c", "1.log");
    const result = await check(`rm '${evidence}'; truncate -s 200M '${evidence}'`);
    expect(result).toMatchObject({ ok: true, outcome: "met" });
    expect(result.outputSha256).toBeUndefined();
  });
});
