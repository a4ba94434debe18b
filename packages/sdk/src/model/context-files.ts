/** Which files may be shown to people, and how much of them. */

/** Maximum number of files shown with a question. */
export const SHOWN_FILES = 200;
/** Maximum size shown of each. */
export const SHOWN_BYTES = 16 * 1024 * 1024;
/** Maximum size kept for all of them together, what they are compared with included. */
export const KEPT_BYTES = 64 * 1024 * 1024;
/** What is larger is not even hashed. */
export const HASHED_BYTES = 256 * 1024 * 1024;

const SECRET_FOLDERS = [".ssh", ".aws", ".gnupg", ".kube", ".docker", ".azure", ".gcloud", ".git"];
const SECRET_NAMES = [
  /^\.env/,
  /\.env$/,
  /\.(?:pem|key|p12|pfx|jks|keystore|kdbx|ppk|gpg)$/,
  /^id_/,
  /credential/,
  /^\.?(?:netrc|_netrc|npmrc|pypirc|pgpass|htpasswd|my\.cnf|yarnrc\.yml)$/,
  /^(?:secrets?|passwords?)(?:\.|$)/,
  /^(?=.*service[-_]?account).*\.json$/s,
  /\.tfstate(?:\.|$)/,
];

/**
 * True for paths whose names say that they hold secrets. A question leaves the machine when someone is told
 * of it elsewhere, so a file that a process names by mistake must not go with it.
 */
export function isSecretPath(path: string): boolean {
  const parts = path
    .toLowerCase()
    .split(/[\\/]/)
    .filter((part) => part !== "" && part !== ".");
  return parts.some((part) => SECRET_FOLDERS.includes(part) || SECRET_NAMES.some((pattern) => pattern.test(part)));
}
