import { minify } from "rolldown/utils";
import { asciiOnly } from "./ascii-only.mjs";

/** A CommonJS file made small. Names of its own scope are nobody's business; those of classes are, for errors show them. */
export async function minified(name, source) {
  const { code, errors } = await minify(name, source, {
    module: false,
    compress: { target: "node20.19", keepNames: { class: true, function: false } },
    mangle: { toplevel: true, keepNames: { class: true, function: false } },
    codegen: { removeWhitespace: true, legalComments: "none" },
  });
  if (errors.length > 0) throw new Error(`${name}: ${errors.map(({ message }) => message).join("\n")}`);
  return asciiOnly(code.endsWith("\n") ? code : `${code}\n`);
}
