import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { REPOSITORY } from "../fixtures/plugin/plugin-copy.js";
import { tempDir } from "../fixtures/temp-dir.js";

describe("the bundle of the plugin", () => {
  it("is what the sources make, on any machine, and a stale one is refused", () => {
    const copy = tempDir();
    for (const name of ["packages/sdk/dist/cli", "packages/sdk/hooks", "plugins/babysitter"])
      fs.cpSync(path.join(REPOSITORY, name), path.join(copy, name), { recursive: true });
    for (const name of ["package.json", "LICENSE", "dist/third-party-licenses.txt"])
      fs.cpSync(path.join(REPOSITORY, "packages/sdk", name), path.join(copy, "packages/sdk", name));
    const tool = (...args: string[]) =>
      spawnSync(process.execPath, [path.join(REPOSITORY, "tools/plugin.mjs"), ...args, copy], { encoding: "utf8" });
    fs.rmSync(path.join(copy, "plugins/babysitter/dist"), { recursive: true });
    expect(tool().status).toBe(0);
    expect(tool("--check")).toMatchObject({ status: 0, stderr: "" });
    const made = path.join(copy, "plugins/babysitter/dist");
    const files = fs.readdirSync(made, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    const texts = files.map(({ parentPath, name }) => fs.readFileSync(path.join(parentPath, name), "utf8"));
    expect(texts.filter((text) => text.includes(copy) || text.includes(path.resolve(REPOSITORY)))).toEqual([]);
    fs.appendFileSync(path.join(made, "shared.cjs"), "\n");
    fs.writeFileSync(path.join(made, "left-over.cjs"), "");
    fs.chmodSync(path.join(copy, "plugins/babysitter/hooks/hook-dispatcher.sh"), 0o644);
    const manifest = path.join(copy, "plugins/babysitter/.claude-plugin/plugin.json");
    fs.writeFileSync(manifest, fs.readFileSync(manifest, "utf8").replace(/"version": "[^"]*"/u, '"version": "0.0.1"'));
    const { status, stderr } = tool("--check");
    expect([status, stderr.match(/[\w.-]+(?= —)/gu)]).toEqual([
      1,
      ["shared.cjs", "hook-dispatcher.sh", "plugin.json", "left-over.cjs"],
    ]);
    fs.writeFileSync(path.join(copy, "plugins/babysitter/package.json"), "{}");
    expect(tool()).toMatchObject({ status: 1, stderr: expect.stringContaining("must not have a package.json") });
    expect(fs.existsSync(path.join(made, "left-over.cjs"))).toBe(false);
  });
});
