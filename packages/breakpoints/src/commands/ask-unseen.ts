/** Asks for a secret at the terminal. What is typed or pasted is not shown, and is in no history. */

const CTRL_C = "\u0003";
/** Enter, and Ctrl-D. */
const ENDS: readonly string[] = ["\r", "\n", "\u0004"];
const ERASES: readonly string[] = ["\b", "\u007f"];
const LONGEST = 4_096;

/** Undefined when it was left with Ctrl-C. Only for whoever has a terminal: see `requirePerson`. */
export async function askUnseen(question: string): Promise<string | undefined> {
  const { stdin, stderr } = process;
  // First of all: whoever answers a prompt at once would be shown what they type.
  stdin.setRawMode(true);
  stdin.setEncoding("utf8");
  stderr.write(`${question} (input is hidden): `);
  try {
    return await lineFrom(stdin);
  } finally {
    stdin.setRawMode(false);
    stdin.pause();
    stderr.write("\n");
  }
}

function lineFrom(input: NodeJS.ReadableStream): Promise<string | undefined> {
  return new Promise((resolve) => {
    let typed = "";
    const finish = (answer: string | undefined): void => {
      input.off("data", take);
      input.off("end", end);
      resolve(answer);
    };
    const end = (): void => finish(typed);
    const take = (piece: string): void => {
      for (const character of piece) {
        if (character === CTRL_C) return finish(undefined);
        if (ENDS.includes(character) || typed.length > LONGEST) return finish(typed);
        typed = ERASES.includes(character) ? typed.slice(0, -1) : typed + character;
      }
    };
    input.on("data", take);
    input.on("end", end);
  });
}
