/** Simple commands in a command line for the shell, as far as they can be seen without running it. */

/** One command with its arguments; where it writes to is left out. */
export interface SimpleCommand {
  /** Folder that it runs in, relative to where the line begins. */
  dir: string;
  words: string[];
}

/** White space, a control operator, or a redirection with the number before it. */
const TOKEN =
  /\s+|\d*(?:>>|>\||>&|<&|&>|<>|>|<<-?|<)|\|\||&&|[;&|()\n]|((?:[^\s;&|()<>"'\\]|\\[\s\S]|"(?:[^"\\]|\\[\s\S])*"|'[^']*')+)|[\s\S]/gu;
const ENDS_COMMAND = /^(?:\|\||&&|[;&|()])$/u;
const PREFIXES = new Set("! env exec time nice nohup command if then else while do {".split(" "));
const DEEPEST = 4;
/** No system starts a shell with a longer one. */
const LONGEST_LINE = 128 * 1024;

export function simpleCommands(line: string, depth = 0): SimpleCommand[] {
  const found: SimpleCommand[] = [];
  let dir = "";
  for (const words of wordLists(line.slice(0, LONGEST_LINE))) {
    const [program, first] = words;
    if (program === "cd" && first !== undefined) dir = first.startsWith("/") ? first : joinDir(dir, first);
    else found.push({ dir, words });
    // A word that holds a command line, as in `sh -c "…"`.
    const inner = depth < DEEPEST ? words.slice(1).filter((word) => /\s/u.test(word)) : [];
    for (const word of inner)
      for (const command of simpleCommands(word, depth + 1)) found.push({ ...command, dir: joinDir(dir, command.dir) });
  }
  return found;
}

function wordLists(line: string): string[][] {
  const lists: string[][] = [[]];
  let redirects = false;
  for (const [token, word] of line.matchAll(TOKEN)) {
    const current = lists.at(-1) as string[];
    if (word !== undefined) {
      const text = unquoted(word);
      if (!redirects && text !== "") current.push(text);
      redirects = false;
    } else if (/>|<<|<&/u.test(token)) redirects = true;
    else if (ENDS_COMMAND.test(token) || token.includes("\n")) lists.push([]);
  }
  return lists.map(withoutPrefix).filter((words) => words.length > 0);
}

/** Assignments and programs that only run another one. */
function withoutPrefix(words: string[]): string[] {
  const start = words.findIndex((word) => !/^[A-Za-z_]\w*=/u.test(word) && !PREFIXES.has(word));
  return start < 0 ? [] : words.slice(start);
}

function unquoted(word: string): string {
  return word.replaceAll(/\\([\s\S])|"((?:[^"\\]|\\[\s\S])*)"|'([^']*)'/gu, (_all, escaped, double, single) => {
    if (escaped !== undefined) return escaped === "\n" ? "" : (escaped as string);
    return single !== undefined ? (single as string) : (double as string).replaceAll(/\\(["\\$`])/gu, "$1");
  });
}

function joinDir(dir: string, below: string): string {
  if (below.startsWith("/")) return below;
  return [dir, below].filter((part) => part !== "").join("/");
}
