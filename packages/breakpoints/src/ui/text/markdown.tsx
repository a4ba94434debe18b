import type { VNode } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { languageOf } from "./languages.js";
import { Visible } from "./line-text.js";

type Renderer = (text: string) => string;

/** Once it is there, what comes next is rendered at once. */
let renderer: Renderer | undefined;

async function loadRenderer(): Promise<Renderer | undefined> {
  const part = await import("./render-markdown.js").catch(() => undefined);
  renderer = part?.renderMarkdown;
  return renderer;
}

/** Markdown of others. Until the part that renders it is there, and without it, its text is shown as it is. */
export function Markdown({ text }: { text: string }): VNode {
  const [render, setRender] = useState<{ with: Renderer | undefined }>({ with: renderer });
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (renderer !== undefined) return undefined;
    let gone = false;
    void loadRenderer().then((loaded) => gone || setRender({ with: loaded }));
    return () => {
      gone = true;
    };
  }, []);
  const html = useMemo(() => render.with?.(text), [text, render.with]);
  useLayoutEffect(() => {
    if (place.current !== null) void colourCode(place.current);
  }, [html]);
  if (html === undefined)
    return (
      <div class="markdown markdown-plain" dir="auto">
        <Visible text={text} />
      </div>
    );
  return <div class="markdown" dir="auto" ref={place} dangerouslySetInnerHTML={{ __html: html }} />;
}

/** Colours the code in it, where the language is known; nothing moves by that. */
async function colourCode(place: HTMLElement): Promise<void> {
  const blocks = [...place.querySelectorAll("pre > code[class^='language-']")].flatMap((block) => {
    const language = languageOf("", block.className.slice("language-".length));
    return language === undefined ? [] : [{ block, language }];
  });
  if (blocks.length === 0) return;
  const { highlightCode } = await import("./highlighter.js").catch(() => ({ highlightCode: () => undefined }));
  for (const { block, language } of blocks) {
    const lines = block.childElementCount === 0 ? highlightCode(block.textContent ?? "", language) : undefined;
    if (lines === undefined) continue;
    const nodes = lines.flatMap((spans, line) => [
      ...(line === 0 ? [] : ["\n"]),
      ...spans.map(({ text, kind }) => {
        if (kind === undefined) return text;
        const span = document.createElement("span");
        span.className = kind;
        span.textContent = text;
        return span;
      }),
    ]);
    block.replaceChildren(...nodes);
  }
}
