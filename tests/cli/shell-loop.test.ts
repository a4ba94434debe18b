import { describe, expect, it } from "vitest";
import { CLI, execute } from "../fixtures/command-line.js";
import { Project } from "../fixtures/project.js";

/** The documented loop, with node in the place of jq, and a hand that posts what a hook would execute. */
const LOOP = `
ITERATION=0
while true; do
  ((ITERATION++))
  RESULT=$("$NODE" "$CLI" run:iterate "$RUN_ID" --json --iteration $ITERATION)
  STATUS=$(printf '%s' "$RESULT" | "$NODE" -p 'JSON.parse(require("fs").readFileSync(0)).status')
  echo "$ITERATION $STATUS"
  if [ "$STATUS" = "completed" ] || [ "$STATUS" = "failed" ]; then
    echo "Run $STATUS"
    break
  elif [ "$STATUS" = "waiting" ]; then
    if [ -z "$HAND" ]; then echo "Run waiting (breakpoint or sleep)"; break; fi
    for EFFECT in $("$NODE" "$CLI" task:list "$RUN_ID" --pending --json | "$NODE" -p 'JSON.parse(require("fs").readFileSync(0)).tasks.map((t) => t.effectId).join(" ")'); do
      echo '{"approved":true,"by":"hand"}' | "$NODE" "$CLI" task:post "$RUN_ID" "$EFFECT" --status ok --value - --json > /dev/null || exit 9
    done
  fi
  if [ $ITERATION -gt 20 ]; then echo "never ends"; exit 1; fi
done
`;

const PROCESS = `export async function build(inputs, ctx) {
  await ctx.sleepUntil("2020-01-01T00:00:00Z");
  const [compiled, linted] = await ctx.parallel.all([
    () => ctx.task({ kind: "node", node: { entry: "./build.js" } }, { target: "app" }),
    () => ctx.task({ kind: "node", node: { entry: "./lint.js" } }),
  ]);
  const answer = await ctx.breakpoint({ question: "Approve?", context: { files: [{ path: "artifacts/plan.md", format: "markdown" }] } });
  if (!answer.approved) throw new Error("rejected");
  return { compiled, linted };
}
`;

describe("the documented shell loop", () => {
  it("C13 C17: drives a run to its end when someone posts the results", async () => {
    const project = new Project({ "p.mjs": PROCESS });
    await project.create("p.mjs#build", "r");
    const loop = async (env: Record<string, string>): Promise<string[]> => {
      const where = {
        cwd: project.dir,
        home: project.home,
        env: { NODE: process.execPath, CLI, RUN_ID: "r", BABYSITTER_HOOKS_ENABLED: "false", ...env },
      };
      const done = await execute("bash", ["-c", LOOP], where);
      expect([done.code, done.stderr]).toEqual([0, ""]);
      return done.stdout.trim().split("\n");
    };
    expect(await loop({ HAND: "" })).toEqual(["1 executed", "2 waiting", "Run waiting (breakpoint or sleep)"]);
    expect(await loop({ HAND: "yes" })).toEqual(["1 waiting", "2 waiting", "3 completed", "Run completed"]);
    expect(await loop({ HAND: "yes" })).toEqual(["1 completed", "Run completed"]);
    const hand = { approved: true, by: "hand" };
    expect(await project.ask(["run:iterate", "r"])).toMatchObject({ output: { compiled: hand, linted: hand } });
  });

  it("C13: ends by itself when there is no such run", async () => {
    const project = new Project();
    const env = { NODE: process.execPath, CLI, RUN_ID: "nowhere", HAND: "" };
    const done = await execute("bash", ["-c", LOOP], { cwd: project.dir, home: project.home, env });
    expect(done.stdout).toBe("1 failed\nRun failed\n");
  });
});
