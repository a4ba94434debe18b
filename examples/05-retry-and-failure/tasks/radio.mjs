export default function radio(_inputs, { attempt }) {
  if (attempt >= 3) return { attempt, heard: "loud and clear" };
  console.error("only noise");
  // By convention 75 means "try again later". Any exit code but 0 makes the attempt fail.
  process.exitCode = 75;
  return undefined;
}
