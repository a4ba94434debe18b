/** Every check of every criterion, and every change of the contract, in their order; the chosen one in full. */

import { shownDuration } from "@a5c-ai/babysitter-sdk/view";
import { useState } from "preact/hooks";
import { exactTime } from "../model/ages.js";
import { CopyButton } from "../parts/copy-button.js";
import { Icon } from "../parts/icons.js";
import { UserText } from "../parts/user-text.js";
import { visibleText } from "../text/visible.js";
import {
  type Check,
  type Column,
  type CriterionRow,
  columnHeads,
  joinColumns,
  type Matrix,
  standingOf,
} from "./criteria-matrix.js";
import { OpenFile } from "./open-file.js";
import { OutputText } from "./output-text.js";
import type { RunData } from "./run-data.js";
import { STANDINGS } from "./standing-words.js";

/** As many as are looked at together; with more, equal ones are joined, and older ones wait to be asked for. */
const MOST = 40;

type ChecksColumn = Extract<Column, { kind: "checks" }>;
type ContractColumn = Extract<Column, { kind: "contract" }>;
type Chosen = { column: number; row: string | undefined };

export function CriteriaTable({ data, matrix }: { data: RunData; matrix: Matrix }) {
  const [showsAll, showAll] = useState(false);
  const [chosen, choose] = useState<Chosen>();
  const joined = joinColumns(matrix.columns, MOST);
  const columns = showsAll ? joined : joined.slice(-MOST);
  const column = columns.find(({ seq }) => seq === chosen?.column);
  const row = matrix.rows.find(({ id }) => id === chosen?.row);
  return (
    <section class="criteria-part" aria-labelledby="criteria-time">
      <h2 id="criteria-time">Over time</h2>
      {columns.length < joined.length ? (
        <button type="button" class="button" data-kind="quiet" onClick={() => showAll(true)}>
          Show {joined.length - columns.length} earlier
        </button>
      ) : null}
      <div class="criteria-scroll" role="region" aria-label="Checks in order" tabIndex={0}>
        <table class="criteria-table">
          <thead>
            <tr>
              <th scope="row">Iteration</th>
              {columnHeads(columns).map(({ column: one, span }) => (
                <th key={one.seq} scope={span === 1 ? "col" : "colgroup"} colSpan={span}>
                  <ColumnHead column={one} isChosen={one.seq === chosen?.column} onChoose={choose} />
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {matrix.rows.map((one) => (
              <tr key={one.id}>
                <th scope="row">
                  <UserText text={one.id} />
                </th>
                {columns.map((other) => (
                  <td key={other.seq}>
                    <Cell row={one} column={other} chosen={chosen} onChoose={choose} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {column?.kind === "contract" ? <ContractChange column={column} /> : null}
      {column?.kind === "checks" && row !== undefined ? <Evidence data={data} row={row} column={column} /> : null}
      {column === undefined ? <p class="part-note">Select a result to see its output.</p> : null}
    </section>
  );
}

interface HeadProps {
  column: Column;
  isChosen: boolean;
  onChoose: (chosen: Chosen) => void;
}

function ColumnHead({ column, isChosen, onChoose }: HeadProps) {
  if (column.kind === "checks")
    return <>{column.first === column.last ? column.first : `${column.first}–${column.last}`}</>;
  return (
    <button
      type="button"
      class="criteria-cell"
      data-tone="needs"
      aria-pressed={isChosen}
      aria-label={`Contract changed, ${exactTime(column.at)}`}
      title={`Contract changed, ${exactTime(column.at)}`}
      onClick={() => onChoose({ column: column.seq, row: undefined })}
    >
      <Icon name="report" />
    </button>
  );
}

interface CellProps {
  row: CriterionRow;
  column: Column;
  chosen: Chosen | undefined;
  onChoose: (chosen: Chosen) => void;
}

function Cell({ row, column, chosen, onChoose }: CellProps) {
  if (column.kind === "contract") return <span class="criteria-changed" />;
  const check = column.checks.get(row.id);
  if (check === undefined) return <span class="criteria-none">not checked</span>;
  const { icon, word, tone } = STANDINGS[standingOf(check, row.isMustNot)];
  const says = visibleText(
    `${row.id}: ${word.toLowerCase()}${check.flaky ? ", flaky" : ""}, iteration ${column.last}, ${exactTime(column.at)}`,
  );
  return (
    <button
      type="button"
      class="criteria-cell"
      data-tone={check.flaky ? "needs" : tone}
      aria-pressed={chosen?.column === column.seq && chosen.row === row.id}
      aria-label={says}
      title={says}
      onClick={() => onChoose({ column: column.seq, row: row.id })}
    >
      <Icon name={icon} />
    </button>
  );
}

function ContractChange({ column: { at, terms } }: { column: ContractColumn }) {
  return (
    <div class="criteria-evidence">
      <h3>Contract changed, {exactTime(at)}</h3>
      <dl class="part-terms">
        {terms.map(({ term, was, is }) => (
          <div key={term}>
            <dt>
              <UserText text={term} />
            </dt>
            <dd>
              {was === undefined ? "nothing" : <UserText class="code" text={was} />} →{" "}
              {is === undefined ? "nothing" : <UserText class="code" text={is} />}
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

function Evidence({ data, row, column }: { data: RunData; row: CriterionRow; column: ChecksColumn }) {
  const check = column.checks.get(row.id);
  if (check === undefined) return null;
  const { word } = STANDINGS[standingOf(check, row.isMustNot)];
  return (
    <div class="criteria-evidence">
      <h3>
        <UserText text={row.id} />: {word.toLowerCase()}
        {check.flaky ? ", flaky" : ""}
      </h3>
      <EvidenceFacts row={row} check={check} />
      {check.tail === "" ? null : <OutputText text={check.tail} />}
      <EvidenceFile key={check.seq} data={data} path={check.evidence} />
    </div>
  );
}

const OUTCOMES: Record<Check["outcome"], string> = {
  met: "passed",
  unmet: "did not pass",
  "timed-out": "took too long and was stopped",
  "not-started": "could not be started",
};

function EvidenceFacts({ row, check }: { row: CriterionRow; check: Check }) {
  const { outcome, exitCode, signal, durationMs, before, after, at, flaky, alone } = check;
  const end = exitCode !== null ? `exit code ${exitCode}` : signal === null ? "" : `signal ${signal}`;
  return (
    <dl class="part-terms">
      <div>
        <dt>{check.kind === "file" ? "File" : "Command"}</dt>
        <dd>
          <UserText class="code" text={check.text ?? row.text} />
        </dd>
      </div>
      <div>
        <dt>End</dt>
        <dd>
          {[OUTCOMES[outcome], end].filter((text) => text !== "").join(", ")}, after {shownDuration(durationMs)}
        </dd>
      </div>
      <div>
        <dt>Tree</dt>
        <dd class="part-hash">
          <UserText class="code" text={after} />
          <CopyButton text={after} what="the hash of the tree" />
          {before === after ? null : <span>the files changed during the check</span>}
        </dd>
      </div>
      <div>
        <dt>When</dt>
        <dd>
          {exactTime(at)}
          {alone ? ", while no agent was working" : ""}
        </dd>
      </div>
      {flaky ? (
        <div>
          <dt>Flaky</dt>
          <dd>it both passed and failed on the same tree, so neither result says much</dd>
        </div>
      ) : null}
    </dl>
  );
}

function EvidenceFile({ data, path }: { data: RunData; path: string | undefined }) {
  const [isOpen, open] = useState(false);
  const file = data.files.value?.files.find((one) => one.path === path);
  if (path === undefined) return null;
  if (file === undefined) return <p class="part-note">The full output is no longer available.</p>;
  if (isOpen) return <OpenFile data={data} file={file} />;
  return (
    <button type="button" class="button" onClick={() => open(true)}>
      Show the full output
    </button>
  );
}
