import crypto from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { HookProject } from "../../../../tests/fixtures/hooks/hook-project.js";
import { isRunning } from "../../../../tests/fixtures/processes.js";

describe("what a hook is given", () => {
  it("H3: the payload as JSON on stdin, with the run that it is about", async () => {
    const world = new HookProject();
    world.hook("on-score/keep", "cat > got.json; echo '{}'");
    const { merged } = await world.dispatch("on-score", { score: 85, text: 'ä "quoted"\n', runId: "of somebody else" });
    expect(merged.ok).toBe(true);
    expect(world.project.readJson("got.json")).toEqual({
      score: 85,
      text: 'ä "quoted"\n',
      runId: "run-1",
      runDir: world.runDir(),
    });
    await world.dispatch("on-score", [1, 2]);
    expect(world.project.readJson("got.json")).toEqual({ runId: "run-1", runDir: world.runDir(), payload: [1, 2] });
  });

  it("a payload of megabytes, read or not", async () => {
    const world = new HookProject();
    const text = "x".repeat(3_000_000);
    world.hook("try/count", `n=$(wc -c); echo "{\\"count\\": $n}"`);
    world.hook("try/deaf", "echo '{\"count\": 0}'");
    const { merged, hooks } = await world.dispatch("try", { text });
    expect(hooks.map(({ status }) => status)).toEqual(["ok", "ok"]);
    expect(merged.count).toBeGreaterThan(3_000_000);
  });

  it("H1: the project as its working directory, and the documented variables", async () => {
    const world = new HookProject();
    world.hook(
      "try/env.sh",
      `cat > /dev/null
printf '%s\\n' "$PWD" "$REPO_ROOT" "$RUNS_DIR" "$RUN_ID" "$RUN_DIR" "$HOOK_TYPE" "$BABYSITTER_CLI" "$PATH" "$OWN" \\
  "\${BREAKPOINT_PAYLOAD-none}" > env.txt
echo '{}'`,
    );
    const env = { PATH: "/usr/bin:/bin", OWN: "kept", RUN_ID: "outer", BREAKPOINT_PAYLOAD: "outer" };
    const context = world.context({ env, pathPrefix: "/first" });
    await world.dispatch("try", {}, context);
    expect(world.read("env.txt").trim().split("\n")).toEqual([
      world.dir,
      world.dir,
      world.project.runsDir,
      "run-1",
      world.runDir(),
      "try",
      context.cli,
      "/first:/usr/bin:/bin",
      "kept",
      "none",
    ]);
  });

  it("no run of someone else when the call is about none", async () => {
    const world = new HookProject();
    world.hook("try/env", `echo "{\\"run\\": \\"\${RUN_ID-none} \${RUN_DIR-none}\\", \\"payload\\": $(cat)}"`);
    const env = { PATH: process.env["PATH"], RUN_ID: "outer", RUN_DIR: "/outer" };
    const { hooks } = await world.dispatch("try", { a: 1 }, { env, run: undefined } as object);
    expect(hooks[0]?.result).toEqual({ run: "none none", payload: { a: 1 } });
  });

  it("a question in BREAKPOINT_PAYLOAD too, without its context when that is large", async () => {
    const world = new HookProject();
    world.hook("on-breakpoint/copy", 'printf %s "${BREAKPOINT_PAYLOAD-none}" > got.json; cat > stdin.json; echo "{}"');
    await world.dispatch("on-breakpoint", { question: "Go?", context: { files: [] } });
    expect(world.project.readJson("got.json")).toMatchObject({
      question: "Go?",
      context: { files: [] },
      runId: "run-1",
    });
    await world.dispatch("on-breakpoint", { question: "Go?", context: "x".repeat(200_000) });
    expect(world.project.readJson("got.json")).toMatchObject({ question: "Go?", context: null });
    expect((world.project.readJson("stdin.json") as { context: string }).context).toHaveLength(200_000);
    const { merged } = await world.dispatch("on-breakpoint", { question: "x".repeat(200_000) });
    expect(merged.ok).toBe(true);
    expect(world.read("got.json")).toBe("none");
  });
});

describe("what a hook answers", () => {
  const answer = async (script: string): Promise<unknown> => (await new HookProject().only(script)).result;

  it("H3: the last complete JSON object on stdout, whatever was printed before it", async () => {
    expect(await answer(`echo '{"ok": true, "count": 2}'`)).toEqual({ ok: true, count: 2 });
    expect(await answer(`printf ok; echo '{"ok": true}'`)).toEqual({ ok: true });
    expect(await answer(`printf '{"received":{"n":1}}'; echo '{"ok": true}'`)).toEqual({ ok: true });
    expect(await answer(`printf '{"cut off": '; echo; echo '{"ok": true}'; echo bye`)).toEqual({ ok: true });
    expect(await answer(`printf '100%% [====]\\r\\n{"a": "}{"}\\r\\n'`)).toEqual({ a: "}{" });
    expect(await answer(`printf '{\\n  "a": {\\n    "b": [1]\\n  }\\n}\\n'`)).toEqual({ a: { b: [1] } });
    expect(await answer(`echo '{"n": 1}'; echo '{"n": 2}'`)).toEqual({ n: 2 });
    expect(await answer(`echo '{"n": 1}'; echo '[1, 2]'`)).toEqual({ n: 1 });
    expect(await answer(`printf '\\0\\0bytes \\xff\\xfe{"text": "\\xff"}\\0'`)).toEqual({ text: "\uFFFD" });
  });

  it("H3: nothing that is only a part of an answer, or no object", async () => {
    for (const script of [
      `printf '{"ok": false, "details": {"exitCode": 1}'`,
      `echo '[{"ok": true}]'`,
      "echo '\"text\"'",
      "echo '{broken'",
      `printf '{"text": "a\\0b"}'`,
      "echo '{}' >&2",
    ]) {
      const outcome = await new HookProject().only(script);
      expect({ script, result: undefined, ...outcome }).toMatchObject({
        script,
        status: "ok",
        exitCode: 0,
        result: undefined,
        problem: expect.stringContaining("JSON object") as string,
      });
    }
  });

  it("H3: keeps the JSON of a hook that fails, and says why", async () => {
    const world = new HookProject();
    const outcome = await world.only(`echo '{"ok": false, "error": "no network"}'; echo trace >&2; exit 3`);
    expect(outcome).toMatchObject({
      status: "failed",
      exitCode: 3,
      result: { ok: false, error: "no network" },
      problem: "it exited with 3: no network",
    });
    expect(await new HookProject().only("echo why >&2; exit 137")).toMatchObject({
      status: "failed",
      exitCode: 137,
      problem: "it exited with 137: why",
    });
    expect(await new HookProject().only("kill -KILL $$")).toMatchObject({
      status: "failed",
      exitCode: null,
      problem: "it was killed by SIGKILL: it gave no reason",
    });
  });

  it("ok: false is a failure with any exit code, and so is everything that is not true", async () => {
    expect(await new HookProject().only(`echo '{"ok": false, "error": "too low"}'`)).toMatchObject({
      status: "failed",
      exitCode: 0,
      problem: "too low",
    });
    expect(await new HookProject().only(`echo '{"ok": "no"}'`)).toMatchObject({
      status: "failed",
      problem: 'it answered ok: "no"',
    });
    expect(await new HookProject().only(`echo '{"ok": false, "error": {"code": 7}}'`)).toMatchObject({
      problem: 'it answered error: {"code":7}',
    });
  });

  it("H3: stderr is only logged, in the run directory", async () => {
    const world = new HookProject();
    const outcome = await world.only(`echo '{"count": 9}' >&2; echo '{"count": 1}'`);
    expect(outcome.result).toEqual({ count: 1 });
    expect(outcome.stderrRef).toMatch(/^hooks\/try\/.*\.hook\.stderr\.log$/);
    expect(fs.readFileSync(path.join(world.runDir(), outcome.stderrRef as string), "utf8")).toBe('{"count": 9}\n');
    expect(fs.readdirSync(path.join(world.runDir(), "hooks", "try"))).toHaveLength(1);
    const quiet = await world.only(`echo noise; echo '{"count": 1}'`);
    expect(quiet.stderrRef).toBeUndefined();
    const logs = fs.readdirSync(path.join(world.runDir(), "hooks", "try"));
    expect(logs.map((name) => name.slice(-10)).toSorted()).toEqual(["stderr.log", "stdout.log"]);
  });

  it("hides values of secrets that the environment names, in logs and answers", async () => {
    const world = new HookProject();
    const env = { PATH: process.env["PATH"], API_TOKEN: "tok-123456789", MODE_KEY: "true" };
    const outcome = await world.only(
      `echo "using $API_TOKEN" >&2; echo "{\\"ok\\": true, \\"t\\": \\"$API_TOKEN\\"}"`,
      {
        env,
      },
    );
    expect(outcome).toMatchObject({ status: "ok", result: { ok: true } });
    expect(JSON.stringify(outcome)).not.toContain("tok-123456789");
    expect(fs.readFileSync(path.join(world.runDir(), outcome.stderrRef as string), "utf8")).not.toContain("tok-1234");
  });

  it("keeps the logs of the last fifty calls of a type, and nothing else is removed", async () => {
    const world = new HookProject();
    const dir = path.join(world.runDir(), "hooks", "try");
    fs.mkdirSync(dir, { recursive: true });
    fs.writeFileSync(path.join(dir, "notes.txt"), "mine");
    for (let n = 0; n < 80; n += 1) {
      const stamp = `20200101T0000${String(n).padStart(2, "0")}000Z-0123abcd`;
      for (const stream of ["stdout", "stderr"]) fs.writeFileSync(path.join(dir, `${stamp}.a.${stream}.log`), "");
    }
    await world.only("echo new >&2; echo '{}'");
    const left = fs.readdirSync(dir);
    expect(left).toHaveLength(1 + 49 * 2 + 1);
    expect(left).toContain("notes.txt");
    expect(left).toContain("20200101T000079000Z-0123abcd.a.stderr.log");
    expect(left).not.toContain("20200101T000030000Z-0123abcd.a.stderr.log");
  });
});

describe("a hook that misbehaves", () => {
  it("H3: sleeps past its time limit: it is ended with all that it has started", async () => {
    const world = new HookProject();
    const outcome = await world.only(`sleep 1000 & echo $! > child.pid; echo $$ > own.pid; echo '{"ok": true}'; wait`, {
      timeoutMs: 500,
    });
    expect(outcome).toMatchObject({
      status: "timed-out",
      problem: "it took longer than 500 ms and was stopped",
      result: { ok: true },
    });
    for (const file of ["child.pid", "own.pid"]) expect(isRunning(world.pidIn(file))).toBe(false);
  });

  it("H3: ignores SIGTERM: it is killed", async () => {
    const world = new HookProject();
    const outcome = await world.only("trap '' TERM; echo $$ > own.pid; while :; do sleep 0.05; done", {
      timeoutMs: 500,
    });
    expect(outcome).toMatchObject({ status: "timed-out", exitCode: null });
    expect(isRunning(world.pidIn("own.pid"))).toBe(false);
  });

  it.runIf(fs.existsSync("/proc/self/environ"))(
    "H3: leaves a daemon behind: the answer counts, the daemon is ended",
    async () => {
      const world = new HookProject();
      const outcome = await world.only(
        `(setsid bash -c 'echo $$ > daemon.pid; exec sleep 1000' < /dev/null &)
until [ -s daemon.pid ]; do sleep 0.01; done
echo '{"ok": true}'`,
      );
      expect(outcome).toMatchObject({ status: "ok", result: { ok: true } });
      expect(isRunning(world.pidIn("daemon.pid"))).toBe(false);
    },
  );

  it("H3: prints 100 MB: little is kept, and the answer at the end is found", async () => {
    const world = new HookProject();
    const flood = "head -c 100000000 /dev/zero | tr '\\0' '{'";
    const outcome = await world.only(`${flood}; ${flood} >&2; echo; echo '{"ok": true}'`);
    expect(outcome).toMatchObject({ status: "ok", result: { ok: true } });
    const dir = path.join(world.runDir(), "hooks", "try");
    for (const name of fs.readdirSync(dir)) expect(fs.statSync(path.join(dir, name)).size).toBeLessThan(1_100_000);
  });

  it("H3: answers more than is kept: no part of it is taken for the answer", async () => {
    const world = new HookProject();
    const outcome = await world.only(
      `echo '{"list": ['; for i in {1..5000}; do echo '{"ok": true, "action": "executed-tasks"},'; done; echo '{}]}'`,
      { outputLimitBytes: 20_000 },
    );
    expect(outcome.result).toBeUndefined();
    expect(outcome.problem).toMatch(/^the \d+ bytes it printed do not end with a JSON object$/);
  });

  it("closes all its streams, or replaces its log: nothing is lost but its words", async () => {
    expect(await new HookProject().only("exec <&- >&- 2>&-; exit 4")).toMatchObject({ status: "failed", exitCode: 4 });
    const world = new HookProject();
    const outcome = await world.only(
      `cd "$RUN_DIR/hooks/try"; for f in *.log; do rm "$f"; mkfifo "$f"; done; echo '{"ok": true}'`,
    );
    expect(outcome.status).toBe("ok");
  });
});

describe("a file that is hard to start", () => {
  it("H3: without a first line for the kernel is run by sh", async () => {
    const outcome = await new HookProject().only(Buffer.from('cat > /dev/null\necho "{\\"ok\\": true}"\n'));
    expect(outcome).toMatchObject({ status: "ok", result: { ok: true } });
    expect(await new HookProject().only(Buffer.from(""))).toMatchObject({ status: "ok", exitCode: 0 });
  });

  it("H3: of binary garbage is not started, and nobody runs it as a script", async () => {
    const world = new HookProject();
    const garbage = Buffer.concat([Buffer.from("\0\ntouch ran\n"), crypto.randomBytes(2000)]);
    expect(await world.only(garbage)).toMatchObject({
      status: "not-started",
      exitCode: null,
      problem: "it is neither a script nor a program for this machine",
    });
    expect(fs.existsSync(world.project.path("ran"))).toBe(false);
    const half = Buffer.concat([Buffer.from("\x7fELF\x02\x01\x01\0", "latin1"), crypto.randomBytes(300)]);
    expect((await world.only(half)).status).not.toBe("ok");
  });

  it("H3: with Windows line ends says how to convert it, and the command works", async () => {
    const world = new HookProject();
    const script = Buffer.from('#!/bin/bash\r\necho "{\\"ok\\": true}"\r\n');
    const { status, problem } = await world.only(script);
    expect(status).toBe("not-started");
    const fix = /convert it: (.*)$/.exec(problem ?? "")?.[1] ?? "false";
    world.hook("fix/it", fix);
    await world.dispatch("fix");
    expect((await world.dispatch("try")).hooks).toMatchObject([{ status: "ok", result: { ok: true } }]);
  });

  it("names the interpreter as the thing that is missing", async () => {
    const outcome = await new HookProject().only(Buffer.from("#!/no/such/interpreter\n"));
    expect(outcome.status).toBe("not-started");
    expect(outcome.problem).toMatch(/the interpreter named in its first line does not exist/);
  });

  it("in a project that is gone is an outcome too", async () => {
    const world = new HookProject();
    world.hook("try/hook", "echo '{}'", { tier: "user" });
    const { hooks } = await world.dispatch("try", {}, { projectRoot: path.join(world.project.root, "gone") });
    expect(hooks).toMatchObject([{ tier: "user", status: "not-started" }]);
    expect(hooks[0]?.problem).toMatch(/^The working directory .* does not exist\.$/);
  });
});
