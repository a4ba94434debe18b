import { describe, expect, it } from "vitest";
import { lazyBuiltins } from "../../tools/lazy-builtins.mjs";

/** Runs bundled code and tells what it returned and which modules it required, in order. */
function run(code: string): { result: unknown; required: string[] } {
  const required: string[] = [];
  const require = (name: string) => {
    required.push(name);
    return { sep: "/", join: (...parts: string[]) => parts.join("/"), Path: Date };
  };
  // oxlint-disable-next-line typescript/no-implied-eval
  const result: unknown = new Function("require", "__toESM", lazyBuiltins(code))(require, (module: object) => ({
    default: module,
  }));
  return { result, required };
}

describe("built-ins in the bundle", () => {
  it("are read at first use, and once", () => {
    const code = 'let node_path = require("node:path");\nlet node_os = require("node:os");\n';
    expect(run(`${code}return node_path.sep + (0, node_path.join)("a", "b");\nnode_os.sep;`)).toEqual({
      result: "/a/b",
      required: ["node:path"],
    });
  });

  it("are read at first use also where an ES module is made of them", () => {
    const code = 'let node_path = require("node:path");\nnode_path = __toESM(node_path);\n';
    expect(run(`${code}return "unused";\nnode_path.default.sep;`)).toEqual({ result: "unused", required: [] });
    expect(run(`${code}return node_path.default.sep;`)).toEqual({ result: "/", required: ["node:path"] });
  });

  it("are read at first use also where another chunk has the helper", () => {
    const code =
      'const other = { __toESM };\nlet node_path = require("node:path");\nnode_path = other.__toESM(node_path, 1);\n';
    expect(run(`${code}return "unused";\nnode_path.default.sep;`)).toEqual({ result: "unused", required: [] });
    expect(run(`${code}return node_path.default.sep;`)).toEqual({ result: "/", required: ["node:path"] });
  });

  it("can still be constructed from", () => {
    const code = 'let node_path = require("node:path");\nreturn new node_path.Path() instanceof node_path.Path;';
    expect(run(code)).toEqual({ result: true, required: ["node:path"] });
  });

  it.each([
    ["the whole module is passed on", "const all = { node_path };"],
    ["it is replaced", "node_path = wrap(node_path);\nfunction wrap(x) { return x; }"],
    ["a local name hides it", "function f() { const node_path = 1; return node_path; }"],
  ])("are left alone where %s", (_, use) => {
    const code = `let node_path = require("node:path");\n${use}\nreturn node_path.sep;`;
    expect(lazyBuiltins(code)).toBe(code);
    expect(run(code)).toEqual({ result: "/", required: ["node:path"] });
  });

  it("are told from text and from other modules", () => {
    const code =
      'let other = require("./other.cjs");\nconst text = "let node_path = require(\\"node:path\\");";\nreturn text + other.sep;';
    expect(lazyBuiltins(code)).toBe(code);
  });
});
