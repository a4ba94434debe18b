/** Before any test: the tests of the command line run what is built, so that must be what is here. */
import { spawnSync } from "node:child_process";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { isBuilt } from "./build-stamp.mjs";

const home = fileURLToPath(new URL("..", import.meta.url));

export default function setup() {
  // npm puts the programs of this repository on the PATH, and people have no babysitter there by that.
  const bin = join("node_modules", ".bin");
  process.env.PATH = (process.env.PATH ?? "")
    .split(delimiter)
    .filter((folder) => !folder.endsWith(bin))
    .join(delimiter);
  if (isBuilt(home)) return;
  console.log("The build is older than the sources: building.");
  for (const args of [["node_modules/typescript/bin/tsc", "-b", "packages/breakpoints"], ["tools/bundle.mjs"]]) {
    const { status } = spawnSync(process.execPath, args, { cwd: home, stdio: "inherit" });
    if (status !== 0) throw new Error("The tests would run an old build. Fix the build first: npm run build");
  }
}
