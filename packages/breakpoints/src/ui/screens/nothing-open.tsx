/** The best news that an inbox has. */
import { Icon } from "../parts/icons.js";

export function NothingOpen() {
  return (
    <div class="empty" data-tone="good">
      <Icon name="check" />
      <strong>Nothing needs you</strong>
      <p>When a run of any of your projects asks, its question appears here at once. The tab's title counts them.</p>
    </div>
  );
}
