#!/usr/bin/env node
// npm links only programs that exist when it installs, and what is built does not exist yet in a fresh clone.
"use strict";
const { existsSync } = require("node:fs");
const { join } = require("node:path");

const program = join(__dirname, "../dist/cli/babysitter.cjs");
if (existsSync(program)) {
  // The program finds its files, and starts itself, by this path.
  process.argv[1] = program;
  require(program);
} else {
  process.stderr.write("babysitter is not built yet: run `npm run build` in the repository, then try again.\n");
  process.exitCode = 1;
}
