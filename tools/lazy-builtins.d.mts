export function lazyBuiltins(code: string): string;
