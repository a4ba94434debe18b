export function quotedIds(path: string, source: string): { ids: string[]; title: string }[];
