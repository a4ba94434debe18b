/** What a run has left behind besides logs: artifacts, evidence of criteria, and how its code changed. */
import { sizeOf } from "../files/file-views.js";
import { inQuery, setInQuery } from "../parts/address.js";
import { Age } from "../parts/age.js";
import { UserText } from "../parts/user-text.js";
import { visibleText } from "../text/visible.js";
import { nameIn, otherVersions, type RunFile, versionBefore } from "./file-kinds.js";
import { OpenFile } from "./open-file.js";
import { PartList } from "./part-list.js";
import type { RunData } from "./run-data.js";
import "../styles/files.css";
import "../styles/run-parts.css";

const KINDS: Record<RunFile["kind"], string> = {
  log: "log",
  artifact: "artifact",
  evidence: "evidence",
  diff: "code change",
};
const ORDER: readonly RunFile["kind"][] = ["artifact", "diff", "evidence"];
/** Compared with nothing, although there is something. */
const ALONE = "-";

export function FilesPart({ data }: { data: RunData }) {
  const list = data.files.value;
  if (list === undefined)
    return (
      <p class="part-note" aria-busy="true">
        Loading…
      </p>
    );
  const files = ORDER.flatMap((kind) => list.files.filter((file) => file.kind === kind));
  const wanted = inQuery("file");
  const chosen = files.find(({ path }) => path === wanted) ?? files[0];
  if (chosen === undefined)
    return (
      <p class="part-note">
        This run has no artifacts. A process leaves them in its run's <code>artifacts</code> folder.
      </p>
    );
  const against = comparedWith(files, chosen, inQuery("against"));
  return (
    <div class="part">
      <PartList
        label="Files"
        rows={files.map((file) => ({ id: file.path, title: nameIn(file.path), about: <About file={file} /> }))}
        current={chosen.path}
        onChoose={(path) => setInQuery({ file: path, against: undefined })}
      >
        {list.more ? <p class="part-note">Not all files are listed.</p> : null}
      </PartList>
      <section class="part-main" aria-label={visibleText(chosen.path)}>
        <Against files={files} file={chosen} against={against} />
        <OpenFile key={chosen.path} data={data} file={chosen} against={against} />
      </section>
    </div>
  );
}

function comparedWith(files: readonly RunFile[], file: RunFile, wanted: string | undefined): RunFile | undefined {
  if (wanted === ALONE) return undefined;
  return otherVersions(files, file).find(({ path }) => path === wanted) ?? versionBefore(files, file);
}

function About({ file: { kind, path, bytes, modifiedAt } }: { file: RunFile }) {
  const folder = path.slice(0, path.lastIndexOf("/"));
  return (
    <>
      <span>{KINDS[kind]}</span>
      <span>{sizeOf(bytes)}</span>
      <Age at={modifiedAt} ago />
      {folder.includes("/") ? <UserText class="part-row-folder" text={folder.slice(folder.indexOf("/") + 1)} /> : null}
    </>
  );
}

interface AgainstProps {
  files: readonly RunFile[];
  file: RunFile;
  against: RunFile | undefined;
}

/** Which other version it is compared with. */
function Against({ files, file, against }: AgainstProps) {
  const versions = otherVersions(files, file);
  if (versions.length === 0) return null;
  return (
    <label class="against">
      Compare with{" "}
      <select
        value={against?.path ?? ALONE}
        onChange={(event) => setInQuery({ file: file.path, against: event.currentTarget.value })}
      >
        <option value={ALONE}>nothing</option>
        {versions.map(({ path }) => (
          <option key={path} value={path}>
            {visibleText(path)}
          </option>
        ))}
      </select>
    </label>
  );
}
