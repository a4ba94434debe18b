/** A word that a shell takes as one. */
export function shellQuoted(word: string): string {
  return /^[\w./@%+=:,-]+$/u.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
