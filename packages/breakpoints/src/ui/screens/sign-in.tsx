/** How a browser becomes known: by a link that works once. */
import { signal } from "@preact/signals";
import { signIn } from "../api/inbox-api.js";
import { problemOf, type RequestProblem } from "../api/request.js";
import { keepToken, signedOutBecause, token } from "../api/session.js";
import { deviceName } from "../model/device-name.js";
import { go } from "../parts/address.js";
import { Command } from "../parts/command.js";
import { Icon } from "../parts/icons.js";
import { Problem } from "../parts/problem.js";

const COMMAND = "babysitter ui";

const trying = signal(false);
const refused = signal<RequestProblem | undefined>(undefined);

/** Takes the secret out of the address before anything else can see it there. */
export function takeSecret(): string | undefined {
  if (location.pathname !== "/sign-in" || location.hash.length < 2) return undefined;
  const secret = location.hash.slice(1);
  history.replaceState(null, "", "/sign-in");
  return secret;
}

export async function signInWith(secret: string): Promise<void> {
  trying.value = true;
  refused.value = undefined;
  try {
    const reply = await signIn({ link: secret, name: deviceName(navigator.userAgent) });
    keepToken(reply.token);
    go("/", { replace: true });
  } catch (error) {
    // A link that is opened twice, in a browser that it has signed in.
    if (token.peek() !== null) go("/", { replace: true });
    else refused.value = problemOf(error);
  }
  trying.value = false;
}

export function SignIn() {
  const problem = refused.value;
  const because = signedOutBecause.value;
  document.title = "Sign in · Babysitter";
  if (trying.value)
    return (
      <main id="main" class="door" aria-busy="true">
        <h1>Signing in…</h1>
      </main>
    );
  return (
    <main id="main" class="door">
      <p class="door-brand">
        <Icon name="brand" />
        Babysitter
      </p>
      <h1>{because === "expired" ? "Your session has ended" : "Sign in to the inbox"}</h1>
      {problem === undefined ? null : (
        <Problem
          message={
            problem.status === 0 ? problem.message : "This link does not work: it was already used, or has expired."
          }
          hint="Every link works once, for a few minutes. Get a new one."
        />
      )}
      <p>Run this in a terminal. It opens the inbox and signs this browser in.</p>
      <Command text={COMMAND} />
      <p class="quiet small">
        {because === undefined
          ? "No password needed: only those who can run commands as you on this machine can sign in. Over SSH, it prints a link, and the ssh command to run on your own machine."
          : "Your drafts are kept in this browser. Once you are signed in, you are back where you were."}
      </p>
    </main>
  );
}
