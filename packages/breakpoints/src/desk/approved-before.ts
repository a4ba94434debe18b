/** What was approved last of the files of a question. Finding it takes a look through other runs, so it is kept. */
import { approvedVersions, type BreakpointDescription, type FoundBreakpoint } from "@a5c-ai/babysitter-sdk/operate";
import type { Comparison } from "../wire/inbox-wire.js";

type Version = Awaited<ReturnType<typeof approvedVersions>>[number];
type ShownFile = BreakpointDescription["files"][number];

/** By the paths of files. */
export type ApprovedFiles = ReadonlyMap<string, { comparison: Comparison; read: Version["read"] }>;

interface Kept {
  files: Promise<ApprovedFiles>;
  at: number;
}

/** Something may have been approved since, in another run. */
const FRESH_MS = 10_000;
const MAX_KEPT = 20;
const MAX_NAME = 80;

export class ApprovedBefore {
  /** By what is shown: the last looked for is the last one here. */
  readonly #kept = new Map<string, Kept>();

  /** For whoever opens a question. */
  async look(found: FoundBreakpoint, description: BreakpointDescription): Promise<ApprovedFiles> {
    if (description.files.length === 0) return new Map();
    const kept = this.#kept.get(nameOf(description));
    return kept !== undefined && performance.now() - kept.at < FRESH_MS ? kept.files : this.#find(found, description);
  }

  /** For whoever reads the files of a question that is open already: what that look has found. */
  async looked(found: FoundBreakpoint, description: BreakpointDescription): Promise<ApprovedFiles> {
    return this.#kept.get(nameOf(description))?.files ?? this.#find(found, description);
  }

  #find(found: FoundBreakpoint, description: BreakpointDescription): Promise<ApprovedFiles> {
    const name = nameOf(description);
    const files = findApproved(found, description);
    this.#kept.delete(name);
    this.#kept.set(name, { files, at: performance.now() });
    files.catch(() => this.#kept.delete(name));
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > MAX_KEPT && oldest !== undefined) this.#kept.delete(oldest);
    return files;
  }
}

async function findApproved(
  { journal, request }: FoundBreakpoint,
  { files }: BreakpointDescription,
): Promise<ApprovedFiles> {
  const versions = await approvedVersions(journal, request.effectId);
  const found = versions.map(async (version) => {
    const file = files.find(({ path }) => path === version.path);
    return [version.path, { comparison: await comparisonWith(version, file), read: () => version.read() }] as const;
  });
  return new Map(await Promise.all(found));
}

async function comparisonWith(version: Version, file: ShownFile | undefined): Promise<Comparison> {
  const { sha256, bytes } = version;
  const comparison: Comparison = {
    side: "approved",
    label: labelOf(version),
    ...(bytes === undefined ? {} : { bytes }),
  };
  // The hash is that of the whole file, also where only a part of it was kept.
  if (sha256 !== undefined && sha256 === file?.sha256) return { ...comparison, unchanged: true };
  const refused = await whyNoText(version);
  return refused === undefined ? comparison : { ...comparison, refused };
}

async function whyNoText(version: Version): Promise<string | undefined> {
  if (version.cutAt !== undefined) return `only its first ${version.cutAt} bytes were kept`;
  const { text, refused } = await version.read();
  return text === undefined ? (refused ?? "its text was not kept") : undefined;
}

function labelOf({ approvedAt, by }: Version): string {
  const when = `${approvedAt.slice(0, 16).replace("T", " ")} UTC`;
  return by === undefined ? when : `${when} by ${by.slice(0, MAX_NAME)}`;
}

function nameOf({ breakpointId, shown }: BreakpointDescription): string {
  return `${breakpointId} ${shown}`;
}
