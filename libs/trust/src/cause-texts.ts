import { toDisplayText } from './report/report-values.ts';
import type { Failure, ScoreInputs, TermsChange } from './types.ts';

/** Texts with causes and dates, for the reasons of a recommendation. */

/** Formats a time as its day in UTC, such as `2026-11-09`. */
export function formatDay(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}

const VALUE = String.raw`[\w$:.+/-]{1,120}`;
/**
 * Pattern of a price, an address, or a network with a token. Other provider texts are left out of reasons, because a
 * provider could write sentences there, and agents act on reasons.
 */
const SAFE_VALUE = new RegExp(String.raw`^(${VALUE}|\d+ units of ${VALUE}|[\w-]+:[\w-]+ ${VALUE})$`);

/** Returns a provider's value for a sentence, or null if it is unknown or has another form than such values have. */
export function toSafeValue(value: string | null): string | null {
  const text = value === null ? '' : toDisplayText(value);
  return SAFE_VALUE.test(text) ? text : null;
}

/**
 * Formats the values of a change, such as ` from $0.010000 to $0.100000`. Returns an empty text if one of them is
 * unknown or not safe in a sentence.
 */
export function formatChange(change: Pick<TermsChange, 'before' | 'after'>): string {
  const before = toSafeValue(change.before);
  const after = toSafeValue(change.after);
  return before === null || after === null ? '' : ` from ${before} to ${after}`;
}

/** Removes the full stop at the end of a sentence, so that the sentence can become a clause. */
export function toClause(sentence: string): string {
  return sentence.replace(/\.$/, '');
}

/**
 * Describes the current outage, such as `no successful probe since 2026-11-09 (HTTP 410 Gone)`. Returns null if the
 * endpoint is not down.
 */
export function describeOutage({ downSince, lastFailure }: ScoreInputs): string | null {
  if (downSince === null) return null;
  // An older failure is not the cause of this outage.
  const cause = lastFailure !== null && lastFailure.at >= downSince ? lastFailure : null;
  const since = Math.min(downSince, cause?.since ?? downSince);
  return `no successful probe since ${formatDay(since)}${cause === null ? '' : ` (${toClause(cause.detail)})`}`;
}

/** Describes the latest failure, such as `the latest failure was on 2026-11-09 (HTTP 410 Gone)`. */
export function describeFailure({ at, detail }: Failure): string {
  return `the latest failure was on ${formatDay(at)} (${toClause(detail)})`;
}

/**
 * Returns the known reason why the latest challenge cannot be paid, as the end of a sentence. Returns a full stop if no
 * reason is known.
 */
export function formatNotPayableReason({ lastChallenge }: ScoreInputs): string {
  const reason = lastChallenge?.notPayableReason ?? null;
  return reason === null ? '.' : `: ${toClause(reason)}.`;
}

/** Returns the text with a capital first letter. */
export function capitalize(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
