import type { JsonObject } from "../model/json.js";
import { describeUnknownWords, type UnknownWords, unknownWords, wordMistakes } from "../model/task-words.js";
import type { InterpreterOptions } from "./interpreter-options.js";
import { mistakeError } from "./mistake-error.js";

/** Checks the kinds and fields of new tasks: mistakes are refused, unknown words are named once. */
export class WordCheck {
  readonly #options: Pick<InterpreterOptions, "semantics" | "taskKinds" | "recorded">;
  readonly #named = new Set<string>();
  #unknown: ({ taskId: string } & UnknownWords)[] = [];

  constructor(options: Pick<InterpreterOptions, "semantics" | "taskKinds" | "recorded">) {
    this.#options = options;
    for (const { kind } of Object.values(options.recorded.requests)) this.#named.add(`kind ${kind}`);
  }

  check(definition: JsonObject, { taskId, location }: { taskId: string; location?: string }): void {
    // Settings are looked at only for what is not built in.
    const first = { ...unknownWords(definition), mistakes: wordMistakes(definition) };
    if (first.mistakes.length === 0 && first.kind === undefined && first.fields.length === 0) return;
    const kinds = this.#options.taskKinds();
    const mistakes = wordMistakes(definition, kinds);
    if (mistakes.length > 0 && this.#options.semantics >= 2) {
      const problems = mistakes.map(({ problem }) => problem).join(" It ");
      const place = location === undefined ? "" : ` (${location})`;
      throw mistakeError("TASK_INVALID", `Task "${taskId}"${place} ${problems}`, {
        location,
        hint: mistakes.find(({ hint }) => hint !== undefined)?.hint,
        details: { taskId, mistakes: mistakes.map(({ path }) => path) },
      });
    }
    const { kind, fields } = unknownWords(definition, kinds);
    const isNew = kind !== undefined && this.#isNew(`kind ${kind}`);
    const newFields = fields.filter((field) => this.#isNew(`field ${field}`));
    if (isNew || newFields.length > 0)
      this.#unknown.push({ taskId, kind: isNew ? kind : undefined, fields: newFields });
  }

  /** One warning about all unknown words since the last one. */
  takeWarnings(): string[] {
    const unknown = this.#unknown;
    this.#unknown = [];
    return unknown.length === 0 ? [] : [describeUnknownWords(unknown)];
  }

  #isNew(word: string): boolean {
    return !this.#named.has(word) && this.#named.add(word) !== undefined;
  }
}
