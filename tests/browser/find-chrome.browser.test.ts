import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { findChrome } from "../fixtures/browser/find-chrome.js";
import { tempDir } from "../fixtures/temp-dir.js";

function withPrograms(...names: string[]): string {
  const dir = tempDir();
  for (const name of names) fs.writeFileSync(path.join(dir, name), "#!/bin/sh\n", { mode: 0o755 });
  return dir;
}

const never = (): boolean => {
  throw new Error("Nothing is to be installed.");
};

describe("which browser is tested with", () => {
  it("the one that is named, before those on the PATH", () => {
    const dir = withPrograms("mine", "chromium");
    expect(findChrome({ CHROME_PATH: path.join(dir, "mine"), PATH: dir }, never)).toBe(path.join(dir, "mine"));
    expect(() => findChrome({ CHROME_PATH: path.join(dir, "gone"), PATH: dir }, never)).toThrow("CHROME_PATH");
  });

  it("Chrome before Chromium, wherever they are on the PATH", () => {
    const [one, two] = [withPrograms("chromium", "chromium-browser"), withPrograms("google-chrome")];
    expect(findChrome({ PATH: `${one}:${two}` }, never)).toBe(path.join(two, "google-chrome"));
    expect(findChrome({ PATH: one }, never)).toBe(path.join(one, "chromium"));
    expect(findChrome({ PATH: `relative:${withPrograms("chromium-browser")}` }, never)).toContain("chromium-browser");
  });

  it("one that is installed now; where that cannot be, the error says what to install", () => {
    const dir = tempDir();
    const install = (): boolean => {
      fs.writeFileSync(path.join(dir, "chromium"), "", { mode: 0o755 });
      return true;
    };
    expect(findChrome({ PATH: dir }, install)).toBe(path.join(dir, "chromium"));
    expect(() => findChrome({ PATH: tempDir() }, () => false)).toThrow("apt-get install chromium");
  });
});
