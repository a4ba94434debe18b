/** Once it was so it stays so: what is there does not go away under the eyes. */
import { useRef } from "preact/hooks";

export function useOnce(isSo: boolean): boolean {
  const was = useRef(isSo);
  was.current ||= isSo;
  return was.current;
}
