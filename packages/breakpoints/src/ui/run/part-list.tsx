/** What there is to look at in a part of a run: one bold and one quiet line each, the chosen one marked. */
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { UserText } from "../parts/user-text.js";

interface PartRow {
  id: string;
  title: string;
  /** In one line, for phones: with it the list is a choice there, so that what is chosen is in sight. */
  option?: string;
  /** Below another one. */
  isInner?: boolean;
  about: ComponentChildren;
}

interface PartListProps {
  label: string;
  rows: readonly PartRow[];
  current: string | undefined;
  onChoose: (id: string) => void;
  children?: ComponentChildren;
}

const FIRST = 200;

export function PartList({ label, rows, current, onChoose, children }: PartListProps) {
  const [showsAll, showAll] = useState(false);
  const shown = showsAll ? rows : rows.filter(({ id }, index) => index < FIRST || id === current);
  return (
    <nav class="part-list" aria-label={label}>
      {rows[0]?.option === undefined ? null : (
        <label class="run-select part-choice">
          <span class="unseen">{label}</span>
          <select value={current} onChange={(event) => onChoose(event.currentTarget.value)}>
            {shown.map(({ id, option }) => (
              <option key={id} value={id}>
                {option}
              </option>
            ))}
          </select>
        </label>
      )}
      <ul>
        {shown.map(({ id, title, about, isInner }) => (
          <li key={id}>
            <button
              type="button"
              class="part-row"
              data-inner={isInner ? "" : undefined}
              aria-current={id === current ? "true" : undefined}
              onClick={() => onChoose(id)}
            >
              <UserText class="part-row-title" text={title} />
              <span class="part-row-about">{about}</span>
            </button>
          </li>
        ))}
      </ul>
      {shown.length < rows.length ? (
        <button type="button" class="button" data-kind="quiet" onClick={() => showAll(true)}>
          Show all {rows.length.toLocaleString("en")}
        </button>
      ) : null}
      {children}
    </nav>
  );
}
