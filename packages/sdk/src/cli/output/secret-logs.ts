const ALLOWED = new Set(["1", "true"]);

/** Whether what looks like a secret is shown: only to someone who asks for it in both ways. */
export function areSecretsShown({
  env,
  verbose,
}: {
  env: Readonly<Record<string, string | undefined>>;
  verbose: boolean;
}): boolean {
  return verbose && ALLOWED.has(env["BABYSITTER_ALLOW_SECRET_LOGS"] ?? "");
}
