/** The files that a question is about, as they are in a git revision: what a person compares them with. */
import crypto from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { isSecretPath, SHOWN_BYTES } from "../model/context-files.js";
import type { BaseFile, ContextFile, ContextFiles, ContextRoots } from "../model/ports.js";
import { GitProblem, runGit } from "../spawn/git-command.js";
import { textOfBytes } from "./text-of-bytes.js";

/** Nothing that could be taken for a second line or for a path. */
const REVISION = /^(?!-)[\w./@{}~^+-]{1,200}$/;

interface Wanted {
  ref: string;
  /** Below the project's root, with slashes. */
  name: string;
}

export const readBases: ContextFiles["bases"] = async (files, roots) => {
  const wanted = files.map(({ path: name, ref }) => wantedFrom(name, ref, roots));
  try {
    return await new Revisions(roots.projectRoot).read(wanted);
  } catch (error) {
    // Without git, or outside a repository, there is nothing to compare with.
    if (error instanceof GitProblem) return wanted.map(() => undefined);
    throw error;
  }
};

function wantedFrom(name: string, ref: string, { runDir, projectRoot }: ContextRoots): Wanted | undefined {
  if (name === "" || /[\0\n]/.test(name)) return undefined;
  // A file of the run comes first, and is in no commit.
  const ofRun = path.resolve(runDir, name);
  if (belowOf(runDir, ofRun) !== undefined && fs.existsSync(ofRun)) return undefined;
  const below = belowOf(projectRoot, path.resolve(projectRoot, name));
  return below === undefined || isSecretPath(below) ? undefined : { ref, name: below.split(path.sep).join("/") };
}

function belowOf(root: string, file: string): string | undefined {
  const below = path.relative(root, file);
  const isOutside = below === "" || below === ".." || below.startsWith(`..${path.sep}`) || path.isAbsolute(below);
  return isOutside ? undefined : below;
}

interface Found {
  object: string;
  bytes: number;
}

/** Two calls of git, however many files there are: first what there is and how large, then the contents. */
class Revisions {
  readonly #root: string;

  constructor(root: string) {
    this.#root = root;
  }

  async read(wanted: readonly (Wanted | undefined)[]): Promise<(BaseFile | undefined)[]> {
    const refs = [...new Set(wanted.flatMap((one) => one?.ref ?? []))].filter((ref) => REVISION.test(ref));
    if (refs.length === 0) return wanted.map((one) => (one === undefined ? undefined : noRevision(one.ref)));
    const commits = new Map(
      (await this.#look(refs.map((ref) => `${ref}^{commit}`))).map((at, n) => [refs[n], at?.object]),
    );
    const asked = wanted.map((one) => one && commits.get(one.ref) && `${commits.get(one.ref)}:./${one.name}`);
    const found = await this.#look(asked.map((name) => name ?? "0"));
    const contents = await this.#contents(
      found.filter((at): at is Found => at !== undefined && at.bytes <= SHOWN_BYTES),
    );
    return wanted.map((one, n) => {
      if (one === undefined) return undefined;
      const commit = commits.get(one.ref);
      if (commit === undefined) return noRevision(one.ref);
      return { ref: one.ref, commit, ...fileOf(found[n], contents) };
    });
  }

  /** Undefined for names that mean no file. */
  async #look(names: readonly string[]): Promise<(Found | undefined)[]> {
    const printed = await this.#git(["cat-file", "--batch-check=%(objectname) %(objecttype) %(objectsize)"], names);
    return printed
      .toString("utf8")
      .split("\n")
      .slice(0, names.length)
      .map((line) => {
        const [, object, bytes] = /^([0-9a-f]{40,64}) (?:blob|commit) (\d+)$/.exec(line) ?? [];
        return object === undefined ? undefined : { object, bytes: Number(bytes) };
      });
  }

  async #contents(found: readonly Found[]): Promise<Map<string, Buffer>> {
    const contents = new Map<string, Buffer>();
    if (found.length === 0) return contents;
    const objects = [...new Map(found.map((at) => [at.object, at])).values()];
    const printed = await this.#git(
      ["cat-file", "--batch=%(objectname)"],
      objects.map(({ object }) => object),
    );
    let at = 0;
    for (const { object, bytes } of objects) {
      at += object.length + 1;
      contents.set(object, printed.subarray(at, at + bytes));
      at += bytes + 1;
    }
    return contents;
  }

  #git(args: readonly string[], lines: readonly string[]): Promise<Buffer> {
    return runGit(args, { cwd: this.#root, stdin: Buffer.from(lines.map((line) => `${line}\n`).join("")) });
  }
}

function noRevision(ref: string): BaseFile {
  return { ref, refused: "no such revision" };
}

function fileOf(found: Found | undefined, contents: ReadonlyMap<string, Buffer>): ContextFile {
  if (found === undefined) return { refused: "missing" };
  const { object, bytes } = found;
  const content = contents.get(object);
  if (content === undefined) return { refused: `too large (${bytes} bytes)`, bytes };
  const sha256 = crypto.createHash("sha256").update(content).digest("hex");
  const text = textOfBytes(content);
  return text === undefined ? { refused: "not text", sha256, bytes } : { text, sha256, bytes };
}
