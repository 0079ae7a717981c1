import { cleanText } from '@touchstone/x402';

/** Returns untrusted text as one safe line of at most `limit` characters, with an ellipsis where the text is cut. */
export function cutText(text: string, limit: number): string {
  const isCut = text.length > limit;
  const cleaned = cleanText(isCut ? text.slice(0, limit - 1) : text, limit) ?? '';
  return isCut ? `${cleaned}…` : cleaned;
}
