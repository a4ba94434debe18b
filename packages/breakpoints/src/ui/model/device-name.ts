/** What a browser is called in the list of devices. */

const BROWSERS: [RegExp, string][] = [
  [/\bEdg\//u, "Edge"],
  [/\bFirefox\//u, "Firefox"],
  [/\bOPR\//u, "Opera"],
  [/Chrom(?:e|ium)\//u, "Chrome"],
  [/\bSafari\//u, "Safari"],
];
const SYSTEMS: [RegExp, string][] = [
  [/\bAndroid\b/u, "Android"],
  [/\biPhone|iPad\b/u, "iOS"],
  [/\bMac OS X\b/u, "macOS"],
  [/\bWindows\b/u, "Windows"],
  [/\bLinux\b/u, "Linux"],
];

export function deviceName(userAgent: string): string {
  const find = (table: [RegExp, string][]): string | undefined => table.find(([test]) => test.test(userAgent))?.[1];
  const browser = find(BROWSERS) ?? "Browser";
  const system = find(SYSTEMS);
  return system === undefined ? browser : `${browser} on ${system}`;
}
