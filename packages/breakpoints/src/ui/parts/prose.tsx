/** Text that others have written: plain sentences as they are, everything else as markdown. */
import { Markdown } from "../text/markdown.js";
import { UserText } from "./user-text.js";

const MARKUP = /[\n*_`#[\]<>|~]|^\s*(?:[-+]|\d+[.)])\s|:\/\//u;

export function Prose({ text }: { text: string }) {
  return <div class="prose">{MARKUP.test(text) ? <Markdown text={text} /> : <UserText text={text} block />}</div>;
}
