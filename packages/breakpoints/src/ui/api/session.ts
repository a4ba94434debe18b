/** Who this browser is to the server: a token that ends, kept where all tabs find it. */
import { signal } from "@preact/signals";

const TOKEN = "babysitter.token";

/** Null when nobody is signed in. */
export const token = signal<string | null>(read());
/** Why the sign-in screen is shown, when it is not the first time. */
export const signedOutBecause = signal<"expired" | "signed-out" | undefined>(undefined);

function read(): string | null {
  try {
    return localStorage.getItem(TOKEN);
  } catch {
    return null;
  }
}

export function keepToken(value: string): void {
  token.value = value;
  signedOutBecause.value = undefined;
  try {
    localStorage.setItem(TOKEN, value);
  } catch {
    // Without storage the session lasts as long as this tab.
  }
}

export function signedOut(): void {
  token.value = null;
  signedOutBecause.value = "signed-out";
  try {
    localStorage.removeItem(TOKEN);
  } catch {
    // Nothing was kept.
  }
}

/**
 * The server no longer knows the token. What is kept stays: another tab may be signing in at this moment, and what it
 * has been given would be taken away from all tabs.
 */
export function sessionEnded(refused: string): void {
  if (token.peek() !== refused) return;
  const kept = read();
  token.value = kept === refused ? null : kept;
  if (token.peek() === null) signedOutBecause.value = "expired";
}

/** Other tabs sign in and out too. */
export function followOtherTabs(): void {
  addEventListener("storage", (event) => {
    if (event.key !== TOKEN && event.key !== null) return;
    const now = read();
    if (now === null && token.value !== null) signedOutBecause.value = "signed-out";
    token.value = now;
  });
}
