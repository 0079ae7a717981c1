import { formatMinute } from '@touchstone/common';
import { toDisplayText } from './report-values.ts';
import type { Failure, ScoreInputs, TermsChange } from './types.ts';

/** Texts with causes and dates, for the reasons of a recommendation. */

/**
 * Pattern of a base58 address with at least one digit. Without a digit, the text could be words in mixed case. The
 * patterns below list the provider values that a reason may contain. Agents act on reasons, so a provider must not be
 * able to write a sentence into a reason.
 */
const BASE58 = String.raw`(?=[A-Za-z]*\d)[1-9A-HJ-NP-Za-km-z]{32,64}`;
const ADDRESS = String.raw`(?:0x[\da-fA-F]{1,64}|${BASE58})`;
const NETWORK = String.raw`(?:eip155:\d{1,18}|solana:${BASE58})`;
const TOKEN = String.raw`(?:${ADDRESS}|[A-Za-z\d]{1,12})`;
const DOLLARS = String.raw`(?:\$\d{1,3}(?:,\d{3}){0,3}\.\d{2,18}|over \$1 trillion)`;
/** Pattern of a price, an address, or a network with a token. Other provider texts are left out of reasons. */
const SAFE_VALUE = new RegExp(
  String.raw`^(?:${DOLLARS}|${ADDRESS}|\d{1,78} units of ${TOKEN}|${NETWORK} ${TOKEN})$`,
);
/** Pattern of a single value in the payment terms, such as an address, a network, or the version of a token. */
const SAFE_TERM = new RegExp(`^(?:${NETWORK}|${TOKEN})$`);
/** Matches each quoted value in a sentence, and a quoted value that was cut off. */
const QUOTED = /"((?:[^"\\]|\\.)*)("|$)/g;
const URL_IN_TEXT = /\bhttps?:\/\/\S*/gi;
/** Scheme, host and port of a URL. A path follows, so that the host is complete. */
const ORIGIN = /^https?:\/\/(?:[a-z\d.-]{1,253}|\[[a-f\d:]+\])(?::\d{1,5})?(?=\/)/i;

/** Returns a provider's value for a sentence, or null if it is unknown or has another form than `SAFE_VALUE`. */
export function toSafeValue(value: string | null): string | null {
  const text = value === null ? '' : toDisplayText(value);
  return SAFE_VALUE.test(text) ? text : null;
}

/**
 * Formats the values of a change, such as ` from $0.01 to $0.10`. Returns an empty text if a value is unknown
 * or not safe in a sentence, or if both are equal.
 */
export function formatChange(change: Pick<TermsChange, 'before' | 'after'>): string {
  const before = toSafeValue(change.before);
  const after = toSafeValue(change.after);
  return before === null || after === null || before === after ? '' : ` from ${before} to ${after}`;
}

/** Removes the full stop at the end of a sentence, so that the sentence can become a clause. */
function toClause(sentence: string): string {
  return sentence.replace(/\.$/, '');
}

/**
 * Formats the cause of a failed probe as a clause without provider texts. The target of a redirect is reduced to its
 * origin, and the names in a TLS certificate are left out, because a provider could write sentences in both.
 */
export function formatCause({ error, detail }: Pick<Failure, 'error' | 'detail'>): string {
  const text = toClause(detail.replace(URL_IN_TEXT, toOrigin));
  if (error !== 'tls-hostname-mismatch') return text;
  const redirect = /, after a redirect to (?:https?:\/\/\S+|another URL)$/.exec(text)?.[0] ?? '';
  return `The TLS certificate is not valid for the host${redirect}`;
}

/** Returns the origin of a URL for a sentence; `another URL` if the URL has no complete host. */
export function toOrigin(url: string): string {
  return ORIGIN.exec(url)?.[0] ?? 'another URL';
}

/**
 * Describes the current outage, such as `no successful probe since 2026-11-09 14:05 UTC (latest failure: HTTP 410
 * Gone)`. Returns null if the endpoint is not down.
 */
export function describeOutage({ downSince, lastFailure, lastUpAt }: ScoreInputs): string | null {
  if (downSince === null) return null;
  // An older failure is not the cause of this outage.
  const cause = lastFailure !== null && lastFailure.at >= downSince ? lastFailure : null;
  const since = formatMinute(Math.min(downSince, cause?.since ?? downSince));
  const outage =
    lastUpAt === null
      ? `no probe has ever succeeded, failing since ${since}`
      : `no successful probe since ${since}`;
  return `${outage}${cause === null ? '' : ` (latest failure: ${formatCause(cause)})`}`;
}

/** Describes the latest failure, such as `the latest failure was on 2026-11-09 14:05 UTC (HTTP 410 Gone)`. */
export function describeFailure(failure: Failure): string {
  return `the latest failure was on ${formatMinute(failure.at)} (${formatCause(failure)})`;
}

/** Causes of failed probes that are not scored: a redirect, or an HTTP status 4xx other than 404 and 410. */
const UNSCORED_CAUSES = /^(?:redirect|http-4(?!04|10)\d\d)$/;

/** Returns the latest failure if its probe was scored, so that the failure lowers the uptime; otherwise null. */
export function findScoredFailure({ lastFailure }: ScoreInputs): Failure | null {
  return lastFailure === null || UNSCORED_CAUSES.test(lastFailure.error) ? null : lastFailure;
}

/** Maximum number of failed rules that a sentence names. */
const MAX_NAMED_RULES = 3;

/** Formats the failed rules of the latest challenge, such as `rules v2-payto, v2-extra`; null if none is known. */
export function formatFailedRules({ lastChallenge }: Pick<ScoreInputs, 'lastChallenge'>): string | null {
  const ids = lastChallenge?.failedRules ?? [];
  if (ids.length === 0) return null;
  const more = ids.length > MAX_NAMED_RULES ? ` and ${String(ids.length - MAX_NAMED_RULES)} more` : '';
  return `rule${ids.length === 1 ? '' : 's'} ${ids.slice(0, MAX_NAMED_RULES).join(', ')}${more}`;
}

/**
 * Returns the known reason why the latest challenge cannot be paid, with the failed rules, as the end of a sentence. A
 * reason that quotes a free text of the provider is left out. Returns a full stop if nothing is known, or if the latest
 * challenge can be paid.
 */
export function formatNotPayableReason(
  inputs: Pick<ScoreInputs, 'lastChallenge' | 'latestCompliance'>,
): string {
  const { lastChallenge, latestCompliance } = inputs;
  if (latestCompliance !== 'unpayable') return '.';
  const text = lastChallenge?.notPayableReason ?? null;
  const reason = text !== null && hasOnlySafeQuotes(text) ? `: ${toClause(text)}` : '';
  const rules = formatFailedRules(inputs);
  return `${reason}${rules === null ? '' : ` (failed ${rules})`}.`;
}

/** Reason of the reference clients against a token that is named USDC. */
const FALSE_USDC = /^The token "[^"]*" is named USDC but is not /;

/**
 * Returns the reason why the latest challenge cannot be paid, as `formatNotPayableReason`, without a cause that the
 * reason of the flag `asset-not-usdc` names.
 */
export function formatOtherNotPayableReason(inputs: ScoreInputs): string {
  const { advertised, lastChallenge } = inputs;
  const isNamed = advertised?.falseUsdc === true && FALSE_USDC.test(lastChallenge?.notPayableReason ?? '');
  if (lastChallenge === undefined || !isNamed) return formatNotPayableReason(inputs);
  return formatNotPayableReason({ ...inputs, lastChallenge: { ...lastChallenge, notPayableReason: null } });
}

/** Returns true if each quoted value in a sentence is complete and has the form of an address, a network or a token. */
function hasOnlySafeQuotes(sentence: string): boolean {
  return [...sentence.matchAll(QUOTED)].every(([, value = '', end]) => end === '"' && SAFE_TERM.test(value));
}

/** Returns the text with a capital first letter. */
export function capitalize(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
