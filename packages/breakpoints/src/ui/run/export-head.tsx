/** Above a run that was exported: when, by which version, what is not in it, and whether its journal was whole then. */
import type { RunDocument } from "../../wire/run-document.js";
import { exactTime } from "../model/ages.js";
import { Icon } from "../parts/icons.js";
import "../styles/export.css";

export function ExportHead({ document }: { document: RunDocument }) {
  const { exportedAt, version, integrity, redacted } = document;
  return (
    <header class="export-head">
      <p class="export-what">
        <Icon name="report" />
        <span>
          <strong>Exported run</strong>{" "}
          <span class="quiet">
            <time dateTime={exportedAt}>{exactTime(exportedAt)}</time>, Babysitter {version}
          </span>
        </span>
      </p>
      <ul class="export-facts">
        <li class="chip" data-tone={integrity.ok ? "good" : "bad"}>
          <Icon name={integrity.ok ? "check" : "warning"} />
          {integrity.ok ? "Journal was whole" : "Journal was damaged"}
        </li>
        <li class="chip" data-tone={redacted === null ? "needs" : "quiet"}>
          <Icon name={redacted === null ? "warning" : "check"} />
          {redacted === null ? "Not redacted" : "Redacted"}
        </li>
      </ul>
      <LeftOut document={document} />
    </header>
  );
}

function LeftOut({ document: { leftOut, files, moreFiles, transcripts } }: { document: RunDocument }) {
  const missing = [...files, ...transcripts].filter((part) => part.missing !== null).length;
  const parts = [
    ...(leftOut.values === 0 ? [] : [`${leftOut.values} long ${leftOut.values === 1 ? "value" : "values"}`]),
    ...(missing === 0 ? [] : [`all or a part of ${missing} ${missing === 1 ? "file" : "files"}`]),
    ...(moreFiles ? ["further files"] : []),
  ];
  return parts.length === 0 ? null : <p class="quiet export-left">Not in this export: {parts.join(", ")}.</p>;
}
