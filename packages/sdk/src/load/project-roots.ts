import { dirname, relative, sep } from "node:path";

/**
 * True for files of the project: inside one of the folders, and not in a `node_modules` below it.
 * A root may itself lie in `node_modules`, so only the part behind the root decides.
 */
export function isProjectFile(file: string, roots: readonly string[]): boolean {
  return roots.some((root) => {
    const inside = pathInside(file, root);
    return inside !== undefined && !inside.split(sep).includes("node_modules");
  });
}

/** Path of `file` relative to `root`, undefined when it lies outside. */
export function pathInside(file: string, root: string): string | undefined {
  const path = relative(root, file);
  return path === "" || path === ".." || path.startsWith(`..${sep}`) ? undefined : path;
}

/** The folders whose files belong to a process; its entry may lie outside the project. */
export function rootsOf(projectRoot: string, entryFile: string): string[] {
  return isProjectFile(entryFile, [projectRoot]) ? [projectRoot] : [projectRoot, dirname(entryFile)];
}
