/** The only place that knows the compiler; the bundler gives it a file of its own, read when needed. */
import { transform } from "sucrase";

/** Removes TypeScript's syntax; lines stay where they are. */
export async function stripTypes(source: string, filename: string): Promise<string> {
  const { code } = transform(source, {
    transforms: ["typescript"],
    disableESTransforms: true,
    keepUnusedImports: false,
    filePath: filename,
  });
  return code;
}
