import { DAY_MS, HOUR_MS, MINUTE_MS } from '@touchstone/common';

/**
 * Part of a sentence for people: text of this service, or a value that may be unverified text of a provider. Each
 * output format escapes the values in its own way.
 */
export type SentencePart = string | { readonly value: string };

/** Sentence for people, in parts. */
export type Sentence = readonly SentencePart[];

/** Returns a part of a sentence that may contain unverified text of a provider. */
export function markUnverified(text: string): SentencePart {
  return { value: text };
}

/**
 * Formats a sentence.
 *
 * @param formatValue escapes a value; default without a change
 */
export function formatSentence(sentence: Sentence, formatValue = (text: string): string => text): string {
  return sentence.map((part) => (typeof part === 'string' ? part : formatValue(part.value))).join('');
}

/** Joins sentences or their parts with a separator. */
export function joinParts(lists: readonly Sentence[], separator: string): Sentence {
  return lists.flatMap((list, index) => (index === 0 ? list : [separator, ...list]));
}

const UNITS = [
  { ms: DAY_MS, name: 'day' },
  { ms: HOUR_MS, name: 'hour' },
  { ms: MINUTE_MS, name: 'minute' },
] as const;

/** Formats a time for people, accurate to one minute: `2026-11-23 00:10 UTC`. */
export function formatTime(isoTime: string): string {
  return `${isoTime.slice(0, 10)} ${isoTime.slice(11, 16)} UTC`;
}

/** Formats a duration in its largest whole unit, such as `35 minutes`; below one minute `less than a minute`. */
export function formatDuration(ms: number): string {
  const unit = UNITS.find((each) => ms >= each.ms);
  if (unit === undefined) return 'less than a minute';
  const count = Math.floor(ms / unit.ms);
  return `${count} ${unit.name}${count === 1 ? '' : 's'}`;
}
