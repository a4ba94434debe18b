/** A link inside the inbox: without a new page, unless somebody wants a tab. */
import type { AnchorHTMLAttributes, ComponentChildren } from "preact";
import { go } from "./address.js";

interface LinkProps extends Omit<AnchorHTMLAttributes, "href" | "role"> {
  to: string;
  replace?: boolean;
  /** It was followed; `byKey` when Enter was pressed on it. */
  onFollow?: (byKey: boolean) => void;
  children?: ComponentChildren;
  [data: `data-${string}`]: string | undefined;
}

export function Link({ to, replace = false, onFollow, children, ...rest }: LinkProps) {
  const onClick = (event: MouseEvent): void => {
    if (event.defaultPrevented || event.button !== 0) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    onFollow?.(event.detail === 0);
    go(to, { replace });
  };
  return (
    <a {...rest} href={to} onClick={onClick}>
      {children}
    </a>
  );
}
