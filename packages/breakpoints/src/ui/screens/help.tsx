/** All keys, from the table that gives them their meaning. */
import { useEffect, useRef } from "preact/hooks";
import { KEYS, type KeyRow, SUBMIT_KEYS } from "../model/keys.js";
import { ALL_RUN_WORDS } from "../model/run-words.js";
import { Icon } from "../parts/icons.js";
import { helpOpen } from "./help-state.js";
import "../styles/help.css";

const GROUPS: KeyRow["group"][] = ["Move", "Decide", "Run", "Go to"];
const SHOWN: Record<string, string> = { Escape: "Esc", Enter: "↵" };

function close(): void {
  helpOpen.value = false;
}

export function Help() {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog
      ref={dialog}
      class="help"
      aria-labelledby="help-title"
      onClose={close}
      onClick={(event) => {
        if (event.target === dialog.current) dialog.current?.close();
      }}
    >
      <div class="help-inner">
        <header>
          <h2 id="help-title">Keys</h2>
          <button type="button" class="button" onClick={() => dialog.current?.close()}>
            Close
          </button>
        </header>
        <div class="help-groups">
          {GROUPS.map((group) => (
            <section key={group} aria-label={group}>
              <h3>{group}</h3>
              <dl>
                {KEYS.filter((row) => row.group === group).map((row) => (
                  <HelpRow key={row.says} press={row.press} says={row.says} />
                ))}
                {group === "Run" ? <HelpRow press={["1–6"]} says="Choose a tab: steps, events, logs…" /> : null}
                {group === "Run" ? <HelpRow press={["Escape"]} says="Back to now" /> : null}
                {group === "Decide" ? <HelpRow press={[SUBMIT_KEYS]} says="Send what you have typed" /> : null}
              </dl>
            </section>
          ))}
        </div>
        <section class="help-words" aria-labelledby="help-words">
          <h3 id="help-words">What the states of runs mean</h3>
          <dl>
            {ALL_RUN_WORDS.map(({ icon, word, tone, says }) => (
              <div key={word}>
                <dt class="mark" data-tone={tone}>
                  <Icon name={icon} />
                  {word}
                </dt>
                <dd>{says}</dd>
              </div>
            ))}
          </dl>
        </section>
        <p class="quiet small">
          Keys are off while you type. High-risk decisions always need a second step. To list the same questions in a
          terminal: <code>babysitter breakpoint:list</code>.
        </p>
      </div>
    </dialog>
  );
}

function HelpRow({ press, says }: Pick<KeyRow, "press" | "says">) {
  return (
    <div>
      <dt>
        {press.map((key, n) => (
          <span key={key}>
            {n > 0 ? " then " : ""}
            <kbd>{SHOWN[key] ?? key}</kbd>
          </span>
        ))}
      </dt>
      <dd>{says}</dd>
    </div>
  );
}
