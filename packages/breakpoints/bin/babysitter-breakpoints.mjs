#!/usr/bin/env node
import { main } from "../dist/main.js";

// A hook that takes long does not keep it.
process.exit(await main(process.argv.slice(2), process.env));
