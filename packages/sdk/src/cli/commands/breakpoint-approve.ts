import { defined } from "../../model/json.js";
import { decideHere } from "../answers/decide-here.js";
import type { Command } from "../grammar/invocation.js";

export const command: Command = async (invocation) => {
  const { options } = invocation;
  const option = options.text("option");
  return decideHere(invocation, {
    decision: option === undefined ? "approve" : { option },
    ...defined({ response: options.text("response") }),
  });
};
