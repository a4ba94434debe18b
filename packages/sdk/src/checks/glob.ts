/** A small glob: `*` and `?` within a name, `**` across folders, `{a,b}`. Everything else stands for itself. */

/** More alternatives than this are a mistake. */
const MAX_ALTERNATIVES = 256;

/** Matches paths relative to the root, with `/` between names. Hidden files are files like others. */
export function globMatcher(glob: string): (name: string) => boolean {
  const patterns = alternatives(tidied(glob)).map(namesOf);
  return (path) => {
    const names = path.split("/");
    return patterns.some((pattern) => isMatch(pattern, names));
  };
}

const STAR = Symbol("any number of parts");
type Pattern = readonly (typeof STAR | ((part: string) => boolean))[];

function namesOf(plain: string): Pattern {
  const names = plain.split("/").map((name) => (name === "**" ? STAR : nameMatcher(name)));
  // At the end it stands for something in the folder, not for the folder itself.
  return names.at(-1) === STAR ? [...names, () => true] : names;
}

function nameMatcher(text: string): (name: string) => boolean {
  if (!/[*?]/u.test(text)) return (name) => name === text;
  const pattern = Array.from(text, (one) => {
    if (one === "*") return STAR;
    return one === "?" ? () => true : (found: string) => found === one;
  });
  return (name) => isMatch(pattern, Array.from(name));
}

/**
 * Where a part does not fit, only the last star takes one more, since what is before it fits as early as it can. So
 * this takes the product of both lengths at most, while a regular expression takes a power for every star.
 */
function isMatch(pattern: Pattern, parts: readonly string[]): boolean {
  let [at, next] = [0, 0];
  let last: { next: number; at: number } | undefined;
  while (at < parts.length) {
    const one = pattern[next];
    if (one === STAR) {
      next += 1;
      last = { next, at };
    } else if (one?.(parts[at] as string) === true) {
      at += 1;
      next += 1;
    } else {
      if (last === undefined) return false;
      last.at += 1;
      ({ at, next } = last);
    }
  }
  while (pattern[next] === STAR) next += 1;
  return next === pattern.length;
}

/** The folder in which all matches are; empty for the root. */
export function fixedPart(glob: string): string {
  const parts = tidied(glob).split("/");
  const wild = parts.findIndex((part) => /[*?{]/u.test(part));
  return parts.slice(0, wild < 0 ? parts.length - 1 : wild).join("/");
}

/** `./src//x` is `src/x`; a folder stands for everything in it. */
function tidied(glob: string): string {
  const parts = glob.split("/").filter((part) => part !== "" && part !== ".");
  return glob.endsWith("/") ? [...parts, "**"].join("/") : parts.join("/");
}

/** The innermost braces first; without a comma they stand for themselves. */
function alternatives(glob: string): string[] {
  let found = [glob];
  for (;;) {
    const next = found.flatMap((text) => {
      const group = [...text.matchAll(/\{([^{}]*)\}/gu)].find(([, inside]) => inside?.includes(","));
      if (group === undefined) return [text];
      const [before, after] = [text.slice(0, group.index), text.slice(group.index + group[0].length)];
      return (group[1] as string).split(",").map((choice) => `${before}${choice}${after}`);
    });
    if (next.length > MAX_ALTERNATIVES) throw new RangeError(`The glob ${glob} has too many alternatives.`);
    if (next.length === found.length && next.every((text, at) => text === found[at])) return found;
    found = next;
  }
}
