/** Stands in for an agent that stops in the middle of its first answer; the sleepy one does so every time. */
import { text } from "node:stream/consumers";

const prompt = await text(process.stdin);
const BROKEN = '{ "bugs": ["a hole behind the third';

console.log("I have walked along the whole wall.");
// The second prompt quotes the answer that could not be used.
const hasBeenTold = prompt.includes(BROKEN);
console.log(hasBeenTold && !prompt.includes("**sleepy**") ? '{ "bugs": ["a hole behind the third lamp"] }' : BROKEN);
