/** What is not as it should be, before anybody decides. */
import type { ComponentChildren } from "preact";
import type { FileHead, QuestionDetail } from "../../wire/inbox-wire.js";
import { Icon } from "../parts/icons.js";
import { UserText } from "../parts/user-text.js";

export function Warnings({ question }: { question: QuestionDetail }) {
  if (question.state !== "open") return null;
  const changed = question.files.filter((file) => file.now !== undefined);
  const withheld = question.files.filter((file) => file.refused !== undefined);
  if (changed.length === 0 && withheld.length === 0) return null;
  return (
    <div class="warnings">
      {changed.length > 0 ? (
        <Warning title="Changed since asked:">
          <Names files={changed} /> Below is the version you were asked about.
        </Warning>
      ) : null}
      {withheld.length > 0 ? (
        <Warning title="Cannot be shown:">
          <Names files={withheld} />
        </Warning>
      ) : null}
    </div>
  );
}

function Warning({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <div class="callout" data-tone="needs">
      <Icon name="warning" />
      <div class="callout-text">
        <strong>{title}</strong> {children}
      </div>
    </div>
  );
}

function Names({ files }: { files: FileHead[] }) {
  const more = files.length - 3;
  return (
    <>
      {files.slice(0, 3).map(({ path }, n) => (
        <span key={path}>
          {n > 0 ? ", " : ""}
          <UserText text={path} class="code" />
        </span>
      ))}
      {more > 0 ? ` and ${more} more` : ""}.
    </>
  );
}
