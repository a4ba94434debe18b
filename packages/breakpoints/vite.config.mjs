/** Builds the pages of the inbox into dist/ui, where the server finds them. */
import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";

/** What the first page needs, directly or not. In one file it is a good deal smaller than in many. */
const neededFirst = new Set();
const findNeededFirst = {
  name: "find-needed-first",
  buildEnd() {
    const add = (id) => {
      if (neededFirst.has(id)) return;
      neededFirst.add(id);
      for (const imported of this.getModuleInfo(id)?.importedIds ?? []) add(imported);
    };
    for (const id of this.getModuleIds()) if (id.endsWith("/ui/main.tsx")) add(id);
  },
};

export default defineConfig({
  root: fileURLToPath(new URL("src/ui", import.meta.url)),
  plugins: [findNeededFirst],
  build: {
    outDir: "../../dist/ui",
    emptyOutDir: true,
    target: "es2022",
    modulePreload: { polyfill: false },
    rolldownOptions: {
      // A busy machine is no reason to complain.
      checks: { bundlerTimings: false },
      output: { codeSplitting: { groups: [{ name: "index", test: (id) => neededFirst.has(id) }] } },
    },
  },
  // Tests build too, and must get the same pages: without names of source files.
  oxc: { jsx: { runtime: "automatic", importSource: "preact", development: false } },
  logLevel: "warn",
});
