export function readApi(entry: string): Record<string, string>;
