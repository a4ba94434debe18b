/** What keys mean on the screen that is shown, where that differs from what they mean elsewhere. */
import type { KeyAction } from "../model/keys.js";

let own: Partial<Record<KeyAction, () => void>> = {};

/** Until the screen is left; answers how to end it. */
export function takeKeys(actions: Partial<Record<KeyAction, () => void>>): () => void {
  own = actions;
  return () => {
    if (own === actions) own = {};
  };
}

export function ownAction(action: KeyAction): (() => void) | undefined {
  return own[action];
}
