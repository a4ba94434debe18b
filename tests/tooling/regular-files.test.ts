/** Whoever reads a file without looking what it is waits for pipes, follows links and swallows devices. */
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const SOURCES = fileURLToPath(new URL("../../packages/sdk/src/", import.meta.url));

/** What they read belongs to no run: code and settings of the user, files of the host or the machine, our own program. */
const OWN_READERS: Record<string, string> = {
  "files/read-regular-file.ts": "the one way",
  "checks/check-file.ts": "files of the working tree; opens like the one way",
  "checks/file-digest.ts": "files of the working tree; opens like the one way",
  "checks/patched-listing.ts": "files of the working tree; opens like the one way",
  "checks/protected-things.ts": "package.json of the project",
  "cli/arguments/confirm-by-name.ts": "the terminal",
  "cli/arguments/input-files.ts": "files that the caller names, pipes included",
  "config/read-config.ts": "settings of the user; opens like the one way",
  "effects/handed-over.ts": "what a task leaves, linked or not; looked at before, and opened without waiting",
  "effects/node-shim.ts": "runs inside the program of a task",
  "hooks/find-hooks.ts": "scripts of the user",
  "hooks/script-head.ts": "scripts of the user; opens like the one way",
  "hosts/claude-code/check-setup.ts": "the plugin's manifest",
  "hosts/claude-code/env-file.ts": "a file of the host",
  "hosts/claude-code/settings-files.ts": "a file of the host",
  "inbox/entry-log.ts": "our log in the user's home, opened to be written",
  "journal/files/journal-fs.ts": "opens what it writes, and folders",
  "load/code-cache.ts": "our own program",
  "load/code-graph.ts": "code of the user",
  "load/module-plan.ts": "code of the user",
  "load/package-type.ts": "package.json of the user",
  "load/resolve-local.ts": "package.json of the user",
  "load/resolve-package.ts": "package.json of the user",
  "load/stripped-source.ts": "code of the user",
  "load/syntax-location.ts": "stdin of a program of ours",
  "machine/children/start-task-runner.ts": "opens what it writes",
  "machine/context-files.ts": "files that a question names; opens like the one way",
  "machine/decision-source.ts": "the terminal",
  "machine/file-places.ts": ".git of the project",
  "machine/inbox/start-server.ts": "opens what it writes",
  "machine/loops/loop-state-view.ts": ".loop/ of the project",
  "machine/project/place-files.ts": "files of the project",
  "machine/project/root-files.ts": "files of the project",
  "sessions/hook-log.ts": "our log in the user's home",
  "sessions/host-processes.ts": "our records in the user's home",
  "sessions/last-session.ts": "our record in the user's home",
  "sessions/stop-failures.ts": "reports of the host's hooks",
  "sessions/transcript-files.ts": "transcripts of the host",
  "spawn/capped-log.ts": "a log of its own, open since it was made",
  "spawn/captured-stream.ts": "pipes of our own",
  "spawn/free-descriptors.ts": "/dev/null",
  "spawn/local-socket.ts": "/proc",
  "spawn/machine-facts.ts": "/etc/machine-id",
  "spawn/output-pipe.ts": "pipes of our own",
  "spawn/proc-table.ts": "/proc",
};

/** Calls that read a file; opening one only to write it is another matter, and so is what is in a folder. */
const READS =
  /(?<!dir\.)\b(?:readFileSync|createReadStream|readFile|readSync)\(|\bopenSync\((?![^)]*"(?:w|wx|wx?\+|a)")/u;

it("C21: nothing of a run is read but as a regular file, bounded and without waiting", () => {
  const names = fs.readdirSync(SOURCES, { recursive: true, encoding: "utf8" });
  const sources = names.filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"));
  const reading = sources.filter((name) =>
    fs
      .readFileSync(path.join(SOURCES, name), "utf8")
      .split("\n")
      .some((line) => READS.test(line) && !/^\s*(?:\*|\/\/)/u.test(line)),
  );
  expect(reading.filter((name) => !(name in OWN_READERS)).toSorted()).toEqual([]);
});

it("C21: no folders are made in Node's own way, which spins where a file system says that they are not there", () => {
  const names = fs.readdirSync(SOURCES, { recursive: true, encoding: "utf8" });
  const sources = names.filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"));
  const making = sources.filter((name) =>
    /(?<!files\.fs\.|this\.fs\.)\bmkdirSync\([^;]*recursive: true/u.test(
      fs.readFileSync(path.join(SOURCES, name), "utf8"),
    ),
  );
  // The host has made the folder above.
  expect(making.toSorted()).toEqual(["hosts/claude-code/env-file.ts"]);
});
