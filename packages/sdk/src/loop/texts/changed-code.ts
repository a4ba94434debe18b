/** What a person and an agent are told when the agent wants to run code that nobody has agreed to yet. */

interface ChangedCode {
  runId: string;
  files: readonly string[];
  lost: number;
}

const MAX_NAMED = 5;

export function changedCodeTexts({ runId, files, lost }: ChangedCode): { message: string; context: string } {
  const what = `The process code of ${runId} has changed since it last ran${files.length === 0 ? "" : `: ${named(files)}`}.`;
  const gates =
    lost === 0
      ? ""
      : ` ${lost === 1 ? "A breakpoint" : `${lost} breakpoints`} that the user agreed to ${lost === 1 ? "is" : "are"} missing, so run:iterate will be blocked.`;
  const accept = `babysitter run:accept-code ${runId}`;
  return {
    message: `⚠️ Babysitter: ${what}${gates} Look at the change before you allow run:iterate. To accept the code: /babysitter:approve ${runId}, or ${accept} in a terminal.`,
    context: `Babysitter: ${what}${gates} So run:iterate is not pre-approved: the user decides whether the changed code may run. If the change was not meant, restore the file and run the command again. Otherwise tell the user what you changed and why, and ask them to allow the command or to accept the code with /babysitter:approve ${runId}. You cannot accept it yourself.`,
  };
}

function named(files: readonly string[]): string {
  const more = files.length - MAX_NAMED;
  return `${files.slice(0, MAX_NAMED).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}
