import fs from "node:fs";
import path from "node:path";

/** Links the program as npm does when it installs; answers the link. */
export function linkProgram(clone: string): string {
  const link = path.join(clone, "node_modules/.bin/babysitter");
  fs.mkdirSync(path.dirname(link), { recursive: true });
  fs.symlinkSync("../../packages/sdk/bin/babysitter.cjs", link);
  return link;
}
