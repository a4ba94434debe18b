import fs from "node:fs";
import { expect, it } from "vitest";

interface Lockfile {
  packages: Record<string, { resolved?: string; integrity?: string }>;
}

it("the lock file names no host, so that everyone installs from their own registry", () => {
  const text = fs.readFileSync(new URL("../../package-lock.json", import.meta.url), "utf8");
  const { packages } = JSON.parse(text) as Lockfile;
  const hosts = Object.values(packages).flatMap(({ resolved }) => (resolved?.includes("://") ? [resolved] : []));
  expect(hosts).toEqual([]);
  expect(Object.values(packages).filter(({ integrity }) => integrity !== undefined).length).toBeGreaterThan(50);
});
