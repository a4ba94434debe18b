/** Reads the fields of a task definition, which anyone may have written. */
import path from "node:path";
import { BabysitterError } from "../model/errors.js";
import { isJsonObject, type Json, type JsonObject } from "../model/json.js";
import type { Work, WorkPlace } from "./executor.js";

/** The part of a definition that belongs to its kind: `node` of a node task, and so on. */
export function sectionOf(work: Work, name: string): JsonObject {
  const section = work.definition[name];
  if (section === undefined) return {};
  if (!isJsonObject(section)) throw invalidTask(work, `\`${name}\` must be an object`);
  return section;
}

export function textField(work: Work, section: JsonObject, name: string): string | undefined {
  const value = section[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== "string" || value.includes("\0")) throw invalidTask(work, `\`${name}\` must be a string`);
  return value;
}

export function flagField(work: Work, section: JsonObject, name: string): boolean {
  const value = section[name] ?? false;
  if (typeof value !== "boolean") throw invalidTask(work, `\`${name}\` must be true or false`);
  return value;
}

export function textList(work: Work, section: JsonObject, name: string): string[] | undefined {
  const value = section[name];
  if (value === undefined || value === null) return undefined;
  if (!Array.isArray(value)) throw invalidTask(work, `\`${name}\` must be a list of strings`);
  return value.map((item) => asArgument(work, item, name));
}

function asArgument(work: Work, item: Json, name: string): string {
  if (typeof item === "string" && !item.includes("\0")) return item;
  if (typeof item === "number" || typeof item === "boolean") return String(item);
  throw invalidTask(work, `\`${name}\` must contain only strings`);
}

/** Environment variables of a section; numbers and booleans are written out, null is as good as absent. */
export function environmentField(work: Work, section: JsonObject): Record<string, string> {
  const value = section["env"];
  if (value === undefined || value === null) return {};
  if (!isJsonObject(value)) throw invalidTask(work, "`env` must be an object of strings");
  const entries = Object.entries(value).filter(([, field]) => field !== null);
  const odd = entries.find(([name]) => !/^[^=\0]+$/u.test(name));
  if (odd !== undefined)
    throw invalidTask(work, `\`env\` has ${JSON.stringify(odd[0])}, which is not a valid variable name`);
  return Object.fromEntries(entries.map(([name, field]) => [name, asArgument(work, field, `env.${name}`)]));
}

/** `timeout` or `timeoutMs` in milliseconds; 0 is no limit. */
export function timeoutField(work: Work, sections: readonly JsonObject[], usual: number): number | undefined {
  for (const section of sections) {
    for (const name of ["timeoutMs", "timeout"]) {
      const value = section[name];
      if (value === undefined || value === null) continue;
      if (typeof value !== "number" || !Number.isFinite(value) || value < 0)
        throw invalidTask(work, `\`${name}\` must be a number of milliseconds, or 0 for no limit`);
      return value === 0 ? undefined : value;
    }
  }
  return usual === 0 ? undefined : usual;
}

/** The working directory: relative to the project. */
export function cwdField(work: Work, section: JsonObject, place: WorkPlace): string {
  return path.resolve(place.projectRoot, textField(work, section, "cwd") ?? ".");
}

export function invalidTask(work: Pick<Work, "taskId">, problem: string): BabysitterError {
  return new BabysitterError("TASK_INVALID", `Task "${work.taskId}" cannot be executed: ${problem}.`);
}
