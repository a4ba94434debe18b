interface OptionSpec {
  type: "string" | "boolean";
  value?: string;
  help: string;
  hidden?: boolean;
}
interface CommandSpec {
  name: string;
  aliases?: string[];
  summary: string;
  positionals: { name: string; optional?: boolean; many?: boolean; help: string }[];
  options: Record<string, OptionSpec>;
  details?: string;
  examples?: string[];
}
export function renderCommands(table: { COMMANDS: CommandSpec[]; GLOBAL_OPTIONS: Record<string, OptionSpec> }): string;
interface RuleRow {
  code: string;
  action: string;
  doc: string;
}
export function renderDecisions(tables: {
  GUARD_RULES: readonly RuleRow[];
  TURN_RULES: readonly RuleRow[];
  ENGINE_ERROR_RULE: RuleRow;
}): string;
export function renderProofs(ids: string[], proofs: { id: string; title: string; file: string }[]): string;
export function fillMarkers(text: string, name: string, content: string): string;
export function promiseIds(text: string): string[];
export function invariantIds(text: string): string[];
export function renderConfiguration(settings: {
  SETTINGS: Readonly<
    Record<
      string,
      {
        type: { expects: string };
        default: unknown;
        doc: string;
        env?: string;
        flag?: { name: string };
        combine: string;
        only?: readonly string[];
      }
    >
  >;
}): string;
export function undescribed(entries: Readonly<Record<string, Record<string, string>>>): [entry: string, name: string][];
export function renderApi(name: string, entries: Readonly<Record<string, Record<string, string>>>): string;
