/** That the code or the contract of a run was changed under way, and how. */
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { exactTime } from "../model/ages.js";
import { Icon } from "../parts/icons.js";
import { UserText } from "../parts/user-text.js";
import { type CodeNote, type ContractNote, changeNotes } from "./change-list.js";
import { CodeDiff } from "./code-diff.js";
import type { RunData } from "./run-data.js";

export function ChangeNotes({ data }: { data: RunData }) {
  const { code, contract } = changeNotes(data.shownEvents.value, data.state.value);
  if (code.length === 0 && contract.length === 0) return null;
  return (
    <section class="run-changes" aria-label="What changed along the way">
      {code.length === 0 ? null : (
        <Note word="Code changed" count={code.length}>
          {code.map((note) => (
            <CodeItem key={note.seq} note={note} data={data} />
          ))}
        </Note>
      )}
      {contract.length === 0 ? null : (
        <Note word="Contract changed" count={contract.length}>
          {contract.map((note) => (
            <ContractItem key={note.at} note={note} />
          ))}
        </Note>
      )}
    </section>
  );
}

function Note({ word, count, children }: { word: string; count: number; children: ComponentChildren }) {
  const [open, setOpen] = useState(false);
  return (
    <details class="run-change" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <span class="chip" data-tone="needs">
          <Icon name={word === "Code changed" ? "code" : "report"} />
          {count === 1 ? word : `${word} ${count} times`}
        </span>
      </summary>
      {open ? <ul class="run-change-list">{children}</ul> : null}
    </details>
  );
}

function CodeItem({ note: { seq, at, files, lost, accepted }, data }: { note: CodeNote; data: RunData }) {
  return (
    <li>
      <p>
        <span class="quiet">
          Event {seq}, {exactTime(at)}:
        </span>{" "}
        {accepted === undefined ? "changed" : "accepted by "}
        {accepted === undefined ? null : <UserText text={accepted} />}{" "}
        {files.map((file, index) => (
          <span key={file}>
            {index === 0 ? "" : ", "}
            <code>
              <UserText text={file} />
            </code>
          </span>
        ))}
      </p>
      {lost.map((text) => (
        <p key={text} class="mark" data-tone="bad">
          <Icon name="warning" /> Breakpoint lost: <UserText text={text} />
        </p>
      ))}
      {accepted === undefined ? <CodeDiff seq={seq} data={data} /> : null}
    </li>
  );
}

function ContractItem({ note: { at, terms } }: { note: ContractNote }) {
  return (
    <li>
      <p class="quiet">{exactTime(at)}</p>
      <dl class="run-terms">
        {terms.map(({ term, was, is }) => (
          <div key={term}>
            <dt>
              <UserText text={term} />
            </dt>
            <dd>
              {was === undefined ? <span class="quiet">nothing</span> : <UserText text={was} />} →{" "}
              {is === undefined ? <span class="quiet">nothing</span> : <UserText text={is} />}
            </dd>
          </div>
        ))}
      </dl>
    </li>
  );
}
