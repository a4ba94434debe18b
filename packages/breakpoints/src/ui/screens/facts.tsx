/** What the process has added to its question, and what only matters when somebody looks for it. */
import type { QuestionDetail } from "../../wire/inbox-wire.js";
import { exactTime } from "../model/ages.js";
import { counted } from "../model/counted.js";
import { runAddress } from "../model/routes.js";
import { CopyButton } from "../parts/copy-button.js";
import { Link } from "../parts/link.js";
import { Prose } from "../parts/prose.js";
import { UserText } from "../parts/user-text.js";

export function Facts({ facts }: Pick<QuestionDetail, "facts">) {
  const entries = Object.entries(facts);
  if (entries.length === 0) return null;
  return (
    <section class="section" aria-labelledby="facts">
      <h2 id="facts">Context</h2>
      <dl class="facts">
        {entries.map(([name, value]) => (
          <div key={name} data-short={isShort(value) ? "" : undefined}>
            <dt>
              <UserText text={name} />
            </dt>
            <dd>
              <Value value={value} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

const SHORT_VALUE = 24;

/** Fits beside its name where there is little room. */
function isShort(value: unknown): boolean {
  return typeof value === "string" ? value.length <= SHORT_VALUE : typeof value !== "object" || value === null;
}

function Value({ value }: { value: unknown }) {
  if (typeof value === "string") return <Prose text={value} />;
  if (typeof value === "boolean") return <>{value ? "yes" : "no"}</>;
  if (typeof value === "number") return <>{value.toLocaleString()}</>;
  if (value === null) return <span class="quiet">none</span>;
  if (Array.isArray(value) && value.length <= 8 && value.every((one) => typeof one === "string"))
    return <UserText text={value.join(", ")} block />;
  const text = JSON.stringify(value, null, 2);
  return (
    <details>
      <summary>
        {Array.isArray(value)
          ? counted(value.length, "entry", "entries")
          : counted(Object.keys(value as object).length, "field")}
      </summary>
      <pre class="pre">
        <UserText text={text} />
      </pre>
    </details>
  );
}

export function QuestionDetails({ question }: { question: QuestionDetail }) {
  const { id, run, project, askedAt, seenAt, decidedAt, shown, command } = question;
  return (
    <details>
      <summary>IDs, exact times and the terminal command</summary>
      <dl class="facts small">
        {question.title === undefined ? null : <Detail name="Title" text={question.title} />}
        <Detail name="Asked" text={exactTime(askedAt)} />
        {seenAt === undefined ? null : <Detail name="First opened" text={exactTime(seenAt)} />}
        {decidedAt === undefined ? null : <Detail name="Decided" text={exactTime(decidedAt)} />}
        <Detail name="Question" text={id} copy="the question's ID" />
        <Detail name="Run" text={run.id} copy="the run's ID" to={runAddress(run.id)} />
        <Detail name="Process" text={run.process} isCode />
        <Detail name="Project" text={project.root} copy="the project's path" />
        {shown === null ? null : <Detail name="Hash of what is shown" text={shown} copy="the hash" />}
        <Detail name="In a terminal" text={command} copy="the command" />
      </dl>
    </details>
  );
}

function Detail({
  name,
  text,
  copy,
  isCode = copy !== undefined,
  to,
}: {
  name: string;
  text: string;
  copy?: string;
  isCode?: boolean;
  /** Where more of it is. */
  to?: string;
}) {
  const shown = <UserText text={text} {...(isCode ? { class: "code" } : {})} />;
  return (
    <div>
      <dt>{name}</dt>
      <dd class="with-action">
        {to === undefined ? shown : <Link to={to}>{shown}</Link>}
        {copy === undefined ? null : <CopyButton text={text} what={copy} />}
      </dd>
    </div>
  );
}
