/** The name of a step: one bold line, one quiet line. */
import type { TimelineSpan } from "@a5c-ai/babysitter-sdk/view";
import { Icon } from "../parts/icons.js";
import { MessageText } from "../parts/message-text.js";
import { UserText } from "../parts/user-text.js";
import type { LaneLabel } from "./lane-labels.js";
import { detailsOf, errorLine, lookOf } from "./span-look.js";
import type { Fall } from "./use-fall.js";

interface StepProps {
  fall: Fall;
  span: TimelineSpan;
}

/** What makes it an option of the list, whether or not it has room for its words. */
function optionOf({ fall, span, index }: StepProps & { index: number }) {
  return {
    role: "option",
    "data-span": index,
    "data-state": span.state,
    "aria-selected": index === fall.chosen,
    "aria-setsize": fall.timeline.spans.length,
    "aria-posinset": index + 1,
    tabIndex: index === fall.active ? 0 : -1,
  } as const;
}

export function StepRow({ fall, span, index }: StepProps & { index: number }) {
  const { layout } = fall;
  const error = errorLine(span);
  return (
    <div
      class="fall-row"
      {...optionOf({ fall, span, index })}
      style={{ top: `${index * layout.row}px`, height: `${layout.row}px` }}
    >
      <span class="fall-name" style={layout.names === 0 ? {} : { width: `${layout.names}px` }}>
        <UserText text={span.title} class="fall-title" />
        <span class="fall-details">
          <State span={span} /> <Details span={span} end={fall.timeline.to} />
          {error === undefined ? null : (
            <>
              {" · "}
              <MessageText text={error} />
            </>
          )}
        </span>
      </span>
    </div>
  );
}

export function LaneName({ fall, span, label }: StepProps & { label: LaneLabel }) {
  const { layout } = fall;
  return (
    <div
      class="fall-lane-name"
      data-bare={label.isBare ?? false}
      {...optionOf({ fall, span, index: label.index })}
      style={{
        top: `${label.row * layout.row}px`,
        left: `${label.x}px`,
        width: `${label.width}px`,
        height: `${layout.row}px`,
      }}
    >
      <State span={span} isIcon />
      <UserText text={span.title} class="fall-title" />
    </div>
  );
}

function State({ span, isIcon = false }: { span: TimelineSpan; isIcon?: boolean }) {
  const { icon, word, tone } = lookOf(span);
  return (
    <span class="mark" data-tone={tone}>
      <Icon name={icon} />
      <span class={isIcon ? "unseen" : undefined}>{word}</span>
    </span>
  );
}

export function Details({ span, end }: { span: TimelineSpan; end: number }) {
  const [kind, ...more] = detailsOf(span, end);
  return (
    <>
      {"· "}
      <UserText text={kind ?? ""} />
      {` · ${more.join(" · ")}`}
    </>
  );
}
