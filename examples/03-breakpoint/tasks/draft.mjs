export default function draft({ wish }) {
  const text = "Dear neighbours, on Saturday there will be soup, and you are all invited.";
  return { text: wish === "shorter" ? "Soup on Saturday. Come!" : text };
}
