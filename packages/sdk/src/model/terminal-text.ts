/** Text without anything that moves the cursor or fakes lines: names and messages may come from anyone. */
export function forTerminal(text: string): string {
  return text.replaceAll(new RegExp(`${COLOUR_CODE}|${CONTROL}`, "g"), (found) =>
    found.length > 1 ? found : visible(found),
  );
}

const CONTROL_CODES = [
  ...Array.from({ length: 32 }, (_, code) => code),
  ...Array.from({ length: 33 }, (_, code) => 127 + code),
];
const CONTROL = `[${CONTROL_CODES.filter((code) => code !== 9 && code !== 10)
  .map((code) => String.fromCharCode(code))
  .join("")}]`;
const COLOUR_CODE = `${String.fromCharCode(27)}\\[\\d+m`;

function visible(character: string): string {
  return `\\x${(character.codePointAt(0) ?? 0).toString(16).padStart(2, "0")}`;
}
