/** Lists without a question. */
import { Icon } from "../parts/icons.js";

/** The best news that an inbox has. */
export function NothingOpen() {
  return (
    <div class="empty" data-tone="good">
      <Icon name="check" />
      <strong>Nothing needs you</strong>
      <p>When a run in any of your projects asks something, it shows up here at once, and in the title of this tab.</p>
    </div>
  );
}

export function NothingDecided() {
  return (
    <div class="empty">
      <Icon name="history" />
      <strong>Nothing decided yet</strong>
      <p>Every decision is kept here: who made it, when, how and why.</p>
    </div>
  );
}
