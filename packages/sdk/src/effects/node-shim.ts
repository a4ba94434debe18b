/**
 * What is loaded before a node task's own file. The file runs as the main program it is; when it is loaded
 * and exports a function, that function is called with the task's inputs and its return value is kept for the
 * executor. Handles that the file has opened (a pool of connections, a timer) do not delay the call.
 *
 * A file that asks whether it is the main program (`require.main`, `module.parent`, `import.meta.main`,
 * `process.argv[1]`) has run itself already: its exports are not called. Nor are classes.
 *
 * A task is over when its function has settled. What it has left running (a timer, a connection) gets a short
 * time to come to its end and does not keep the task from ending. Only a function that returns nothing, not
 * even a promise, may just have begun something: then the task is over when Node has nothing left to do.
 *
 * What the task dies of, an uncaught exception too, is kept with its name, message, code and data.
 */
const SOURCE = String.raw`
import fs from "node:fs";
import { pathToFileURL } from "node:url";
import { inspect } from "node:util";
import { isMainThread } from "node:worker_threads";

const TIME_TO_END_MS = 2000;
const ASKS_FOR_MAIN =
  /\b(?:require\.main|module\.parent|process\.mainModule|import\.meta\.main|process\.argv\s*\[\s*1\s*\])(?!\w)/;

const { BABYSITTER_RETURN_JSON: returnFile, BABYSITTER_INPUT_JSON: inputFile } = process.env;
if (isMainThread && returnFile !== undefined) {
  // Children of the task must not take themselves for it.
  delete process.env.BABYSITTER_RETURN_JSON;
  const at = process.execArgv.indexOf("--import");
  if (at !== -1) process.execArgv.splice(at, 2);
  process.on("uncaughtExceptionMonitor", keepError);
  // Now, because the file may change its arguments.
  const file = fs.realpathSync(process.argv[1]);
  if (!ASKS_FOR_MAIN.test(fs.readFileSync(file, "utf8"))) {
    // By then Node has begun to load the file, as the main program; to import it is to wait for that.
    setImmediate(async () => {
      const module = await import(pathToFileURL(file).href).catch(() => undefined);
      const task = module === undefined || process.exitCode ? undefined : functionOf(module);
      if (task !== undefined) await call(task);
    });
  }
}

async function call(task) {
  let isSettled = false;
  let isOutOfWork = false;
  process.on("beforeExit", () => (isOutOfWork = true));
  process.once("exit", () => {
    if (isSettled || !isOutOfWork) return;
    process.stderr.write("The function that the task exports never settled: it waits for something that will never happen.\n");
    process.exitCode = 1;
  });
  try {
    const { BABYSITTER_RUN_ID: runId, BABYSITTER_EFFECT_ID: effectId, BABYSITTER_ATTEMPT: attempt } = process.env;
    const inputs = JSON.parse(fs.readFileSync(inputFile, "utf8"));
    const begun = task(inputs, { runId, effectId, attempt: Number(attempt) });
    const value = await begun;
    isSettled = true;
    if (begun === undefined) return;
    if (value !== undefined) fs.writeFileSync(returnFile, textOf(value), { mode: 0o600 });
  } catch (error) {
    isSettled = true;
    process.exitCode ||= 1;
    // Our own frames would show the reader this whole file as an address.
    process.stderr.write(inspect(error).replace(/\n\s+at [^\n]*data:text\/javascript[^\n]*/gu, "") + "\n");
    keepError(error);
  }
  setTimeout(() => {
    process.stderr.write("The task had settled; the work it left running was stopped.\n");
    process.exit();
  }, TIME_TO_END_MS).unref();
}

function functionOf(module) {
  const places = [[module, "default"], [module.default, "default"], [module, "run"], [module.default, "run"]];
  for (const [owner, name] of places) {
    const found = owner?.[name];
    if (typeof found === "function" && !/^class\b/.test(Function.prototype.toString.call(found))) return found.bind(owner);
  }
  return undefined;
}

function textOf(value) {
  const lost = [];
  try {
    const text = JSON.stringify({ value }, function (key, part) {
      const raw = this[key];
      if (raw instanceof Error) return { name: raw.name, message: raw.message, cause: causesOf(raw.cause, 5), ...raw };
      const isLost = typeof raw === "function" || typeof raw === "symbol" || raw instanceof Map || raw instanceof Set || (typeof raw === "number" && !Number.isFinite(raw));
      if (isLost) lost.push((Array.isArray(this) ? "[" + key + "]" : key) + " is " + inspect(raw, { depth: 0, breakLength: Infinity }).slice(0, 80));
      return part;
    });
    if (lost.length > 0) process.stderr.write("The task's return value has parts that JSON cannot hold: " + lost.slice(0, 5).join(", ") + ".\n");
    return text;
  } catch (error) {
    throw new TypeError("The task's return value cannot be recorded as JSON: " + error.message, { cause: error });
  }
}

function causesOf(cause, left) {
  if (typeof cause === "string") return { name: "Error", message: cause };
  if (typeof cause !== "object" || cause === null || left === 0) return undefined;
  const errors = Array.isArray(cause.errors) ? cause.errors.slice(0, left).map((error) => ({ name: "Error", message: String(error?.message ?? error) })) : undefined;
  const code = typeof cause.code === "string" ? cause.code : undefined;
  return { name: String(cause.name ?? "Error"), message: String(cause.message ?? ""), code, errors, cause: causesOf(cause.cause, left - 1) };
}

function keepError(thrown) {
  const isLikeAnError = typeof thrown === "object" && thrown !== null && typeof thrown.message === "string";
  const { name, message, code, data, cause } = isLikeAnError ? thrown : { message: typeof thrown === "string" ? thrown : inspect(thrown) };
  const causes = causesOf(cause, 5);
  let text;
  try {
    text = JSON.stringify({ error: { name, message, code, data, cause: causes } });
  } catch {
    text = JSON.stringify({ error: { name: String(name), message, code: String(code), cause: causes } });
  }
  try {
    fs.writeFileSync(returnFile, text, { mode: 0o600 });
  } catch {
    // The task has removed the folder; it says on stderr what it died of.
  }
}
`;

/** As an address, so that nothing has to be installed beside the task. */
export const NODE_SHIM = `data:text/javascript;base64,${Buffer.from(SOURCE).toString("base64")}`;
