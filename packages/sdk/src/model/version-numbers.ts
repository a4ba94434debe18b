/** Version numbers of programs: three numbers, the rest does not matter here. */

/** True when `version` is not older; a text without numbers is older than everything. */
export function atLeast(version: string, least: string): boolean {
  const [given, wanted] = [numbersOf(version), numbersOf(least)];
  if (given === undefined || wanted === undefined) return false;
  for (const [index, number] of wanted.entries()) {
    const difference = (given[index] ?? 0) - number;
    if (difference !== 0) return difference > 0;
  }
  return true;
}

function numbersOf(version: string): number[] | undefined {
  return /^v?(\d+)\.(\d+)(?:\.(\d+))?/u
    .exec(version)
    ?.slice(1)
    .map((part) => Number(part ?? 0));
}
