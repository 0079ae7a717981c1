import { DAY_MS, formatTimestamp } from '@touchstone/common';
import { readMember, readText } from '@touchstone/x402/json';
import { PAYMENT_STATES } from '../ledger/journal.ts';
import { fetchJson } from '../statement/fetch-json.ts';
import type { PublicKeyJwk } from '../statement/keys.ts';
import { verifyStatement } from '../statement/statement.ts';
import { toAuthorization, type Trace, type TracedAuthorization, type TracedState } from './trace.ts';

export interface ServiceTraceOptions {
  readonly service: URL;
  readonly keys: readonly PublicKeyJwk[];
  readonly fetch: typeof globalThis.fetch;
  readonly timeoutMs: number;
  readonly now: () => number;
}

const MAX_STATUS_BYTES = 65_536;
/**
 * Time before the payment at which the search for its settlement begins, in milliseconds: the clock of this machine can
 * be ahead of the chain.
 */
const SEARCH_MARGIN_MS = 600_000;
/**
 * Maximum age of the start of a search, in milliseconds. The service refuses an earlier start than 7 days ago by its own
 * clock, also for an unused authorization, whose state needs no search.
 */
const MAX_SEARCH_MS = 7 * DAY_MS - SEARCH_MARGIN_MS;
/** Last end of an authorization that the service reads, in milliseconds since 1970: 10 digits of seconds. */
const MAX_END_MS = 9_999_999_999_000;
/** Maximum age of a statement, in milliseconds. */
const MAX_AGE_MS = 60_000;
/**
 * Minimum of the maximum duration of one request, in milliseconds: the service searches the chain for a settled payment
 * for up to 15 seconds.
 */
const MIN_TIMEOUT_MS = 20_000;

/** Creates a function that asks the service for the state of a payment, and verifies the signed response. */
export function createServiceTrace({ service, fetch, timeoutMs, now, keys }: ServiceTraceOptions): Trace {
  return async (payment) => {
    const authorization = toAuthorization(payment);
    if (authorization === null) return null;
    const { network, payer, nonce, asset } = authorization;
    const validBefore = toReadableEnd(authorization.validBefore);
    const url = new URL('/v1/payment-status', service);
    const since = Math.max(payment.at - SEARCH_MARGIN_MS, now() - MAX_SEARCH_MS);
    url.search = new URLSearchParams({
      ...{ network, payer, nonce, asset, since: formatTimestamp(since) },
      ...(validBefore === null ? {} : { valid_before: String(validBefore / 1_000) }),
    }).toString();
    const limits = { timeoutMs: Math.max(timeoutMs, MIN_TIMEOUT_MS), maxBytes: MAX_STATUS_BYTES };
    const result = await fetchJson({ fetch, url, ...limits });
    if ('problem' in result) return null;
    const rules = { schemaType: 'payment-status', keys, now: now(), maxAgeMs: MAX_AGE_MS };
    const statement = await verifyStatement(result.value, rules);
    return 'code' in statement
      ? null
      : readStatus(statement.document, { ...authorization, validBefore }, now());
  };
}

/** Returns an end in whole seconds, in milliseconds since 1970; null for an end that the service does not read. */
function toReadableEnd(validBefore: number | null): number | null {
  return validBefore === null || validBefore > MAX_END_MS ? null : validBefore - (validBefore % 1_000);
}

/** Reads a verified statement. Returns null for a statement on another payment, and for a malformed statement. */
function readStatus(document: object, asked: TracedAuthorization, now: number): TracedState | null {
  const requested = readMember(document, 'requested');
  const isNamed = (['network', 'payer', 'nonce', 'asset'] as const).every(
    (name) => readText(requested, name)?.toLowerCase() === asked[name].toLowerCase(),
  );
  // Another token or an earlier end would make an open or settled payment look expired.
  const isAsked = isNamed && readTime(requested, 'validBefore') === asked.validBefore;
  const state = PAYMENT_STATES.find((name) => name === readMember(document, 'state'));
  if (!isAsked || state === undefined) return null;
  const payments = readMember(document, 'payments');
  const transaction = readText(Array.isArray(payments) ? payments[0] : null, 'transaction');
  if (state !== 'expired' && state !== 'cancelled') return { state, transaction };
  // A second payment is allowed only after these states, so nothing in the statement may contradict them.
  const isPast = state === 'cancelled' || isPastEnd(document, asked.validBefore, now);
  const isSafe = readMember(document, 'safeToPayAgain') === true && isPast && transaction === null;
  return isSafe ? { state, transaction } : { state: 'unknown', transaction };
}

/** Returns true if an authorization has ended by this clock and by the block that the statement names. */
function isPastEnd(document: object, validBefore: number | null, now: number): boolean {
  const blockTime = readTime(document, 'blockTime');
  return validBefore !== null && validBefore <= now && blockTime !== null && validBefore <= blockTime;
}

function readTime(value: unknown, name: string): number | null {
  const time = Date.parse(readText(value, name) ?? '');
  return Number.isNaN(time) ? null : time;
}
