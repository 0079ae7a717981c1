/** Default name of the vantage, the location from which the service measures latency. */
export const DEFAULT_VANTAGE = 'EU';

/** Maximum length of a vantage name, in UTF-16 code units. */
const MAX_VANTAGE_LENGTH = 40;
const PRINTABLE = /^(?:[^\p{C}\p{Z}\p{Default_Ignorable_Code_Point}]| )+$/u;

/** Returns true for a valid vantage name: 1 to 40 printable characters, with no space at either end. */
export function isVantage(text: string): boolean {
  return text.length <= MAX_VANTAGE_LENGTH && text.trim() === text && PRINTABLE.test(text);
}
