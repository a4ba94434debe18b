/** What may be believed after a call of Telegram's Bot API that did not succeed. Nothing here quotes an address. */
import { shownLine } from "@a5c-ai/babysitter-sdk/notify";
import { DeliveryProblem } from "../channel.js";

export interface ApiRefusal {
  code: number;
  description: string;
  retryAfterSeconds?: number | undefined;
}

const LONGEST_DESCRIPTION = 160;
const LONGEST_WAIT_S = 60 * 60;

const TOKEN = "Telegram does not accept the bot's token; enable the channel again with a new one from @BotFather";

/** `token` is taken out of whatever the service says. */
export function problemOfRefusal({ code, description, retryAfterSeconds }: ApiRefusal, token: string): DeliveryProblem {
  const said = shownLine(token === "" ? description : description.replaceAll(token, "<token>"), LONGEST_DESCRIPTION);
  if (code === 401 || code === 404) return new DeliveryProblem("refused", `${TOKEN} (${code})`);
  if (code === 403) return new DeliveryProblem("refused", forbidden(description, said));
  if (code === 409) return new DeliveryProblem("not-sent", conflict(description));
  if (code === 429) {
    const wait = Math.min(Math.max(retryAfterSeconds ?? 1, 1), LONGEST_WAIT_S);
    return new DeliveryProblem("not-sent", `Telegram asks to wait ${wait} s (429)`, wait * 1_000);
  }
  if (code >= 500) return new DeliveryProblem("answered-with-error", `Telegram reports a server error (${code})`);
  return new DeliveryProblem("refused", `Telegram rejected it (${code}: ${said})`);
}

function forbidden(description: string, said: string): string {
  return /blocked by the user/iu.test(description)
    ? "the person has blocked the bot in Telegram (403); they have to unblock it there"
    : `Telegram forbids it (403: ${said})`;
}

/** Two programs cannot read the messages of one bot. */
function conflict(description: string): string {
  return /webhook/iu.test(description)
    ? "another program's webhook receives this bot's messages (409); remove the webhook, or use a separate bot"
    : "another program reads this bot's messages (409); stop it, or use a separate bot";
}

/** What nobody has to worry about when a message is changed. */
export function isHarmlessEdit({ code, description }: ApiRefusal): boolean {
  return code === 400 && /not modified|to edit not found|can't be edited|MESSAGE_ID_INVALID/iu.test(description);
}
