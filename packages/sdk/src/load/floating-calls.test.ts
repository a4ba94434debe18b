import { describe, expect, test } from "vitest";
import { scanFloatingCalls } from "./floating-calls.js";

const found = (text: string): string[] =>
  scanFloatingCalls(text).map(({ code, call, line, body }) => `${code} ${call} ${line} ${body.join("-")}`);

const DEPLOY = "async function deploy(ctx) {\n  await ctx.task(a);\n}\n";

describe("C24: calls that nobody waits for", () => {
  test("are forEach with an async function, and the lines of that function", () => {
    expect(found("items.forEach(async (item) => {\n  await ctx.task(item);\n});")).toEqual([
      "ASYNC_FOR_EACH forEach(async …) 1 1-3",
    ]);
    expect(found("[1, 2]\n  ?.forEach(async function each(n) { await ctx.task(n) })")).toHaveLength(1);
  });

  test("are statements that call an async function of the same file", () => {
    expect(found(`${DEPLOY}export async function process(i, ctx) {\n  deploy(ctx);\n}`)).toEqual([
      "FLOATING_CALL deploy 5 1-3",
    ]);
    expect(found(`const deploy = async (ctx) => {\n  await 1;\n};\nif (x) deploy(ctx);`)).toEqual([
      "FLOATING_CALL deploy 4 1-3",
    ]);
    expect(found(`${DEPLOY}const a = 1\ndeploy(ctx)\nconst b = 2`)).toEqual(["FLOATING_CALL deploy 5 1-3"]);
    expect(found(`${DEPLOY}if (x) {} else deploy(ctx);`)).toHaveLength(1);
  });

  test("are statements that call ctx", () => {
    expect(found("async () => {\n  ctx.task(build);\n  ctx.parallel.map(items, (item) => item);\n}")).toEqual([
      "FLOATING_CALL ctx.task 2 2-2",
      "FLOATING_CALL ctx.parallel.map 3 3-3",
    ]);
  });
});

test.each([
  ["an awaited call", `${DEPLOY}await deploy(ctx); await ctx.task(a);`],
  ["a call behind a line break", `${DEPLOY}const x =\n  deploy(ctx);\nreturn (\n  deploy(ctx)\n);`],
  [
    "a returned, assigned, passed or chained one",
    `${DEPLOY}const p = deploy(ctx); all([deploy(ctx)]);\nreturn deploy(ctx);`,
  ],
  ["one with then or catch", `${DEPLOY}deploy(ctx).catch(log);\nctx.task(a)\n  .then(b);`],
  ["void", `${DEPLOY}void deploy(ctx);`],
  ["the body of an arrow function", `${DEPLOY}items.map((item) => deploy(item));`],
  ["a definition", `${DEPLOY}class A { deploy(ctx) { return 1; } }\nconst o = { deploy(ctx)\n{} };`],
  ["a name with another meaning", `${DEPLOY}{ const deploy = () => 1; deploy(ctx); }`],
  ["a function that is not async", "function deploy() {}\nasync function other() {}\ndeploy();"],
  [
    "comments and strings",
    "// items.forEach(async (x) => 1)\nconst a = 'ctx.task(a);', b = `\nctx.task(x);\n`; async () => 1;",
  ],
  ["forEach with a plain function", "items.forEach((item) => { list.push(ctx.task(item)); });"],
  ["map", "await Promise.all(items.map(async (item) => { await ctx.task(item); }));"],
  ["what needs no waiting", "async () => { ctx.log('x'); ctx.patched('y'); gulp.task('z'); this.ctx.task(a); }"],
])("C24: %s is left alone", (_, text) => {
  expect(found(text)).toEqual([]);
});
