import { Fragment, type VNode } from "preact";
import { useState } from "preact/hooks";
import type { FileHead } from "../../wire/inbox-wire.js";
import { Visible } from "../text/line-text.js";
import { isNew, sizeOf } from "./file-views.js";

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
            − Gone
          </span>
        )}
        {changes !== undefined && (
          <span>
            <span class="count-added">+{changes.added}</span> <span class="count-removed">−{changes.removed}</span>
          </span>
        )}
        {facts.map((fact) => (
          <span key={fact}>
            <Visible text={fact} />
          </span>
        ))}
        <CopyPath path={file.path} />
      </p>
    </header>
  );
}

function CopyPath({ path }: { path: string }): VNode {
  const [state, setState] = useState<"Copy path" | "Copied" | "Not allowed">("Copy path");
  const copy = (): void => {
    navigator.clipboard.writeText(path).then(
      () => setState("Copied"),
      () => setState("Not allowed"),
    );
  };
  return (
    <button
      type="button"
      class="button copy-path"
      data-kind="quiet"
      onClick={copy}
      onBlur={() => setState("Copy path")}
    >
      <span aria-live="polite">{state}</span>
    </button>
  );
}
