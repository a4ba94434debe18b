export interface Layer {
  about: string;
  imports: string[];
  builtins: string[];
  packages: string[];
  computedImports?: boolean;
}
export interface LayerTable {
  root: string;
  layers: Record<string, Layer>;
}
export interface Violation {
  file: string;
  line: number;
  message: string;
}
export const TABLES: string[];
export function findViolations(table: LayerTable, files: { path: string; source: string }[]): Violation[];
export function allowedBy(row: Layer): string[];
