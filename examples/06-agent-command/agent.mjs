/** Stands in for a real agent: reads the prompt from stdin, thinks aloud, prints JSON. Its first answer is too long. */
import { text } from "node:stream/consumers";

const prompt = await text(process.stdin);
const TOO_LONG = "Her Majesty the Unsinkable";

console.log("Let me think about boats for a moment.");
// The second prompt quotes the answer that was refused.
const name = prompt.includes(TOO_LONG) ? "Duckweed" : TOO_LONG;
console.log(JSON.stringify({ name, reason: "She is green and stays on top of the pond." }));
