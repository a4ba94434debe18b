/** A small glob: `*` and `?` within a name, `**` across folders, `{a,b}`. Everything else stands for itself. */

/** More alternatives than this are a mistake. */
const MAX_ALTERNATIVES = 256;

/** Matches paths relative to the root, with `/` between names. Hidden files are files like others. */
export function globMatcher(glob: string): (name: string) => boolean {
  const patterns = alternatives(tidied(glob)).map(
    (plain) => new RegExp(`^${plain.split("/").reduce(joined, "")}$`, "su"),
  );
  return (name) => patterns.some((pattern) => pattern.test(name));
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

function joined(before: string, part: string, at: number, parts: string[]): string {
  const isLast = at === parts.length - 1;
  if (part === "**") return `${before}${isLast ? ".*" : "(?:.*/)?"}`;
  const text = part
    // Stars in a row mean the same as one, and cost more.
    .replaceAll(/\*+/gu, "*")
    .replaceAll(/[\\^$.|+()[\]{}]/gu, String.raw`\$&`)
    .replaceAll("*", "[^/]*")
    .replaceAll("?", "[^/]");
  return `${before}${text}${isLast ? "" : "/"}`;
}

/** The innermost braces first; without a comma they stand for themselves. */
function alternatives(glob: string): string[] {
  let found = [glob];
  for (;;) {
    const next = found.flatMap((text) => {
      const group = /\{([^{}]*,[^{}]*)\}/u.exec(text);
      if (group === null) return [text];
      const [before, after] = [text.slice(0, group.index), text.slice(group.index + group[0].length)];
      return (group[1] as string).split(",").map((choice) => `${before}${choice}${after}`);
    });
    if (next.length > MAX_ALTERNATIVES) throw new RangeError(`The glob ${glob} has too many alternatives.`);
    if (next.length === found.length && next.every((text, at) => text === found[at])) return found;
    found = next;
  }
}
