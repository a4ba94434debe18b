/** A marketplace as others publish it: a git repository behind an address. */
import fs from "node:fs";
import path from "node:path";
import { PLUGIN, REPOSITORY } from "../../fixtures/plugin/plugin-copy.js";
import type { HostProject } from "./host-run.js";

interface GitMarket {
  dir: string;
  url: string;
  publish(version: string): void;
}

export function gitMarket(project: HostProject): GitMarket {
  const dir = path.join(project.root, "market");
  const url = "https://plugins.invalid/market.git";
  fs.cpSync(path.join(REPOSITORY, ".claude-plugin"), path.join(dir, ".claude-plugin"), { recursive: true });
  fs.cpSync(PLUGIN, path.join(dir, "plugins/babysitter"), { recursive: true });
  const commit = (): void => {
    project.git("-C", dir, "add", "--all", "--force");
    project.git("-C", dir, "commit", "--quiet", "-m", "publish");
  };
  project.git("init", "--quiet", dir);
  commit();
  fs.writeFileSync(path.join(project.home, ".gitconfig"), `[url "${dir}"]\n\tinsteadOf = ${url}\n`);
  const manifest = path.join(dir, "plugins/babysitter/.claude-plugin/plugin.json");
  return {
    dir,
    url,
    publish: (version) => {
      const text = fs.readFileSync(manifest, "utf8");
      fs.writeFileSync(manifest, text.replace(/"version": "[^"]*"/u, `"version": "${version}"`));
      commit();
    },
  };
}
