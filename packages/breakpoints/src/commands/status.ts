import { type Command, placeOf, tell } from "./command.js";

export const status: Command = async (call) => {
  const running = await call.desk.running();
  if (running === undefined)
    return tell(call, { running: false }, "No server is running. To start one: babysitter-breakpoints start");
  return tell(call, { ...running, running: true }, `It is running: ${placeOf(running)}`);
};
