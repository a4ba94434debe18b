export function findRawStyles(source: string): { line: number; what: string }[];
