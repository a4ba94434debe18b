/** A part that is loaded when it is first needed. */
import type { ComponentChild, ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";

interface Loading {
  /** Stands in its place meanwhile. */
  meanwhile: ComponentChild;
  /** When it cannot be loaded. */
  otherwise: ComponentChild;
}

export function lazyPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  { meanwhile, otherwise }: Loading,
): ComponentType<Props> {
  let loaded: ComponentType<Props> | undefined;
  return function Lazy(props: Props) {
    const [Part, setPart] = useState(() => loaded);
    const [failed, setFailed] = useState(false);
    useEffect(() => {
      if (Part !== undefined) return;
      void (async () => {
        try {
          const part = await load();
          loaded = part;
          setPart(() => part);
        } catch {
          setFailed(true);
        }
      })();
    }, [Part]);
    if (Part !== undefined) return <Part {...props} />;
    return <>{failed ? otherwise : meanwhile}</>;
  };
}
