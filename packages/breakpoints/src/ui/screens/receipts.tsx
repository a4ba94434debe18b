/** By which channels its person was told of a question, and what is known of that. */
import type { QuestionDetail } from "../../wire/inbox-wire.js";
import { receiptWords } from "../model/receipt-words.js";
import { timeNow } from "../parts/age.js";
import { Icon } from "../parts/icons.js";
import { Words } from "../parts/words.js";

export function Receipts({ receipts }: Pick<QuestionDetail, "receipts">) {
  return (
    <ul class="receipts" aria-label="Notifications">
      {receipts.map((receipt) => {
        const { tone, parts } = receiptWords(receipt, timeNow());
        return (
          <li key={receipt.channel} data-tone={tone}>
            <Icon name={tone === "quiet" ? "bell" : "warning"} />
            <span>
              <Words parts={parts} />
            </span>
          </li>
        );
      })}
    </ul>
  );
}
