import { DAY_MS, formatDecimal, formatTimestamp } from '@touchstone/common';
import { normalizeAddress } from '@touchstone/x402/networks';
import { add, type Decimal, isGreater, readLimit, ZERO } from '../decimal.ts';
import type { Reason } from '../decision/decision.ts';
import type { PaymentEntry } from './journal.ts';
import { isSellerFailure } from '../outcome/outcome.ts';
import { isCounted, type Ledger, type LedgerPayment } from './ledger.ts';
import type { LimitPolicy } from './limit-policy.ts';

/** Payment that a guard wants to send. `action` and `reasons` are the decision on the payment terms. */
export type PaymentDraft = Omit<PaymentEntry, 'at' | 'kind' | 'id'>;

/** Time after which a response no longer comes, in milliseconds. `fetch` of Node.js waits as long for the headers. */
const MAX_RESPONSE_MS = 300_000;

/** Payment to judge, with the payments of the last 24 hours that count. */
interface LimitFacts {
  readonly draft: PaymentDraft;
  readonly host: string;
  readonly recipient: string;
  readonly signedUsd: Decimal | null;
  /** Payments of the last 24 hours that can still be settled, or were. */
  readonly day: readonly LedgerPayment[];
  readonly totalUsd: Decimal;
  readonly policy: LimitPolicy;
  readonly now: number;
}

/**
 * Judges a new payment by the earlier payments: budgets, number of payments, and payments without a delivery. Pure: the
 * same state leads to the same reasons.
 *
 * @param now time in milliseconds since 1970
 * @throws TypeError for a limit of the policy that cannot be read
 */
export function judgeLimits(
  ledger: Ledger,
  draft: PaymentDraft,
  { policy, now }: { readonly policy: LimitPolicy; readonly now: number },
): Reason[] {
  const facts: LimitFacts = {
    ...{ draft, policy, now, totalUsd: ledger.totalUsd },
    host: new URL(draft.resource).hostname,
    recipient: normalizeAddress(draft.network, draft.payTo),
    signedUsd: draft.signedUsd === null ? null : readLimit('signedUsd', draft.signedUsd),
    day: ledger.listLastDay(now).filter(isCounted),
  };
  return [judgeBudgets, judgeCount, judgeUndelivered, judgeUnknown].flatMap((judge) => judge(facts));
}

function judgeBudgets({ signedUsd, host, day, totalUsd, policy }: LimitFacts): Reason[] {
  const toHost = () => day.filter((payment) => payment.host === host);
  const budgets = [
    ['host-budget', 'maxHostUsdPerDay', () => sumUsd(toHost()), `to ${host} in 24 hours`],
    ['day-budget', 'maxUsdPerDay', () => sumUsd(day), 'in 24 hours'],
    ['total-budget', 'maxUsdTotal', () => totalUsd, 'in total'],
  ] as const;
  const limited = budgets.filter(([, member]) => policy[member] !== null);
  if (limited.length > 0 && signedUsd === null) {
    const message = 'The price in US dollars is unknown, so the budgets of your policy cannot be checked.';
    return [{ code: 'price-unknown', action: 'abort', message }];
  }
  const signed = signedUsd ?? ZERO;
  return limited.flatMap(([code, member, sum, scope]): Reason[] => {
    const max = readLimit(`policy.${member}`, policy[member] ?? '');
    const paid = sum();
    if (!isGreater(add(paid, signed), max)) return [];
    const message = `This payment of ${format(signed)} would exceed ${format(max)} ${scope}, of which ${format(paid)} are used. The limit is policy.${member}.`;
    return [{ code, action: 'abort', message }];
  });
}

function judgeCount({ day, policy: { maxPaymentsPerDay: max } }: LimitFacts): Reason[] {
  if (max === null || day.length < max) return [];
  const message = `${count(day.length)} in the last 24 hours. The limit is ${max} (policy.maxPaymentsPerDay).${formatEnd(day, max)}`;
  return [{ code: 'max-payments', action: 'abort', message }];
}

/** Finds payments without a delivery since the latest delivery, at the same host and at the same recipient. */
function judgeUndelivered(facts: LimitFacts): Reason[] {
  const { now, policy } = facts;
  const { maxUndelivered: max } = policy;
  if (max === null) return [];
  const [worst] = groupPayments(facts.day, facts)
    .map(({ name, paid }) => ({ name, failed: findUndelivered(paid, now) }))
    .toSorted((left, right) => right.failed.length - left.failed.length);
  const latest = worst?.failed.at(-1);
  if (worst === undefined || latest === undefined) return [];
  const { name } = worst;
  const status = latest.httpStatus === null ? 'no delivery' : `status ${latest.httpStatus}`;
  const failures = `${count(worst.failed.length)} to ${name} in the last 24 hours without a delivery; the latest at ${formatTimestamp(latest.at)} received ${status}.`;
  if (worst.failed.length < max) return [{ code: 'undelivered', action: 'warn', message: failures }];
  const end = formatEnd(worst.failed, max);
  const message = `${failures} The limit is ${max} (policy.maxUndelivered).${end} A payment no longer counts once the chain shows that it expired without being settled. The command "touchstone receipts" lists the payments of a journal in a file.`;
  return [{ code: 'undelivered', action: 'abort', message }];
}

/** Returns the payments to the host, and those to the recipient, of the new payment. */
function groupPayments(
  payments: readonly LedgerPayment[],
  { host, recipient }: LimitFacts,
): readonly { readonly name: string; readonly paid: readonly LedgerPayment[] }[] {
  return [
    { name: host, paid: payments.filter((payment) => payment.host === host) },
    { name: recipient, paid: payments.filter((payment) => payment.recipient === recipient) },
  ];
}

/** Returns the payments that failed because of the seller since the latest delivery. */
function findUndelivered(payments: readonly LedgerPayment[], now: number): readonly LedgerPayment[] {
  const delivered = payments.reduce((latest, { deliveredAt }) => Math.max(latest, deliveredAt ?? 0), 0);
  return payments.filter((payment) => {
    const failedAt = payment.deliveredAt === null ? findFailure(payment, now) : null;
    return failedAt !== null && failedAt > delivered;
  });
}

/** Returns the time at which a payment failed because of the seller; null while the payment waits for its response. */
function findFailure(payment: LedgerPayment, now: number): number | null {
  const { at, respondedAt, validBefore } = payment;
  if (respondedAt !== null) return isFailed(payment) ? respondedAt : null;
  const end = Math.min(validBefore ?? Infinity, at + MAX_RESPONSE_MS);
  return end <= now ? end : null;
}

/** Returns true without a response, for a failure of the seller, and for a client error that the seller charged. */
function isFailed({ httpStatus: status, isUnclear, state }: LedgerPayment): boolean {
  if (isUnclear) return false;
  if (status === null || isSellerFailure(status)) return true;
  return state === 'settled' && status >= 400;
}

function judgeUnknown(facts: LimitFacts): Reason[] {
  const { draft, day, host, policy } = facts;
  const { maxUnknownPayments: max } = policy;
  if (max === null || !draft.isUnknownHost) return [];
  const unknown = day.filter(({ entry }) => entry.isUnknownHost);
  const found = groupPayments(unknown, facts).find(({ paid }) => paid.length >= max);
  if (found === undefined) return [];
  const message = `Touchstone does not know ${host}. ${count(found.paid.length)} to ${found.name} in the last 24 hours. The limit for unknown hosts is ${max} (policy.maxUnknownPayments). If you know this seller, add the host to policy.knownHosts.${formatEnd(found.paid, max)}`;
  return [{ code: 'unknown-repeated', action: 'abort', message }];
}

/** Adds the signed amounts of payments. An amount in a token of unknown price counts as 0. */
export function sumUsd(payments: readonly LedgerPayment[]): Decimal {
  return payments.reduce((sum, { signedUsd }) => add(sum, signedUsd ?? ZERO), ZERO);
}

/** Formats the time at which so many payments are older than 24 hours that one more payment is allowed. */
function formatEnd(payments: readonly LedgerPayment[], max: number): string {
  const last = payments[payments.length - max];
  return last === undefined
    ? ''
    : ` The next payment is possible after ${formatTimestamp(last.at + DAY_MS)}.`;
}

function count(payments: number): string {
  return payments === 1 ? '1 payment was made' : `${payments} payments were made`;
}

function format(usd: Decimal): string {
  return `$${formatDecimal(usd)}`;
}
