/** Builds the pages of the inbox into dist/ui, where the server finds them. */
import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";

export default defineConfig({
  root: fileURLToPath(new URL("src/ui", import.meta.url)),
  build: {
    outDir: "../../dist/ui",
    emptyOutDir: true,
    target: "es2022",
    modulePreload: { polyfill: false },
    // A busy machine is no reason to complain.
    rolldownOptions: { checks: { bundlerTimings: false } },
  },
  // Tests build too, and must get the same pages: without names of source files.
  oxc: { jsx: { runtime: "automatic", importSource: "preact", development: false } },
  logLevel: "warn",
});
