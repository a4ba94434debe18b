import { describeLosses } from "../model/json-losses.js";

/** Warnings about values that the journal cannot hold as they are, each once. */
export class ValueNotes {
  readonly #said = new Set<string>();
  #warnings: string[] = [];

  /** `what` begins the sentence: `The arguments of "build"`. */
  note(what: string, value: unknown, location?: string): void {
    const losses = describeLosses(value);
    if (losses === undefined) return;
    const place = location === undefined ? "" : ` (${location})`;
    const text = `${what}${place} cannot be recorded as JSON as they are: ${losses}. Use plain data: objects, lists, strings, numbers, booleans, null.`;
    if (this.#said.has(text)) return;
    this.#said.add(text);
    this.#warnings.push(text);
  }

  take(): string[] {
    const warnings = this.#warnings;
    this.#warnings = [];
    return warnings;
  }
}
