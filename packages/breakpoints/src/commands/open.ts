import { type Command, placeOf, tell } from "./command.js";
import { runningServer } from "./running-server.js";

/** Says how to get a browser signed in: the link is made where a person is seen to ask for it. */
export const open: Command = async (call) => {
  const running = await runningServer(call.desk);
  if (running === undefined)
    return tell(call, { running: false }, "No server runs. To start one and open the inbox: babysitter ui");
  return tell(
    call,
    { ...running, running: true },
    `It runs: ${placeOf(running)}\nTo open it, signed in: babysitter ui`,
  );
};
