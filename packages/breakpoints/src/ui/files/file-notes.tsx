import type { VNode } from "preact";
import type { FileHead } from "../../wire/inbox-wire.js";
import { Visible } from "../text/line-text.js";
import { sizeOf } from "./file-views.js";
import { Note } from "./note.js";

/** What somebody must know before they trust what they see of a file. */
export function FileNotes({ file }: { file: FileHead }): VNode {
  const { now, cutAt, bytes, comparisons } = file;
  return (
    <>
      {now === "changed" && (
        <Note tone="needs" word="Changed since asked." role="status">
          This is the file as it was when the question was asked; your decision is about this version. The file on disk
          has changed since.
        </Note>
      )}
      {now !== undefined && now !== "changed" && (
        <Note tone="needs" word="No longer readable." role="status">
          This is the file as it was when the question was asked. Now: <Visible text={now} />.
        </Note>
      )}
      {cutAt !== undefined && (
        <Note tone="needs" word="Cut off.">
          Only the first {sizeOf(cutAt)}
          {bytes === undefined ? "" : ` of ${sizeOf(bytes)}`} were kept, so it is not compared with anything. The hash
          is of the whole file.
          <FileFacts file={file} />
        </Note>
      )}
      {comparisons
        .filter(({ side, unchanged }) => side === "approved" && unchanged)
        .map(({ side, label }) => (
          <Note tone="quiet" key={side}>
            Unchanged since it was last approved (<Visible text={label} />
            ).
          </Note>
        ))}
      {comparisons
        .filter(({ refused }) => refused !== undefined && refused !== "missing")
        .map(({ side, label, refused }) => (
          <Note tone="quiet" key={side}>
            Not compared with <Visible text={label} />: <Visible text={refused ?? ""} />.
          </Note>
        ))}
    </>
  );
}

/** A file that has no text to show: why, and what it is known by. */
export function RefusedFile({ file }: { file: FileHead }): VNode {
  return (
    <div class="file-refused">
      <Note tone="quiet" icon="none" word="Not shown.">
        {explain(file.refused ?? "")}
      </Note>
      <FileFacts file={file} />
    </div>
  );
}

function FileFacts({ file: { path, bytes, sha256 } }: { file: FileHead }): VNode {
  return (
    <dl class="file-known">
      <dt>Path</dt>
      <dd dir="ltr">
        <Visible text={path} />
      </dd>
      {bytes !== undefined && (
        <>
          <dt>Size</dt>
          <dd>
            {sizeOf(bytes)} ({bytes.toLocaleString("en")} bytes)
          </dd>
        </>
      )}
      {sha256 !== undefined && (
        <>
          <dt>SHA-256</dt>
          <dd class="file-hash">{sha256}</dd>
        </>
      )}
    </dl>
  );
}

function explain(refused: string): VNode {
  if (refused === "missing") return <>The file was not there when the question was asked.</>;
  if (refused === "not text") return <>The file is not text. Compare its hash if you know what it should be.</>;
  return (
    <>
      <Visible text={refused.charAt(0).toUpperCase() + refused.slice(1)} />.
    </>
  );
}
