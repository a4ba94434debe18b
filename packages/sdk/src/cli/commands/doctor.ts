import { doctorAnswer } from "../answers/doctor.js";
import { callerOf } from "../arguments/caller.js";
import type { Command } from "../grammar/invocation.js";

export const command: Command = async (invocation) => doctorAnswer(callerOf(invocation), invocation.paint);
