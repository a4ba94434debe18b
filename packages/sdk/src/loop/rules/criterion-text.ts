/** Criteria as people write them, and as they are shown. */
import { shownLine } from "../../model/shown-text.js";

/** A command with a short name. */
export interface NamedCommand {
  id: string;
  command: string;
}

/** Something that cannot be used, and what to do about it. */
export interface Problem {
  problem: string;
  hint: string;
}

const ID = /^[A-Za-z0-9][A-Za-z0-9._ -]{0,63}$/;
const ID_LIMIT = 40;

/** Reads `name: command`. */
export function criterionFrom(text: string): NamedCommand | Problem {
  // A blank behind the colon tells `tests: npm test` from `npm run test:unit` and `http://…`.
  const colon = text.indexOf(":");
  const id = text
    .slice(0, Math.max(colon, 0))
    .trim()
    .replaceAll(/[ \t]+/g, " ");
  const command = /^\s/.test(text.slice(colon + 1, colon + 2)) ? text.slice(colon + 1).trim() : "";
  const shown = shownLine(text, 60);
  if (id === "" || command === "") {
    return {
      problem: `"${shown}" has no name.`,
      hint: `Write 'name: command', such as 'tests: npm test'. If no command can check it, use --claim '${shown}'.`,
    };
  }
  if (!ID.test(id)) {
    return {
      problem: `"${shownLine(id, 60)}" is not a valid criterion name.`,
      hint: `Use up to 64 letters, digits, spaces, dots, dashes and underscores, starting with a letter or digit, such as '${idFrom(id)}: …'.`,
    };
  }
  if (command.includes("\0"))
    return {
      problem: `The command of "${id}" contains a NUL character.`,
      hint: "Remove it; a program cannot be started with one.",
    };
  return { id, command };
}

/** Gives out ids made of the words of a text, each only once. */
export function idGiver(taken: Iterable<string> = []): (text: string) => string {
  const used = new Set(taken);
  // Where to go on counting: a thousand equal texts must not take a million attempts.
  const counts = new Map<string, number>();
  return (text) => {
    const base = idFrom(text);
    let count = counts.get(base) ?? 1;
    let id = count === 1 ? base : `${base}-${count}`;
    for (; used.has(id); id = `${base}-${count}`) count += 1;
    counts.set(base, count);
    used.add(id);
    return id;
  };
}

function idFrom(text: string): string {
  const words = text
    .slice(0, 200)
    .toLowerCase()
    .replaceAll(/[^a-z0-9._]+/g, "-")
    .slice(0, ID_LIMIT)
    .replaceAll(/^[-._]+|[-._]+$/g, "");
  return words === "" ? "item" : words;
}
