/** The steps of two runs in rows; what differs in one can be opened. */
import { shownDuration } from "@a5c-ai/babysitter-sdk/view";
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { Icon } from "../parts/icons.js";
import { UserText } from "../parts/user-text.js";
import { Words } from "../parts/words.js";
import { type ComparedStep, lengthOf, type StepSide, shownInput, shownResult } from "./compare-runs.js";
import { differenceNote, type RunNames, titlesOf } from "./compare-words.js";
import type { Standing } from "./run-words.js";
import { spanStanding } from "./step-words.js";
import { ValueDifference } from "./value-difference.js";

interface StepsProps {
  steps: readonly ComparedStep[];
  partsAt: number | undefined;
  names: RunNames;
  onOpen: (step: ComparedStep) => void;
}

const FIRST = 200;

export function ComparedSteps({ steps, partsAt, names, onOpen }: StepsProps) {
  const [most, setMost] = useState(Math.max(FIRST, (partsAt ?? 0) + 50));
  return (
    <section aria-labelledby="compare-steps">
      <h2 id="compare-steps" class="compare-row">
        Steps
      </h2>
      <ol>
        {steps.slice(0, most).map((step, index) => (
          <li key={step.key} class="compare-step" data-parts={index === partsAt ? "" : undefined}>
            <StepRow step={step} isFirst={index === partsAt} names={names} onOpen={onOpen} />
          </li>
        ))}
      </ol>
      {steps.length > most ? (
        <button type="button" class="button compare-more" data-kind="quiet" onClick={() => setMost(most + FIRST)}>
          Show more of {steps.length.toLocaleString("en")}
        </button>
      ) : null}
    </section>
  );
}

interface StepRowProps {
  step: ComparedStep;
  isFirst: boolean;
  names: RunNames;
  onOpen: (step: ComparedStep) => void;
}

function StepRow({ step, isFirst, names, onOpen }: StepRowProps) {
  const [isOpen, setOpen] = useState(false);
  const { left, right } = step;
  const note = differenceNote(step, names);
  const canOpen = note.length > 0 && (left ?? right)?.request !== undefined;
  const cells = (
    <>
      <span class="compare-name">
        <Titles step={step} names={names} />
        {note.length === 0 ? null : (
          <span class="chip" data-tone={isFirst ? "needs" : "quiet"}>
            {isFirst ? <Icon name="warning" /> : null}
            <span>
              <Words parts={note} />
            </span>
          </span>
        )}
        {canOpen ? <Icon name="down" /> : null}
      </span>
      <Side name={names.left}>
        <StepState side={left} />
      </Side>
      <Side name={names.right}>
        <StepState side={right} />
      </Side>
    </>
  );
  if (!canOpen) return <div class="compare-row">{cells}</div>;
  const onToggle = ({ currentTarget: { open } }: { currentTarget: HTMLDetailsElement }): void => {
    setOpen(open);
    if (open) onOpen(step);
  };
  return (
    <details onToggle={onToggle}>
      <summary class="compare-row">{cells}</summary>
      {isOpen ? (
        <div class="compare-values">
          <ValueDifference what="input" left={shownInput(left)} right={shownInput(right)} names={names} />
          <ValueDifference what="result" left={shownResult(left)} right={shownResult(right)} names={names} />
        </div>
      ) : null}
    </details>
  );
}

function Titles({ step, names }: { step: ComparedStep; names: RunNames }) {
  const { title, other } = titlesOf(step);
  return (
    <span class="compare-titles">
      <span class="compare-clamp">
        <UserText text={title} />
      </span>
      {other === undefined ? null : (
        <span class="compare-clamp quiet">
          in <UserText text={names.right} />: <UserText text={other} />
        </span>
      )}
    </span>
  );
}

function StepState({ side }: { side: StepSide | undefined }) {
  if (side === undefined) return <span class="quiet">not in this run</span>;
  const { span } = side;
  const length = lengthOf(span);
  return (
    <>
      <StandingChip standing={spanStanding(span)} />
      <span class="quiet">{length === undefined ? "unfinished" : shownDuration(length)}</span>
      {span.attempts.length > 1 ? <span class="quiet">{span.attempts.length} attempts</span> : null}
    </>
  );
}

export function StandingChip({ standing: { icon, word, tone } }: { standing: Standing }) {
  return (
    <span class="chip" data-tone={tone}>
      <Icon name={icon} />
      {word}
    </span>
  );
}

interface SideProps {
  name: string;
  as?: "span" | "dd";
  children: ComponentChildren;
}

/** What one of the runs has to say. Its name is seen only where the rows have no columns. */
export function Side({ name, as: Tag = "span", children }: SideProps) {
  return (
    <Tag class="compare-side">
      <span class="compare-which">
        <UserText text={name} />
      </span>{" "}
      <span class="compare-value">{children}</span>
    </Tag>
  );
}
