/** What the rows of the command table are made of. */
export interface OptionSpec {
  type: "string" | "boolean";
  /** Name of the value in help texts. */
  value?: string;
  help: string;
  hidden?: boolean;
  /** One letter that stands for it. */
  short?: string;
  /** May be given several times. */
  many?: boolean;
}

export interface CommandSpec {
  name: string;
  /** Other names for the same command. */
  aliases?: string[];
  summary: string;
  /** `many`, of the last one only: any number of them may be given. */
  positionals: { name: string; optional?: boolean; many?: boolean; help: string }[];
  options: Record<string, OptionSpec>;
  details?: string;
  examples?: string[];
}

export const flag = (help: string): OptionSpec => ({ type: "boolean", help });
export const text = (value: string, help: string): OptionSpec => ({ type: "string", value, help });
