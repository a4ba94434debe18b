import { openInbox } from "@a5c-ai/babysitter-sdk/operate";
import { type Command, tell } from "./command.js";

/** The same as `babysitter ui`, with this program as the server. */
export const open: Command = async (call) => {
  const { document, text } = await openInbox({ env: call.env, program: process.argv[1], browser: call.browser });
  return tell(call, document, text);
};
