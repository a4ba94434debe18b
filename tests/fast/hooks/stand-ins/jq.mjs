/** A stand-in for jq on machines without it: as much of its language as the documented scripts use. */
import { readFileSync } from "node:fs";

const given = readArguments(process.argv.slice(2));
const input = JSON.parse(readFileSync(0, "utf8"));
const result = evaluate(given.filter.trim(), input);
process.stdout.write(`${given.raw && typeof result === "string" ? result : JSON.stringify(result)}\n`);

function readArguments(args) {
  const values = {};
  let filter;
  let raw = false;
  for (let at = 0; at < args.length; at += 1) {
    if (args[at] === "--arg") {
      values[args[at + 1]] = args[at + 2];
      at += 2;
    } else if (["--raw-output", "-r"].includes(args[at])) raw = true;
    else if (!["--compact-output", "-c"].includes(args[at])) filter = args[at];
  }
  return { filter, raw, values };
}

/** `{a, b: …}`, `.field`, `$name`, `(.field // number)`, `"text \(.field)"`. */
function evaluate(expression, data) {
  const [, fields] = /^\{(.*)\}$/su.exec(expression) ?? [];
  if (fields !== undefined) return Object.fromEntries(fields.split(/,\s*/u).map((field) => entry(field.trim(), data)));
  if (expression.startsWith("$")) return given.values[expression.slice(1)];
  const [, text] = /^"(.*)"$/su.exec(expression) ?? [];
  if (text !== undefined) return text.replaceAll(/\\\(([^)]*)\)/gu, (_, inner) => evaluate(inner, data));
  const [, field, fallback] = /^\(?\.(\w+)(?: \/\/ (\d+))?\)?$/u.exec(expression) ?? [];
  if (field === undefined) throw new Error(`the stand-in for jq does not know ${expression}`);
  return data[field] ?? (fallback === undefined ? null : Number(fallback));
}

function entry(field, data) {
  const [, name, value] = /^(\w+)(?::\s*(.*))?$/su.exec(field) ?? [];
  return [name, evaluate(value ?? `.${name}`, data)];
}
