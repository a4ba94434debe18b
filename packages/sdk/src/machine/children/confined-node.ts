/**
 * Flags with which Node lets a program read files, but neither write any nor start other programs. Our loader needs
 * its threads. Node says itself that this is no wall against hostile code; it keeps a check from leaving traces.
 */
export function confinedNode(): string[] {
  const known = process.allowedNodeEnvironmentFlags;
  const [flag] = ["--permission", "--experimental-permission"].filter((name) => known.has(name));
  if (flag === undefined || !known.has("--disable-warning")) return [];
  const quiet = ["ExperimentalWarning", "SecurityWarning"].map((type) => `--disable-warning=${type}`);
  // Where the network is confined too, nothing is said of it, so that it stays closed.
  return [flag, "--allow-fs-read=*", "--allow-worker", ...quiet];
}
