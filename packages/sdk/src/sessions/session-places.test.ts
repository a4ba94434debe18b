import os from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { sessionPlaces } from "./session-places.js";

const env = { HOME: "/home/ann", CLAUDE_PLUGIN_ROOT: "/plugins/babysitter" };
const cwd = "/home/ann/here";

test("L2: session state files are the person's own; the host's plugin folder does not count by itself", () => {
  expect(sessionPlaces({ env, cwd })).toEqual({
    write: "/home/ann/.a5c/state",
    read: ["/home/ann/.a5c/state"],
    home: "/home/ann/.a5c",
  });
});

test("BABYSITTER_HOME moves all of it; a relative one begins at the working directory", () => {
  expect(sessionPlaces({ env: { ...env, BABYSITTER_HOME: "/data/bs" }, cwd }).write).toBe("/data/bs/state");
  expect(sessionPlaces({ env: { ...env, BABYSITTER_HOME: "bs" }, cwd }).home).toBe("/home/ann/here/bs");
  expect(sessionPlaces({ env: { ...env, BABYSITTER_HOME: "" }, cwd }).home).toBe("/home/ann/.a5c");
});

test("without HOME the home of the user counts", () => {
  expect(sessionPlaces({ env: { HOME: "" }, cwd }).home).toBe(path.join(os.homedir(), ".a5c"));
});

test("the project's folder is looked at last", () => {
  expect(sessionPlaces({ env, cwd, projectRoot: "../project" }).read).toEqual([
    "/home/ann/.a5c/state",
    "/home/ann/project/.a5c/state",
  ]);
  expect(sessionPlaces({ env, cwd, projectRoot: "/home/ann" }).read).toEqual(["/home/ann/.a5c/state"]);
});

test("L2: session state files of a named plugin root are in the documented folders of it", () => {
  expect(sessionPlaces({ env, cwd, pluginRoot: "plugin", projectRoot: "/p" })).toEqual({
    write: "/home/ann/here/plugin/skills/babysit/state",
    read: [
      "/home/ann/here/plugin/skills/babysit/state",
      "/home/ann/here/plugin/state",
      "/home/ann/.a5c/state",
      "/p/.a5c/state",
    ],
    home: "/home/ann/.a5c",
  });
});

test("a named folder is the only one; empty names name nothing", () => {
  const options = { env, cwd, pluginRoot: "/plugin", projectRoot: "/p" };
  expect(sessionPlaces({ ...options, stateDir: "s" })).toMatchObject({
    write: "/home/ann/here/s",
    read: ["/home/ann/here/s"],
  });
  expect(sessionPlaces({ env, cwd, stateDir: "", pluginRoot: "", projectRoot: "" }).read).toEqual([
    "/home/ann/.a5c/state",
  ]);
});
