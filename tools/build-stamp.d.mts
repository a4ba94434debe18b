export const BUILT_WITH: readonly string[];
export const SOURCE_FOLDERS: readonly string[];
export function sourcesOf(home: string): string;
export function isBuilt(home: string): boolean;
export function stampBuild(home: string, sources: string): void;
