import { parseSync, Visitor } from "oxc-parser";

const READ = /^(?:let|const|var) (\w+) = (require\("node:[^"]+"\));$/u;
// In a chunk the helper may come from another one.
const WRAP = /^(\w+) = ((?:\w+\.)?__toESM)\(\1(, 1)?\);$/u;

/**
 * The bundler reads all built-ins at the start, also those that only a lazy command needs. Each is
 * turned into a call that reads it at first use, wherever the code only ever asks for its members.
 */
export function lazyBuiltins(code) {
  if (!code.includes('= require("node:')) return code;
  const { program } = parseSync("bundle.cjs", code, { sourceType: "commonjs" });
  const builtins = findReads(code, program);
  new Visitor({
    Identifier: ({ name }) => builtins.has(name) && builtins.get(name).mentions++,
    MemberExpression: ({ object }) => object.type === "Identifier" && builtins.get(object.name)?.members.push(object),
  }).visit(program);

  const edits = [];
  for (const [name, { start, end, value, ownMentions, mentions, members }] of builtins) {
    if (mentions !== ownMentions + members.length) continue;
    edits.push([start, end, `let ${name}$cache;\nconst ${name} = () => (${name}$cache ??= ${value});`]);
    // In parentheses, because `new name().Member()` would construct the wrong thing.
    edits.push(...members.map((member) => [member.start, member.end, `(${name}())`]));
  }
  const parts = [];
  let at = 0;
  for (const [start, end, replacement] of edits.toSorted((a, b) => a[0] - b[0])) {
    parts.push(code.slice(at, start), replacement);
    at = end;
  }
  return [...parts, code.slice(at)].join("");
}

/** The statements that read a built-in, each with the one that makes an ES module of it, by name. */
function findReads(code, program) {
  const found = new Map();
  for (const [index, node] of program.body.entries()) {
    const [, name, value] = READ.exec(textOf(code, node)) ?? [];
    if (!name) continue;
    const next = program.body[index + 1];
    const wrap = next && WRAP.exec(textOf(code, next));
    const read =
      wrap?.[1] === name
        ? { end: next.end, value: `${wrap[2]}(${value}${wrap[3] ?? ""})`, ownMentions: 3 }
        : { end: node.end, value, ownMentions: 1 };
    found.set(name, { start: node.start, ...read, mentions: 0, members: [] });
  }
  return found;
}

function textOf(code, node) {
  return code.slice(node.start, node.end);
}
