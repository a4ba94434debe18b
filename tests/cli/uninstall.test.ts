/** What we have on a machine, listed and removed: real folders, an empty home, and nothing else is touched. */
import fs from "node:fs";
import { describe, expect, it } from "vitest";
import { UsedMachine } from "../fixtures/cli/used-machine.js";

describe("uninstall", () => {
  it("D3: lists what is there with sizes and ways to remove it, and changes nothing", async () => {
    const machine = await UsedMachine.withRun();
    const before = machine.all();
    const { items, kept } = await machine.listed();
    expect(items.map(({ part }) => part)).toEqual(["runs", "inbox", "cache", "state", "config"]);
    for (const { part, bytes, remove, paths } of items) {
      expect([part, bytes]).toEqual([part, expect.any(Number)]);
      expect(remove).toEqual([`babysitter uninstall --remove ${part}`]);
      expect(paths.every((file) => fs.existsSync(file))).toBe(true);
    }
    expect(kept.map(({ path: folder }) => folder)).toEqual([machine.path(".a5c")]);
    const { code, stdout } = await machine.run(["uninstall"]);
    expect([code, stdout]).toEqual([0, expect.stringContaining("Nothing has been removed.")]);
    expect(stdout).toContain(`1 run in ${machine.runsDir}`);
    expect(machine.all()).toEqual(before);
  });

  it.each(["state", "all", "runs"])("D3: only a person removes %s", async (parts) => {
    const machine = await UsedMachine.withRun();
    const before = machine.all();
    const agent = await machine.refuse(["uninstall", "--remove", parts], { env: { CLAUDECODE: "1" } });
    const script = await machine.refuse(["uninstall", "--remove", parts]);
    expect([agent.code, script.code, agent.exit]).toEqual(["ONLY_FOR_PEOPLE", "ONLY_FOR_PEOPLE", 7]);
    expect(machine.all()).toEqual(before);
  });

  it("D3: removes what is named and nothing beside it", async () => {
    const machine = await UsedMachine.withRun();
    const before = Object.keys(machine.all());
    const done = await machine.remove("cache,config");
    expect([done.code, done.stdout]).toEqual([0, expect.stringContaining("Removed:")]);
    const gone = before.filter((file) => !(file in machine.all()));
    expect(gone.toSorted()).toEqual([
      "home/.a5c/cache/",
      "home/.a5c/cache/compiled",
      "home/.config/babysitter/",
      "home/.config/babysitter/config.json",
    ]);
    expect(await machine.parts()).toEqual(["runs", "inbox", "state"]);
  });

  it("D3: all is everything but runs; what is not ours stays; a second time finds nothing", async () => {
    const machine = await UsedMachine.withRun();
    expect(await machine.remove("all")).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(
        "To remove these runs later, call in their project:\n  babysitter uninstall --remove runs\n",
      ) as string,
    });
    expect(Object.keys(machine.tree(machine.home)).toSorted()).toEqual([
      ".a5c/",
      ".a5c/notes.txt",
      ".config/",
      ".config/other/",
      ".config/other/config.json",
    ]);
    expect(fs.existsSync(machine.runDir("first"))).toBe(true);
    const again = await machine.remove("all");
    expect([again.code, again.stdout]).toEqual([0, expect.stringContaining("There is nothing to remove.")]);
    // Without the list of projects, the one it is called in is known.
    expect(await machine.parts()).toEqual(["runs"]);
    expect((await machine.remove("runs")).code).toBe(0);
    expect((await machine.run(["uninstall"])).stdout).toContain("Babysitter has nothing on this machine.");
  });

  it("D3: called at home, it takes what is personal for no project", async () => {
    const machine = await UsedMachine.withRun();
    const { stdout } = await machine.run(["uninstall", "--json"], { cwd: machine.home });
    const { kept } = JSON.parse(stdout) as { kept: { path: string }[] };
    expect(kept.map((folder) => folder.path)).toEqual([machine.path(".a5c")]);
  });

  it("D3: runs go when they are named, and the project keeps its own files", async () => {
    const machine = await UsedMachine.withRun();
    const told = await machine.remove("runs");
    expect([told.code, told.stdout]).toEqual([0, expect.stringContaining(machine.path(".a5c"))]);
    expect(Object.keys(machine.tree()).toSorted()).toEqual(
      [".a5c/", ".a5c/.gitignore", ".a5c/processes/", ".a5c/processes/p.mjs", "README.md"].toSorted(),
    );
    expect(await machine.parts()).toEqual(["inbox", "cache", "state", "config"]);
  });

  it("D3: what is no part is refused", async () => {
    expect(await new UsedMachine().refuse(["uninstall", "--remove", "state,nonsense"])).toMatchObject({
      code: "USAGE",
      message: expect.stringContaining("--remove nonsense is not a part") as string,
    });
  });
});
