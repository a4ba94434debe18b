/** Prints recorded progress with the plain view, as a pipe would get it. */

import fs from "node:fs";
import { isatty } from "node:tty";
import { makePaint } from "../../../packages/sdk/dist/cli/output/paint.js";
import { openPlainView } from "../../../packages/sdk/dist/cli/progress/plain-view.js";

const { progress, nowMs } = JSON.parse(fs.readFileSync(process.argv[2], "utf8"));
const view = openPlainView({
  write: (text) => void process.stdout.write(text),
  paint: makePaint(isatty(1), process.env),
  clock: { now: () => new Date(nowMs) },
});
for (const one of progress) view.take(one);
view.close();
