#!/usr/bin/env node
// npm links only programs that exist when it installs, and what is built does not exist yet in a fresh clone.
"use strict";
const fs = require("node:fs");
const path = require("node:path");

const program = path.join(__dirname, "../dist/cli/babysitter.cjs");
if (fs.existsSync(program)) {
  // The program finds its files, and starts itself, by this path.
  process.argv[1] = program;
  require(program);
} else {
  process.stderr.write("babysitter is not built yet: run `npm run build` in the repository, then try again.\n");
  process.exitCode = 1;
}
