/** Builds the page of exported runs into dist/ui-export: one script and one style, which stand in the file itself. */
import { fileURLToPath } from "node:url";
import { defineConfig, mergeConfig } from "vite";
import pages from "./vite.config.mjs";

/** In a page, these end a script, or let it go on behind its end. */
const UNFIT = /<\/script|<!--/iu;

/** The same in strings and patterns, where they stand; it is checked below that they stand nowhere else. */
function fitForPages(code) {
  return code.replaceAll(/<\/(script)/giu, String.raw`<\/$1`).replaceAll("<!--", String.raw`\x3c!--`);
}

const standsInPages = {
  name: "stands-in-pages",
  enforce: "post",
  generateBundle(_, bundle) {
    const names = Object.keys(bundle).toSorted();
    if (names.join(" ") !== "export.css export.js") throw new Error(`One script and one style, not ${names.join(" ")}`);
    const { "export.js": script, "export.css": style } = bundle;
    script.code = fitForPages(script.code);
    this.parse(script.code);
    if (UNFIT.test(script.code) || /<\/style/iu.test(String(style.source)))
      throw new Error("It would end its own tag.");
  },
};

export default defineConfig(
  mergeConfig(pages, {
    plugins: [standsInPages],
    build: {
      outDir: "../../dist/ui-export",
      cssCodeSplit: false,
      assetsInlineLimit: Number.MAX_SAFE_INTEGER,
      rolldownOptions: {
        input: fileURLToPath(new URL("src/ui/export.tsx", import.meta.url)),
        output: { codeSplitting: false, entryFileNames: "export.js", assetFileNames: "export[extname]" },
      },
    },
  }),
);
