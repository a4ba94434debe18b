/**
 * Asks one question on the terminal and says what came of it. SIGUSR2 stands for an answer that came from elsewhere;
 * with `late` the question comes only after SIGHUP.
 */
import { askOnTerminal } from "../../../packages/sdk/dist/cli/progress/ask-terminal.js";

const question = JSON.parse(process.argv[2]);
const elsewhere = new AbortController();
let interrupts = 0;
process.on("SIGUSR2", () => elsewhere.abort());
process.on("SIGINT", () => void (interrupts += 1));
if (process.argv[3] === "late") {
  const alive = setInterval(() => {}, 1000);
  const hangup = new Promise((resolve) => void process.once("SIGHUP", resolve));
  process.stdout.write("working\n");
  await hangup;
  clearInterval(alive);
}
const ask = askOnTerminal({ input: process.stdin, output: process.stdout, paint: (_style, text) => text });
const answer = await ask(question, elsewhere.signal);
process.stdout.write(`answer=${JSON.stringify(answer ?? "none")} interrupts=${interrupts} end\n`);
