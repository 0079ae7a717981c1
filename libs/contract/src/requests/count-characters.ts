/** Returns the number of characters of a text as JSON Schema counts them: in code points, not in UTF-16 code units. */
export function countCharacters(text: string): number {
  return Array.from(text).length;
}
