/** Commands of a terminal in the words that can be typed into a host. */
import type { HostWords, TypedVerb } from "./host.js";

const TYPED_THERE: Readonly<Record<string, TypedVerb>> = {
  "loop:resume": "resume",
  "run:resume": "resume",
  "loop:pause": "pause",
  "run:pause": "pause",
  "loop:cancel": "cancel",
  "run:cancel": "cancel",
  "loop:status": "status",
  "run:status": "status",
  "loop:report": "report",
  "run:report": "report",
  "loop:verify": "verify",
  "loop:amend": "amend",
  "breakpoint:approve": "approve",
  "run:accept-code": "approve",
  "breakpoint:reject": "reject",
  // Without a question it lists the open ones.
  "breakpoint:list": "approve",
  "breakpoint:show": "status",
  doctor: "doctor",
};

/** What people type into the host instead of this command, where it has a command of its own for that. */
export function typedVerbOf(command: string): TypedVerb | undefined {
  return Object.hasOwn(TYPED_THERE, command) ? TYPED_THERE[command] : undefined;
}

/** A command line of ours, or the mere name of a command that follows one: "… loop:pause, or loop:cancel". */
const COMMAND =
  /(?<![!/\w-])(babysitter )?((?:[a-z]+:[a-z-]+)|(?<=babysitter )(?:run|report|doctor|init|paths))(?![\w:/-])/gu;

/** What the host has no command of its own for goes to the shell that it has for its user. */
export function inTypedWords(text: string, words: HostWords | undefined): string {
  if (words === undefined) return text;
  return text.replaceAll(COMMAND, (written, program: string | undefined, command: string) => {
    const verb = typedVerbOf(command);
    if (verb !== undefined) return words.typed(verb);
    return program === undefined ? written : (words.inShell?.(written) ?? written);
  });
}
