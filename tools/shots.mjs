/**
 * Pictures of the inbox, from real servers with real runs.
 *
 *   node tools/shots.mjs [folder]   every screen in every state, as contact sheets (default: shots/)
 *   node tools/shots.mjs --readme   docs/images/: inbox.png, viewer.png, board.png
 *
 * `--only <word>` leaves out the sheets whose name does not have the word in it.
 */
import path from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { runnerImport } from "vite";
import setup from "./test-setup.mjs";

const home = fileURLToPath(new URL("..", import.meta.url));
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { readme: { type: "boolean" }, only: { type: "string" } },
});

setup();
const { module } = await runnerImport(path.join(home, "tests/fixtures/browser/contact-sheets.ts"), {
  configFile: false,
  logLevel: "error",
});
const files = values.readme
  ? await module.takeReadmePictures(path.join(home, "docs/images"))
  : await module.takeContactSheets(path.resolve(home, positionals[0] ?? "shots"), values.only ?? "");
for (const file of files) console.log(path.relative(process.cwd(), file));
