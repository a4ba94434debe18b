/** A value that others have made, to be opened piece by piece: nothing is drawn before somebody asks for it. */
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { CopyButton } from "../parts/copy-button.js";
import { Visible } from "../text/line-text.js";
import { childrenOf, cutString, isContainer, MOST_CHILDREN, sizeWords } from "./json-shape.js";

interface JsonTreeProps {
  value: unknown;
  /** What it is, for whoever copies it. */
  what: string;
}

export function JsonTree({ value, what }: JsonTreeProps) {
  return (
    <div class="json">
      <Node name={undefined} value={value} isOpen />
      <div class="json-tools">
        <CopyButton text={JSON.stringify(value, null, 2) ?? "null"} what={what} word="Copy" />
      </div>
    </div>
  );
}

function Node({ name, value, isOpen = false }: { name: string | undefined; value: unknown; isOpen?: boolean }) {
  const [open, setOpen] = useState(isOpen);
  if (!isContainer(value))
    return (
      <div class="json-leaf">
        <Name name={name} />
        <Leaf value={value} />
      </div>
    );
  return (
    <details class="json-node" open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <Name name={name} />
        <span class="quiet">{sizeWords(value)}</span>
      </summary>
      {open ? <Children value={value} /> : null}
    </details>
  );
}

function Children({ value }: { value: object }) {
  const [most, setMost] = useState(MOST_CHILDREN);
  const { children, left } = childrenOf(value, most);
  return (
    <div class="json-children">
      {children.map(([name, child]) => (
        <Node key={name} name={name} value={child} />
      ))}
      {left === 0 ? null : (
        <MoreButton onClick={() => setMost(most * 4)}>{left.toLocaleString("en")} more: show some</MoreButton>
      )}
    </div>
  );
}

function Name({ name }: { name: string | undefined }) {
  if (name === undefined) return null;
  return (
    <span class="json-name">
      <bdi>
        <Visible text={name} />
      </bdi>
      {": "}
    </span>
  );
}

function Leaf({ value }: { value: unknown }) {
  if (typeof value === "string") return <Text text={value} />;
  return <span class="json-value">{String(value)}</span>;
}

function Text({ text }: { text: string }) {
  const [all, setAll] = useState(false);
  const { shown, left } = cutString(text);
  if (text === "") return <span class="quiet">empty</span>;
  return (
    <>
      <bdi class="json-text pre" dir="auto">
        <Visible text={all ? text : shown} />
      </bdi>
      {left === 0 || all ? null : (
        <MoreButton onClick={() => setAll(true)}>Show all {text.length.toLocaleString("en")} characters</MoreButton>
      )}
    </>
  );
}

function MoreButton({ onClick, children }: { onClick: () => void; children: ComponentChildren }) {
  return (
    <button type="button" class="button json-more" data-kind="quiet" onClick={onClick}>
      {children}
    </button>
  );
}
