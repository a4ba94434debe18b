/** Of the host's name for itself in the environment of its children, as in `claude-code_2-1-197_harness`. */
export function hostVersion(agent: string | null): string | undefined {
  const found = /^claude-code_(\d+)-(\d+)-(\d+)/u.exec(agent ?? "");
  return found === null ? undefined : found.slice(1).join(".");
}
