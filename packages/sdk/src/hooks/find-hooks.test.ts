import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { HookProject } from "../../../../tests/fixtures/hooks/hook-project.js";
import { findHooks } from "./find-hooks.js";
import { listHookTypes } from "./hook-folders.js";

const names = (found: { name: string; tier: string }[]): string[] => found.map(({ tier, name }) => `${tier} ${name}`);

describe("finding hooks", () => {
  it("H1: looks into the project, the person's configuration and the plugin, in that order", () => {
    const world = new HookProject();
    world.hook("on-score/z.sh", "", { tier: "project" });
    world.hook("on-score/m.sh", "", { tier: "user" });
    world.hook("on-score/a.sh", "", { tier: "plugin" });
    world.hook("on-run-fail/other.sh", "");
    const { hooks, folders } = findHooks("on-score", world.context());
    expect(names(hooks)).toEqual(["project z.sh", "user m.sh", "plugin a.sh"]);
    expect(hooks[0]?.file).toBe(path.join(world.folder(), "on-score", "z.sh"));
    expect(folders.map(({ tier }) => tier)).toEqual(["project", "user", "plugin"]);
    expect(listHookTypes(world.context())).toEqual(["on-run-fail", "on-score"]);
  });

  it("H1: sorts the hooks of a folder by the codes of their characters, whatever the language", () => {
    const world = new HookProject();
    const sorted = ["10-a.sh", "2-b.sh", "B", "Z.sh", "_x", "a", "b.sh", "ä.sh"];
    for (const name of sorted.toReversed()) world.hook(`on-score/${name}`, "");
    expect(findHooks("on-score", world.context()).hooks.map(({ name }) => name)).toEqual(sorted);
  });

  it("H1: skips what is not executable or not a regular file, and says why and how to fix it", () => {
    const world = new HookProject();
    const plain = world.hook("try/plain.sh", "", { mode: 0o644 });
    const quoted = world.hook("try/it's mine.sh", "", { mode: 0o600 });
    const dir = path.dirname(plain);
    for (const name of [".hidden", "edited.sh~", "#auto.sh#", "good.sh"]) world.hook(`try/${name}`, "");
    fs.mkdirSync(path.join(dir, "folder"));
    fs.symlinkSync("loop", path.join(dir, "loop"));
    fs.symlinkSync("nothing", path.join(dir, "dangling"));
    fs.symlinkSync("good.sh", path.join(dir, "link.sh"));
    execFileSync("mkfifo", ["-m", "755", path.join(dir, "pipe")]);
    const { hooks, skipped } = findHooks("try", world.context());
    expect(hooks.map(({ name }) => name)).toEqual(["good.sh", "link.sh"]);
    expect(Object.fromEntries(skipped.map(({ name, reason }) => [name, reason]))).toEqual({
      "#auto.sh#": "an editor's backup copy",
      ".hidden": "names that start with a dot are ignored",
      dangling: "a symbolic link to something that does not exist",
      "edited.sh~": "an editor's backup copy",
      folder: "a folder; hooks are files directly inside the type's folder",
      "it's mine.sh": "not executable",
      loop: "a symbolic link that points to itself",
      pipe: "not a regular file",
      "plain.sh": "not executable",
    });
    const fixes = skipped.flatMap(({ fix }) => fix ?? []);
    expect(fixes).toHaveLength(2);
    for (const fix of fixes) execFileSync("/bin/sh", ["-c", fix]);
    for (const file of [plain, quoted]) expect(fs.statSync(file).mode & 0o111).not.toBe(0);
    expect(findHooks("try", world.context()).hooks).toHaveLength(4);
  });

  it("reports a folder that is none or cannot be entered, and continues with the others", () => {
    const world = new HookProject();
    fs.mkdirSync(world.folder(), { recursive: true });
    fs.writeFileSync(path.join(world.folder(), "try"), "");
    world.hook("try/hook", "", { tier: "user" });
    const { hooks, skipped } = findHooks("try", world.context());
    expect(names(hooks)).toEqual(["user hook"]);
    expect(skipped).toMatchObject([{ tier: "project", reason: "not a folder" }]);
    fs.rmSync(path.join(world.folder(), "try"));
    fs.symlinkSync("try", path.join(world.folder(), "try"));
    expect(findHooks("try", world.context()).skipped[0]?.reason).toBe("the folder cannot be read (ELOOP)");
  });

  it("honours XDG_CONFIG_HOME when it is absolute", () => {
    const world = new HookProject();
    world.hook("try/usual", "", { tier: "user" });
    const elsewhere = path.join(world.project.root, "xdg");
    fs.mkdirSync(path.join(elsewhere, "babysitter", "hooks", "try"), { recursive: true });
    fs.writeFileSync(path.join(elsewhere, "babysitter", "hooks", "try", "moved"), "", { mode: 0o755 });
    const found = (xdg: string): string[] =>
      names(findHooks("try", world.context({ env: { XDG_CONFIG_HOME: xdg } })).hooks);
    expect(found(elsewhere)).toEqual(["user moved"]);
    expect(found("relative/xdg")).toEqual(["user usual"]);
    expect(found("")).toEqual(["user usual"]);
  });

  it("never takes a path for the name of a type", () => {
    const world = new HookProject();
    const long = "a".repeat(65);
    for (const name of ["", "..", "../x", "a/b", "/etc", "A", "a_b", "-a", "a\n", "a\0", "é", long])
      expect(() => findHooks(name, world.context())).toThrow(/not a valid hook type/);
    expect(findHooks("a".repeat(64), world.context()).hooks).toEqual([]);
    expect(findHooks("9-lives", world.context()).hooks).toEqual([]);
  });
});

describe("the last tier", () => {
  /** A plugin root with one hook of the type `try`. */
  function plugin(world: HookProject, name: string): string {
    const root = path.join(world.project.root, name);
    const dir = path.join(root, "hooks", "try");
    fs.mkdirSync(dir, { recursive: true });
    fs.writeFileSync(path.join(dir, `${name}.sh`), "", { mode: 0o755 });
    return root;
  }

  it("is the plugin named explicitly, else that of the environment, else the project's", () => {
    const world = new HookProject();
    const [given, ofHost] = ["given", "of-host"].map((name) => plugin(world, name));
    world.hook("try/in-project.sh", "", { tier: "plugin" });
    const found = (more: object): string[] => names(findHooks("try", world.context(more)).hooks);
    expect(found({ pluginRoot: given, hostPluginRoot: ofHost })).toEqual(["plugin given.sh"]);
    expect(found({ hostPluginRoot: ofHost })).toEqual(["plugin of-host.sh"]);
    expect(found({})).toEqual(["plugin in-project.sh"]);
    fs.rmSync(world.folder("plugin"), { recursive: true });
    expect(found({})).toEqual([]);
  });

  it("is not taken away by a plugin that has nothing to run for the type", () => {
    const world = new HookProject();
    world.hook("try/in-project.sh", "", { tier: "plugin" });
    const other = path.join(world.project.root, "other");
    fs.mkdirSync(path.join(other, "hooks", "try"), { recursive: true });
    fs.writeFileSync(path.join(other, "hooks", "try", "readme.md"), "");
    const { hooks, skipped } = findHooks("try", world.context({ hostPluginRoot: other }));
    expect(names(hooks)).toEqual(["plugin in-project.sh"]);
    expect(names(skipped)).toEqual(["plugin readme.md"]);
  });

  it("H6: the SDK's own scripts in a plugin do not run; edited, renamed and other ones do", () => {
    const world = new HookProject();
    const root = plugin(world, "copied");
    const shippedDir = path.join(plugin(world, "shipped"), "hooks");
    fs.cpSync(path.join(shippedDir, "try", "shipped.sh"), path.join(shippedDir, "try", "edited.sh"));
    fs.cpSync(shippedDir, path.join(root, "hooks"), { recursive: true });
    fs.cpSync(path.join(shippedDir, "try", "shipped.sh"), path.join(root, "hooks", "try", "renamed.sh"));
    fs.appendFileSync(path.join(root, "hooks", "try", "edited.sh"), "echo mine\n");
    const found = findHooks("try", world.context({ shippedDir, pluginRoot: root }));
    expect(names(found.hooks)).toEqual(["plugin copied.sh", "plugin edited.sh", "plugin renamed.sh"]);
    expect(names(found.builtIn)).toEqual(["plugin shipped.sh"]);
    const byHand = findHooks("try", world.context({ shippedDir, pluginRoot: root, runShipped: true }));
    expect(names(byHand.hooks)).toHaveLength(4);
    // A plugin with nothing but copies is still the one that counts.
    for (const name of ["copied.sh", "edited.sh", "renamed.sh"]) fs.rmSync(path.join(root, "hooks", "try", name));
    world.hook("try/in-project.sh", "", { tier: "plugin" });
    expect(findHooks("try", world.context({ shippedDir, pluginRoot: root })).hooks).toEqual([]);
  });

  it("does not run a folder a second time that was reached by another way", () => {
    const world = new HookProject();
    world.hook("try/once", "");
    const root = path.join(world.project.root, "same");
    fs.mkdirSync(root);
    fs.symlinkSync(world.folder(), path.join(root, "hooks"));
    expect(names(findHooks("try", world.context({ pluginRoot: root })).hooks)).toEqual(["project once"]);
  });
});
