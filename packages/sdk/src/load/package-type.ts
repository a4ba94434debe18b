import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** What the nearest package.json says about `.js` files; undefined when it says nothing. */
export type PackageType = "module" | "commonjs" | undefined;

/** Looks the type up, reading each package.json once. */
export function packageTypes(): (file: string) => PackageType {
  const known = new Map<string, PackageType>();
  const typeOf = (directory: string): PackageType => {
    if (known.has(directory)) return known.get(directory);
    const declared = readType(directory);
    const parent = dirname(directory);
    const type = declared === "absent" ? (parent === directory ? undefined : typeOf(parent)) : declared;
    known.set(directory, type);
    return type;
  };
  return (file) => typeOf(dirname(file));
}

function readType(directory: string): PackageType | "absent" {
  let text: string;
  try {
    text = readFileSync(join(directory, "package.json"), "utf8");
  } catch {
    return "absent";
  }
  try {
    const { type }: { type?: unknown } = JSON.parse(text);
    return type === "module" || type === "commonjs" ? type : undefined;
  } catch {
    return undefined; // Node will complain about it by itself.
  }
}
