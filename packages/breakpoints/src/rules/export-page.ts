/** The one file of an exported run. It needs nothing from elsewhere, and its policy lets nothing else in. */
import type { Redactions, RunDocument } from "../wire/run-document.js";

export interface PageParts {
  title: string;
  script: string;
  style: string;
  /** Of script and style, as a policy names them: `sha256-…`. */
  hashes: { script: string; style: string };
  /** The document, packed, in base64: no text of others can end a tag. */
  packed: string;
  /** Of what is built into the script. */
  licenses: string;
}

export function exportPage({ title, script, style, hashes, packed, licenses }: PageParts): string {
  const policy = [
    "default-src 'none'",
    `script-src '${hashes.script}'`,
    `style-src '${hashes.style}'`,
    "img-src data:",
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types dompurify",
  ].join("; ");
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="referrer" content="no-referrer">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(title)}</title>
<link rel="icon" href="data:,">
<style>${style}</style>
</head>
<body>
<div id="app"></div>
<noscript>This file shows a run of Babysitter. It needs JavaScript, and nothing from the network.</noscript>
<script type="application/octet-stream;base64" id="document">${packed}</script>
<script type="text/plain" id="licenses">${escaped(licenses)}</script>
<script type="module">${script}</script>
</body>
</html>
`;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}

/** One of them, and several. */
const KINDS: Readonly<Record<keyof Redactions, readonly [string, string]>> = {
  secret: ["secret", "secrets"],
  environment: ["environment value", "environment values"],
  home: ["home folder", "home folders"],
  user: ["person's name", "people's names"],
  host: ["machine name", "machine names"],
  email: ["e-mail address", "e-mail addresses"],
  content: ["content of an artifact or a transcript", "contents of artifacts and transcripts"],
};

function counted(count: number, [one, several]: readonly [string, string]): string {
  return `${count} ${count === 1 ? one : several}`;
}

/** What is in the document, and what was taken out of it, for whoever is about to pass it on. */
export function contentsText(document: RunDocument): string {
  const { events, leftOut, files, moreFiles, transcripts, redacted } = document;
  const count = (kind: string): string => {
    const some = files.filter((file) => file.kind === kind && file.content !== null);
    const all = files.filter((file) => file.kind === kind);
    return all.length === some.length ? String(all.length) : `${all.length}, of which ${some.length} with content`;
  };
  const said = transcripts.filter(({ entries }) => entries.length > 0).length;
  return [
    `Events: ${events.length}${leftOut.values === 0 ? "" : `; left out: ${counted(leftOut.values, ["long value", "long values"])} (${leftOut.bytes} bytes)`}`,
    `Logs: ${count("log")}`,
    `Evidence: ${count("evidence")}`,
    `Code changes: ${count("diff")}`,
    `Artifacts: ${count("artifact")}`,
    ...(moreFiles ? ["Not all files are listed."] : []),
    `Transcripts: ${transcripts.length === said ? said : `${transcripts.length}, of which ${said} with content`}`,
    ...files
      .filter(({ missing }) => missing !== null)
      .slice(0, MOST_NAMED)
      .map(({ path, missing }) => `  ${path}: ${missing}`),
    ...(redacted === null ? [] : redactionLines(redacted)),
  ].join("\n");
}

const MOST_NAMED = 10;

function redactionLines(redacted: Redactions): string[] {
  const kinds = (Object.keys(KINDS) as (keyof Redactions)[]).flatMap((kind) => {
    const part = redacted[kind];
    if (part === undefined) return [];
    return [`  ${counted(part.count, KINDS[kind])}`, ...part.places.map((place) => `    ${place}`)];
  });
  return ["Redacted:", ...(kinds.length === 0 ? ["  nothing was found"] : kinds)];
}

/** The same in one line. */
export function redactionSummary(redacted: Redactions): string {
  const kinds = (Object.keys(KINDS) as (keyof Redactions)[]).flatMap((kind) =>
    redacted[kind] === undefined ? [] : [counted(redacted[kind].count, KINDS[kind])],
  );
  return kinds.length === 0 ? "nothing was found" : kinds.join(", ");
}
