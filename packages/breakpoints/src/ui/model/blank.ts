/** Nothing that anybody could read: spaces of all kinds, and characters that leave no mark. The SDK refuses the same. */
const BLANK = /^[\s\p{Cc}\p{Cf}\p{Cs}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]*$/u;

export function isBlank(text: string): boolean {
  return BLANK.test(text);
}
