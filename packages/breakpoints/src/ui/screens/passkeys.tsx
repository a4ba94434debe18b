/** Passkeys: adding, naming and removing them. */
import { useState } from "preact/hooks";
import type { PasskeyRow } from "../../wire/inbox-wire.js";
import { removePasskey } from "../api/inbox-api.js";
import { passkeyProblem } from "../api/passkey-problem.js";
import { createPasskey } from "../api/passkeys.js";
import { problemOf } from "../api/request.js";
import { deviceName } from "../model/device-name.js";
import { Icon } from "../parts/icons.js";
import { notify } from "../parts/notices.js";
import { Problem } from "../parts/problem.js";
import { UserText } from "../parts/user-text.js";
import { SkeletonCard } from "./settings-skeleton.js";

interface PasskeysProps {
  keys: PasskeyRow[] | undefined;
  onChange: () => Promise<void>;
}

export function Passkeys({ keys, onChange }: PasskeysProps) {
  return (
    <section class="section" aria-labelledby="passkeys">
      <h2 id="passkeys">Passkeys</h2>
      <p class="quiet small prose">
        With a passkey, only you can decide high-risk questions. Your fingerprint, face or security key signs exactly
        what you decide, and the run's journal keeps the signature. A program running as you could imitate this browser,
        but it cannot sign for you.
      </p>
      <ul class="cards">
        {keys === undefined ? <SkeletonCard /> : null}
        {keys?.map((key) => (
          <Passkey key={key.credentialId} passkey={key} isLast={keys.length === 1} onChange={onChange} />
        ))}
      </ul>
      {keys === undefined ? null : <NewPasskey hasOthers={keys.length > 0} onChange={onChange} />}
    </section>
  );
}

function Passkey({
  passkey,
  isLast,
  onChange,
}: {
  passkey: PasskeyRow;
  isLast: boolean;
  onChange: () => Promise<void>;
}) {
  const [asks, setAsks] = useState(false);
  const remove = async (): Promise<void> => {
    try {
      await removePasskey(passkey.credentialId);
      notify({ text: "Removed the passkey", about: passkey.name, tone: "quiet" });
      await onChange();
    } catch (error) {
      notify({ text: problemOf(error).message, tone: "bad" });
    }
  };
  return (
    <li class="card">
      <Icon name="key" />
      <div class="card-text">
        <strong>
          <UserText text={passkey.name} />
        </strong>
        {asks ? (
          <span class="small">
            Remove it?{" "}
            {isLast
              ? "Without a passkey, being signed in is enough to decide high-risk questions."
              : "It can no longer sign."}
          </span>
        ) : (
          <span class="quiet small code">{passkey.credentialId.slice(0, 16)}…</span>
        )}
      </div>
      {asks ? (
        <>
          <button type="button" class="button" onClick={() => setAsks(false)}>
            Keep
          </button>
          <button type="button" class="button" data-kind="no" onClick={() => void remove()}>
            Remove
          </button>
        </>
      ) : (
        <button type="button" class="button" onClick={() => setAsks(true)}>
          Remove…
          <span class="unseen">
            {" "}
            <UserText text={passkey.name} />
          </span>
        </button>
      )}
    </li>
  );
}

function NewPasskey({ hasOthers, onChange }: { hasOthers: boolean; onChange: () => Promise<void> }) {
  const [name, setName] = useState(() => deviceName(navigator.userAgent));
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const add = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (busy) return;
    if (name.trim() === "") return setProblem("Give it a name first.");
    setBusy(true);
    setProblem(undefined);
    try {
      await createPasskey(name.trim());
      notify({ text: "Added the passkey", about: name.trim(), tone: "good" });
      await onChange();
    } catch (error) {
      setProblem(passkeyProblem(error) ?? problemOf(error).message);
    }
    setBusy(false);
  };
  if (typeof PublicKeyCredential === "undefined")
    return <p class="quiet small">This browser does not support passkeys.</p>;
  return (
    <form class="new-passkey" onSubmit={(event) => void add(event)}>
      <div class="field">
        <label for="passkey-name">Passkey name</label>
        <input
          id="passkey-name"
          name="passkey-name"
          value={name}
          maxLength={80}
          autocomplete="off"
          onInput={(event) => setName(event.currentTarget.value)}
        />
      </div>
      <button type="submit" class="button" data-kind="primary" disabled={busy}>
        <Icon name="key" />
        {busy ? "Follow your browser…" : "Add a passkey"}
      </button>
      {hasOthers ? <p class="hint">You confirm it with a passkey that you already have.</p> : null}
      {problem === undefined ? null : <Problem message={problem} />}
    </form>
  );
}
