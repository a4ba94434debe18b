/**
 * The built SDK as a program outside of the test runner gets it. The runner would put itself between the
 * SDK and the process files that it imports, so it is loaded by Node alone.
 */
import { createRequire } from "node:module";

const require = createRequire(import.meta.url);

export const sdk = require("@a5c-ai/babysitter-sdk") as typeof import("@a5c-ai/babysitter-sdk");
export const testing = require("@a5c-ai/babysitter-sdk/testing") as typeof import("@a5c-ai/babysitter-sdk/testing");
