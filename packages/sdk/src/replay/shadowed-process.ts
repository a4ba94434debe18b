/**
 * A function called `process` hides Node's own `process` in its file: `process.env` is undefined there. Reading such a
 * field is noticed, so that the error which follows can say what happened.
 */
import type { ProcessFunction } from "../model/ports.js";
import { callerLocation } from "./call.js";

const lastReads = new WeakMap<object, { field: string; location: string | undefined }>();

/** Prepares a process for {@link explainShadowed}; what it reads stays as it is. */
export function watchShadowed(run: ProcessFunction, projectRoot: string): void {
  if (run.name !== "process" || !Object.isExtensible(run)) return;
  for (const field of Object.keys(process)) {
    if (field in run) continue;
    Object.defineProperty(run, field, {
      configurable: true,
      get: function read(): undefined {
        lastReads.set(run, { field, location: callerLocation(read, projectRoot) });
        return undefined;
      },
      // Whoever gives the function a field of this name means that one.
      set: (value: unknown) => {
        Object.defineProperty(run, field, { value, configurable: true, writable: true });
      },
    });
  }
}

/** What a process has thrown, with the reason if it was looking for Node's `process`. */
export function explainShadowed(run: ProcessFunction, thrown: unknown): unknown {
  const read = lastReads.get(run);
  if (read === undefined || !(thrown instanceof TypeError)) return thrown;
  const isOfRead = thrown.message === `process.${read.field} is not a function` || isThere(thrown, read.location);
  if (!isOfRead) return thrown;
  const place = read.location === undefined ? "" : ` (${read.location})`;
  const explained = new TypeError(
    `${thrown.message}. In this file \`process\` is the process function itself, and so \`process.${read.field}\`${place} is not Node's. Call the function something else, such as \`export default async function release(inputs, ctx)\`, or write \`globalThis.process.${read.field}\`.`,
    { cause: thrown },
  );
  explained.stack = thrown.stack?.replace(thrown.message, explained.message) ?? explained.message;
  return explained;
}

/** Thrown in the line that has read it, because undefined has no properties. */
function isThere({ message, stack = "" }: TypeError, location: string | undefined): boolean {
  if (!/^Cannot (?:read|destructure) propert/.test(message) || location === undefined) return false;
  const line = location.replace(/:\d+$/, "");
  const [top = ""] = stack.split("\n").filter((text) => text.startsWith("    at "));
  return top.includes(`${line}:`);
}
