/** Text as a person sees it, without what only moves the cursor or colours. */
/* oxlint-disable no-control-regex -- escape sequences are control characters */
const SEQUENCES =
  /\u001B(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001B]*(?:\u0007|\u001B\\)|[PX^_][^\u001B]*\u001B\\|[ -/]*[0-~])/gu;

export function stripVTControls(text: string): string {
  return text.includes("\u001B") ? text.replaceAll(SEQUENCES, "") : text;
}
