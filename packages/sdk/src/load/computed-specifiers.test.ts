import { describe, expect, it } from "vitest";
import { scanComputed } from "./computed-specifiers.js";
import { hasComputedImport } from "./specifiers.js";

const HERE = `const here = path.dirname(fileURLToPath(import.meta.url));\n`;

describe("scanComputed", () => {
  it.each([
    ["import(`./steps/${name}.js`)", "./steps/*.js"],
    ["require('./steps/' + name)", "./steps/*"],
    ["import(`./${a}${b}.js`)", "./*.js"],
    ["import(('./steps/' + name) + '.js')", "./steps/*.js"],
    ["require(`./steps/${a}-${b}/index.js`)", "./steps/*-*/index.js"],
    ["import(path.join(import.meta.dirname, 'steps', `${name}.mjs`))", "./steps/*.mjs"],
    ["require(join(__dirname, '../steps', name + '.cjs'))", "./../steps/*.cjs"],
    ["import(`${import.meta.dirname}/steps/${name}.js`)", "./steps/*.js"],
    ["import(new URL(`steps/${name}.js`, import.meta.url).href)", "./steps/*.js"],
    ["import(pathToFileURL(path.join(import.meta.dirname, name)))", "./*"],
    [`${HERE}await import(path.join(here, "steps", name))`, "./steps/*"],
    ["const DIR = './steps'\nimport(DIR + `/${f(x, [1, ')'])}.js`, { with: {} })", "./steps/*.js"],
  ])("finds the files of %j", (text, pattern) => {
    expect(hasComputedImport(text)).toBe(true);
    expect(scanComputed(text)).toEqual({ specifiers: [], patterns: [pattern], blind: false });
  });

  it.each([
    ["import('./a' + '.js')", "./a.js"],
    ["import(path.join(import.meta.dirname, 'lib', 'a.js'))", "./lib/a.js"],
    ["import(new URL('./a.js', import.meta.url))", "./a.js"],
    ["const FILE = './a.js'; require(FILE)", "./a.js"],
  ])("puts together %j", (text, specifier) => {
    expect(scanComputed(text)).toEqual({ specifiers: [specifier], patterns: [], blind: false });
  });

  it.each([
    "import(name)",
    "require(process.env.STEP)",
    "import(`${folder}/step.js`)",
    "import(ok ? './a.js' : './b.js')",
    "import(path.join(process.cwd(), 'steps', name))",
    "import('#steps/' + name)",
    "import(path.join('./steps', name))",
    "import(new URL('./a.js', base))",
    "const a = './a.js' || b; import(a)",
    "const a = './a.js' ? './b.js' : './c.js'; import(a)",
    "const a = './a.js' [0]; import(a)",
    "const a = './a.js'; { const a = './b.js'; import(a) }",
    "const a = b; const b = a; import(a)",
    "import(await pick('./a.js'))",
    "import(`./${",
    "import((((",
  ])("cannot tell what %j loads", (text) => {
    expect(scanComputed(text)).toEqual({ specifiers: [], patterns: [], blind: true });
  });

  it.each(["import('pkg/' + name)", "import(`@scope/${name}`)", "a.require(name)", "import.meta.url", "// import(x)"])(
    "leaves packages and other things alone: %j",
    (text) => {
      expect(scanComputed(text)).toEqual({ specifiers: [], patterns: [], blind: false });
    },
  );

  it.each(["import('./a.js')", "require( /* x */ './a.js' )", "import('./a.json', { with: { type: 'json' } })"])(
    "is not needed for %j",
    (text) => {
      expect(hasComputedImport(text)).toBe(false);
    },
  );
});
