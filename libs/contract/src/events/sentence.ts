/**
 * Part of a sentence for people: text of this service, or a value that may be unverified text of a provider. Each
 * output format escapes the values in its own way.
 */
export type SentencePart = string | { readonly value: string };

export type Sentence = readonly SentencePart[];

/** Returns a part of a sentence that may contain unverified text of a provider. */
export function markUnverified(text: string): SentencePart {
  return { value: text };
}

/**
 * Formats a sentence.
 *
 * @param formatValue escapes a value; by default, values stay unchanged
 */
export function formatSentence(sentence: Sentence, formatValue = (text: string): string => text): string {
  return sentence.map((part) => (typeof part === 'string' ? part : formatValue(part.value))).join('');
}

export function joinParts(lists: readonly Sentence[], separator: string): Sentence {
  return lists.flatMap((list, index) => (index === 0 ? list : [separator, ...list]));
}
