/** One file of a run: as text in its colours, as an image, or what is known of it. Never as a page. */
import { useEffect, useState } from "preact/hooks";
import type { FileHead } from "../../wire/inbox-wire.js";
import { FileReview } from "../files/file-review.js";
import { sizeOf } from "../files/file-views.js";
import { Problem } from "../parts/problem.js";
import { UserText } from "../parts/user-text.js";
import { visibleText } from "../text/visible.js";
import { readWhole, textPage } from "./byte-text.js";
import { type Content, contentOf, dataAddress, nameIn, type RunFile } from "./file-kinds.js";
import type { RunData } from "./run-data.js";
import { problemText, SaveButton } from "./save-button.js";

/** Larger ones would hold up the page. */
const SHOWN_IMAGE = 4 * 1024 * 1024;
const HASHED = 64 * 1024 * 1024;

interface OpenFileProps {
  data: RunData;
  file: RunFile;
  /** What it is compared with. */
  against?: RunFile | undefined;
}

export function OpenFile({ data, file, against }: OpenFileProps) {
  const [content, setContent] = useState<Content | { kind: "problem"; text: string }>();
  const [tries, setTries] = useState(0);
  useEffect(() => {
    let isGone = false;
    setContent(undefined);
    data.source.readFile(file.path, 0).then(
      ({ bytes }) => isGone || setContent(contentOf(bytes)),
      (error: unknown) => isGone || setContent({ kind: "problem", text: problemText(error) }),
    );
    return () => {
      isGone = true;
    };
  }, [data, file.path, tries]);
  if (content === undefined)
    return (
      <p class="part-note" aria-busy="true">
        Loading…
      </p>
    );
  if (content.kind === "problem")
    return <Problem message="The file could not be read." hint={content.text} onRetry={() => setTries(tries + 1)} />;
  if (content.kind === "text") return <TextFile data={data} file={file} against={against} />;
  if (content.kind === "image" && file.bytes <= SHOWN_IMAGE)
    return <ImageFile data={data} file={file} type={content.type} />;
  return <OtherFile data={data} file={file} />;
}

/** Nobody comments on the files of a run. */
export const NO_COMMENTS = {
  comments: [],
  canComment: false,
  readDraft: () => "",
  keepDraft: () => undefined,
  onComment: () => Promise.resolve(),
};

function TextFile({ data, file, against }: OpenFileProps) {
  const head: FileHead = {
    n: 0,
    path: file.path,
    bytes: file.bytes,
    ...(file.kind === "diff" ? { language: "diff" } : {}),
    comparisons: against === undefined ? [] : [{ side: "base", label: against.path, bytes: against.bytes }],
  };
  return (
    <FileReview
      {...NO_COMMENTS}
      tools={<SaveButton data={data} path={file.path} />}
      questionId={`${file.path}\n${against?.path ?? ""}\n${file.modifiedAt}`}
      file={head}
      loadPage={async (_n, side, from) =>
        textPage(await data.source.readFile(side === "file" ? file.path : (against?.path ?? ""), from), from)
      }
    />
  );
}

function ImageFile({ data, file, type }: OpenFileProps & { type: string }) {
  const bytes = useBytes(data, file);
  if (bytes === undefined)
    return (
      <p class="part-note" aria-busy="true">
        Loading…
      </p>
    );
  if (bytes instanceof Error) return <Problem message="The image could not be read." hint={bytes.message} />;
  return (
    <figure class="file-image">
      <img src={dataAddress(type, bytes)} alt={visibleText(`Image ${nameIn(file.path)}`)} />
      <figcaption>
        <UserText text={file.path} /> <span class="quiet">{sizeOf(file.bytes)}</span>{" "}
        <SaveButton data={data} path={file.path} />
      </figcaption>
    </figure>
  );
}

function OtherFile({ data, file }: OpenFileProps) {
  const isSmall = file.bytes <= HASHED;
  const hash = useHash(data, isSmall ? file : undefined);
  return (
    <div class="file-other">
      <p>This file is not text, so it is not shown. Download it to look at it, or compare its hash.</p>
      <dl class="file-known">
        <dt>Path</dt>
        <dd dir="ltr">
          <UserText text={file.path} />
        </dd>
        <dt>Size</dt>
        <dd>
          {sizeOf(file.bytes)} ({file.bytes.toLocaleString("en")} bytes)
        </dd>
        <dt>SHA-256</dt>
        <dd class="file-hash">{isSmall ? hash : "not computed for a file of this size"}</dd>
      </dl>
      <SaveButton data={data} path={file.path} />
    </div>
  );
}

function useBytes(data: RunData, file: RunFile | undefined): Uint8Array<ArrayBuffer> | Error | undefined {
  const [bytes, setBytes] = useState<Uint8Array<ArrayBuffer> | Error>();
  useEffect(() => {
    if (file === undefined) return undefined;
    let isGone = false;
    readWhole((from) => data.source.readFile(file.path, from)).then(
      (read) => isGone || setBytes(read),
      (error: unknown) => isGone || setBytes(new Error(problemText(error))),
    );
    return () => {
      isGone = true;
    };
  }, [data, file?.path, file?.modifiedAt]);
  return bytes;
}

function useHash(data: RunData, file: RunFile | undefined): string {
  const bytes = useBytes(data, file);
  const [hash, setHash] = useState("…");
  useEffect(() => {
    if (bytes === undefined) return;
    if (bytes instanceof Error) setHash(`not computed: ${bytes.message}`);
    else void hashOf(bytes).then(setHash, () => setHash("this browser does not compute it here"));
  }, [bytes]);
  return hash;
}

async function hashOf(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return [...digest].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
