/** A number that changes whenever colours, or how sharp the screen is, may have changed. */
import { type ReadonlySignal, useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";

export function useTheme(): ReadonlySignal<number> {
  const theme = useSignal(0);
  useEffect(() => {
    const change = (): void => void (theme.value += 1);
    const queries = ["(prefers-color-scheme: dark)", "(prefers-contrast: more)"].map((query) => matchMedia(query));
    for (const query of queries) query.addEventListener("change", change);
    // Zooming a page, or moving it to another screen, resizes it.
    addEventListener("resize", change);
    return () => {
      for (const query of queries) query.removeEventListener("change", change);
      removeEventListener("resize", change);
    };
  }, [theme]);
  return theme;
}
