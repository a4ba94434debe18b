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

export function dropToken(because: "expired" | "signed-out"): void {
  token.value = null;
  signedOutBecause.value = because;
  try {
    localStorage.removeItem(TOKEN);
  } catch {
    // Nothing was kept.
  }
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
