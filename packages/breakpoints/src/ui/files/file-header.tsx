import { Fragment, type VNode } from "preact";
import type { FileHead } from "../../wire/inbox-wire.js";
import { CopyButton } from "../parts/copy-button.js";
import { Visible } from "../text/line-text.js";
import { comparable, isNew, sizeOf } from "./file-views.js";

export interface FileHeaderProps {
  file: FileHead;
  changes: { added: number; removed: number } | undefined;
  commentCount: number;
}

/** The path of a file, and what there is to know about it in one line. */
export function FileHeader({ file, changes, commentCount }: FileHeaderProps): VNode {
  const cut = file.path.lastIndexOf("/") + 1;
  const facts = [
    file.bytes === undefined ? undefined : sizeOf(file.bytes),
    file.language,
    commentCount === 0 ? undefined : `${commentCount} ${commentCount === 1 ? "comment" : "comments"}`,
  ].filter((fact) => fact !== undefined);
  return (
    <header class="file-header">
      <h3 class="file-path" dir="ltr">
        <span class="file-folder">
          {file.path
            .slice(0, cut)
            .split(/(?<=\/)/u)
            .map((folder, index) => (
              <Fragment key={index}>
                <Visible text={folder} />
                <wbr />
              </Fragment>
            ))}
        </span>
        <Visible text={file.path.slice(cut)} />
      </h3>
      <p class="file-facts">
        {isNew(file) && (
          <span class="chip" data-tone="good">
            + New
          </span>
        )}
        {file.refused === "missing" && (
          <span class="chip" data-tone="bad">
            {comparable(file).length > 0 ? "− Deleted" : "− Missing"}
          </span>
        )}
        {changes !== undefined &&
          (changes.added + changes.removed === 0 ? (
            <span>No changes</span>
          ) : (
            <span>
              <span class="count-added">+{changes.added}</span> <span class="count-removed">−{changes.removed}</span>
            </span>
          ))}
        {facts.map((fact) => (
          <span key={fact}>
            <Visible text={fact} />
          </span>
        ))}
      </p>
      <CopyButton text={file.path} what="the path" />
    </header>
  );
}
