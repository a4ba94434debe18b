/** Stands in for a registry that is busy at first. */
export default function upload({ version }, { attempt, effectId }) {
  if (attempt < 3) {
    console.error("503 the shop is closed for lunch");
    process.exitCode = 75;
    return undefined;
  }
  // The same in every attempt: a real registry would know by it that it has seen this upload before.
  console.log(`uploaded with the key ${effectId}`);
  return { address: `https://shop.example/${version}` };
}
