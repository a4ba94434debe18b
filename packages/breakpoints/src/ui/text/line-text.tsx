/** Placeholder of the room ui/text. */
import type { VNode } from "preact";
import { visibleText } from "./visible.js";

export function Visible({ text }: { text: string }): VNode {
  return <>{visibleText(text)}</>;
}
