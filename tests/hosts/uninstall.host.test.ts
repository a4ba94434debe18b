/** Our plugin in the real host, found and removed by `babysitter uninstall`. */
import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { gitMarket } from "./rig/git-market.js";
import { claude } from "./rig/host-command.js";
import { HostProject } from "./rig/host-run.js";
import { installHost, NEWEST_HOST } from "./rig/install-hosts.js";
import { pathWith } from "./rig/shipped-plugin.js";

describe.each(NEWEST_HOST)("uninstall with Claude Code %s", (version) => {
  test("D3 P1: removes the plugin, its marketplace and the copy that the host keeps, and nothing of others", async () => {
    const project = new HostProject(version);
    const { dir } = gitMarket(project);
    for (const args of [
      ["marketplace", "add", dir],
      ["install", "babysitter@a5c"],
    ])
      expect([args, (await claude(project, ["plugin", ...args])).code]).toEqual([args, 0]);
    const plugins = path.join(project.home, ".claude/plugins");
    const other = path.join(plugins, "cache/other/tool/1.0.0");
    fs.mkdirSync(other, { recursive: true });
    const PATH = pathWith(project, { claude: `exec '${await installHost(version)}' "$@"` });
    const listed = await project.run(["uninstall"], { env: { PATH } });
    expect(listed.stdout).toContain("Claude Code, babysitter@a5c, marketplace a5c");
    const removed = await project.run(["uninstall", "--remove", "plugin"], { as: "person", env: { PATH } });
    expect([removed.code, removed.stderr, removed.stdout]).toEqual([0, "", expect.stringContaining("Removed:")]);
    expect(fs.readdirSync(path.join(plugins, "cache"))).toEqual(["other"]);
    for (const file of ["installed_plugins.json", "known_marketplaces.json", "../settings.json"])
      expect([file, fs.readFileSync(path.join(plugins, file), "utf8")]).toEqual([
        file,
        expect.not.stringContaining("a5c"),
      ]);
    expect((await project.run(["uninstall"], { env: { PATH } })).stdout).not.toContain("Claude Code");
    expect(fs.existsSync(path.join(dir, "plugins/babysitter"))).toBe(true);
  });
});
