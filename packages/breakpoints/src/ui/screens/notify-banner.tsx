/** Nobody looks for what does not reach them: it is said above every screen but the settings, which say more. */
import type { NotifyTrouble } from "../../wire/notify-wire.js";
import { troubleWords } from "../model/channel-words.js";
import { Icon } from "../parts/icons.js";
import { Link } from "../parts/link.js";
import { Words } from "../parts/words.js";

export function NotifyBanner({ trouble }: { trouble: NotifyTrouble }) {
  const { lead, parts } = troubleWords(trouble);
  return (
    <div class="banner" data-tone="needs">
      <Icon name="bell" />
      <div class="banner-text">
        <strong>{lead}</strong> <Words parts={parts} />
      </div>
      <Link class="banner-link" to="/settings">
        Settings
      </Link>
    </div>
  );
}
