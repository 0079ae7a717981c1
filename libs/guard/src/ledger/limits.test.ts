import { describe, expect, it } from 'vitest';
import {
  createDraft,
  createPayment,
  createResponse,
  createStatus,
  START_MS,
  toTime,
} from '../testing/payments.ts';
import type { JournalEntry } from './journal.ts';
import { Ledger } from './ledger.ts';
import { DEFAULT_LIMITS, type LimitPolicy } from './limit-policy.ts';
import { judgeLimits, type PaymentDraft } from './limits.ts';

interface Case {
  readonly title: string;
  readonly entries: readonly JournalEntry[];
  readonly draft?: Partial<PaymentDraft>;
  readonly policy: Partial<LimitPolicy>;
  /** Time after `START_MS`. */
  readonly seconds?: number;
  readonly reasons: readonly string[];
}

const DAY_SECONDS = 86_400;
const OTHER_HOST = { resource: 'https://other.example/data' };
const OTHER_WALLET = { payTo: `0x${'cd'.repeat(20)}` };
const UNKNOWN = { isUnknownHost: true };
const FAILED = [createPayment('a', 0), createResponse('a', 1, 500)];
const FAILED_TWICE = [...FAILED, createPayment('b', 2), createResponse('b', 3, 402)];

function judge({ entries, draft = {}, policy, seconds = 10 }: Omit<Case, 'title' | 'reasons'>) {
  const ledger = new Ledger();
  for (const entry of entries) ledger.add(entry);
  const now = START_MS + seconds * 1_000;
  return judgeLimits(ledger, createDraft({ request: null, ...draft }), {
    policy: { ...DEFAULT_LIMITS, ...policy },
    now,
  });
}

const CASES: readonly Case[] = [
  {
    title: 'allows a payment that reaches a budget exactly',
    entries: [createPayment('a', 0)],
    policy: { maxHostUsdPerDay: '0.02', maxUsdPerDay: 0.02, maxUsdTotal: '0.02', maxPaymentsPerDay: 2 },
    reasons: [],
  },
  {
    title: 'refuses a payment above the budget of its host',
    entries: [createPayment('a', 0)],
    policy: { maxHostUsdPerDay: '0.019999' },
    reasons: ['host-budget abort'],
  },
  {
    title: 'counts ports of a host as one host',
    entries: [createPayment('a', 0, { resource: 'https://seller.example:8443/' })],
    policy: { maxHostUsdPerDay: '0.01' },
    reasons: ['host-budget abort'],
  },
  {
    title: 'leaves payments to other hosts out of the budget of a host',
    entries: [createPayment('a', 0, OTHER_HOST)],
    policy: { maxHostUsdPerDay: '0.01' },
    reasons: [],
  },
  {
    title: 'counts payments to all hosts in the budget of a day and of the number of payments',
    entries: [createPayment('a', 0, OTHER_HOST)],
    policy: { maxUsdPerDay: '0.01', maxPaymentsPerDay: 1 },
    reasons: ['day-budget abort', 'max-payments abort'],
  },
  {
    title: 'counts payments of the last 24 hours in the budgets of a day',
    entries: [createPayment('a', 0)],
    policy: { maxHostUsdPerDay: '0.01', maxUsdPerDay: '0.01', maxUsdTotal: '0.01', maxPaymentsPerDay: 1 },
    seconds: DAY_SECONDS,
    reasons: ['total-budget abort'],
  },
  {
    title: 'leaves out a payment that expired or was cancelled',
    entries: [
      createPayment('a', 0),
      createStatus('a', 400, 'expired'),
      createPayment('b', 0),
      createStatus('b', 400, 'cancelled'),
    ],
    policy: { maxHostUsdPerDay: '0.01', maxUsdPerDay: '0.01', maxUsdTotal: '0.01', maxPaymentsPerDay: 1 },
    seconds: 500,
    reasons: [],
  },
  {
    title: 'counts a payment that is settled, although another status follows',
    entries: [createPayment('a', 0), createStatus('a', 5, 'settled'), createStatus('a', 6, 'expired')],
    policy: { maxUsdTotal: '0.01' },
    reasons: ['total-budget abort'],
  },
  {
    title: 'counts the signed amount, which is above the price',
    entries: [createPayment('a', 0, { signedUsd: '0.05' })],
    policy: { maxUsdPerDay: '0.05' },
    reasons: ['day-budget abort'],
  },
  {
    title: 'refuses an unknown price if a budget in US dollars applies',
    entries: [],
    draft: { signedUsd: null },
    policy: { maxUsdTotal: '100' },
    reasons: ['price-unknown abort'],
  },
  {
    title: 'allows an unknown price without a budget',
    entries: [],
    draft: { signedUsd: null },
    policy: {},
    reasons: [],
  },
  {
    title: 'warns after one payment without a delivery',
    entries: FAILED,
    policy: {},
    reasons: ['undelivered warn'],
  },
  {
    title: 'refuses after two payments without a delivery',
    entries: FAILED_TWICE,
    policy: {},
    reasons: ['undelivered abort'],
  },
  {
    title: 'refuses after two payments without a delivery to the same recipient at other hosts',
    entries: FAILED_TWICE,
    draft: { ...OTHER_HOST, payTo: `0x${'aB'.repeat(20)}` },
    policy: {},
    reasons: ['undelivered abort'],
  },
  {
    title: 'refuses after two payments without a delivery at the same host to other recipients',
    entries: FAILED_TWICE,
    draft: OTHER_WALLET,
    policy: {},
    reasons: ['undelivered abort'],
  },
  {
    title: 'ignores failures of other hosts and recipients',
    entries: FAILED_TWICE,
    draft: { ...OTHER_HOST, ...OTHER_WALLET },
    policy: {},
    reasons: [],
  },
  {
    title: 'counts a payment without a response',
    entries: [createPayment('a', 0), createResponse('a', 1, null)],
    policy: { maxUndelivered: 1 },
    reasons: ['undelivered abort'],
  },
  {
    title: 'does not count responses whose cause may be the request, or that need no body',
    entries: [400, 404, 409, 422, 429, 202, 204, 205, 304].flatMap((status) => [
      createPayment(String(status), 0),
      createResponse(String(status), 1, status),
    ]),
    policy: {},
    reasons: [],
  },
  {
    title: 'counts each error after a payment that was settled',
    entries: [404, 429].flatMap((status) => [
      createPayment(String(status), 0),
      createResponse(String(status), 1, status),
      createStatus(String(status), 2, 'settled'),
    ]),
    policy: {},
    reasons: ['undelivered abort'],
  },
  {
    title: 'does not count a settled payment whose response needs no body',
    entries: [createPayment('a', 0), createResponse('a', 1, 204), createStatus('a', 2, 'settled')],
    policy: { maxUndelivered: 1 },
    reasons: [],
  },
  {
    title: 'counts an empty response of status 201',
    entries: [createPayment('a', 0), createResponse('a', 1, 201)],
    policy: { maxUndelivered: 1 },
    reasons: ['undelivered abort'],
  },
  {
    title: 'does not count a payment that waits for its response',
    entries: [createPayment('a', 0), createPayment('b', 0)],
    policy: {},
    seconds: 299,
    reasons: [],
  },
  {
    title: 'counts a payment whose response never came: after 5 minutes, or at the end of the authorization',
    entries: [
      createPayment('a', 0, { validBefore: null }),
      createPayment('b', 200, { validBefore: toTime(260) }),
      createPayment('c', 200, { validBefore: toTime(3_600) }),
    ],
    policy: { maxUndelivered: 3 },
    seconds: 300,
    reasons: ['undelivered warn'],
  },
  {
    title: 'does not count a missing response before a late delivery',
    entries: [createPayment('a', 0), createPayment('b', 0), createResponse('b', 410, 200)],
    policy: {},
    seconds: 500,
    reasons: [],
  },
  {
    title: 'counts failures since the latest delivery',
    entries: [...FAILED_TWICE, createPayment('c', 4), createResponse('c', 5, 200)],
    policy: {},
    reasons: [],
  },
  {
    title: 'does not count a failure whose payment expired',
    entries: [...FAILED_TWICE, createStatus('a', 400, 'expired'), createStatus('b', 400, 'expired')],
    policy: {},
    seconds: 500,
    reasons: [],
  },
  {
    title: 'allows failures again after 24 hours',
    entries: FAILED_TWICE,
    policy: {},
    seconds: DAY_SECONDS + 2,
    reasons: [],
  },
  {
    title: 'has no limit of failures with null',
    entries: FAILED_TWICE,
    policy: { maxUndelivered: null },
    reasons: [],
  },
  {
    title: 'refuses a second payment to an unknown host',
    entries: [createPayment('a', 0, UNKNOWN)],
    draft: { ...UNKNOWN, ...OTHER_WALLET },
    policy: {},
    reasons: ['unknown-repeated abort'],
  },
  {
    title: 'refuses a payment to the recipient of another unknown host',
    entries: [createPayment('a', 0, UNKNOWN)],
    draft: { ...UNKNOWN, ...OTHER_HOST },
    policy: {},
    reasons: ['unknown-repeated abort'],
  },
  {
    title: 'allows a payment to another unknown host and recipient',
    entries: [createPayment('a', 0, UNKNOWN)],
    draft: { ...UNKNOWN, ...OTHER_HOST, ...OTHER_WALLET },
    policy: {},
    reasons: [],
  },
  {
    title: 'allows a payment to an unknown host after 24 hours',
    entries: [createPayment('a', 0, UNKNOWN)],
    draft: UNKNOWN,
    policy: {},
    seconds: DAY_SECONDS,
    reasons: [],
  },
];

describe('judgeLimits', () => {
  it.each(CASES)('$title', ({ reasons, ...given }) => {
    expect(judge(given).map(({ code, action }) => `${code} ${action}`)).toEqual(reasons);
  });

  it('names the sums, the limit and the member of the policy', () => {
    const entries = [createPayment('a', 0, { signedUsd: '0.25' })];
    const [reason] = judge({ entries, policy: { maxHostUsdPerDay: '0.255' } });
    expect(reason?.message).toBe(
      'This payment of $0.01 would exceed $0.255 to seller.example in 24 hours, of which $0.25 are used. The limit is policy.maxHostUsdPerDay.',
    );
  });

  it('names the time of the next payment', () => {
    const entries = [createPayment('a', 0), createPayment('b', 100), createPayment('c', 200)];
    const [reason] = judge({ entries, policy: { maxPaymentsPerDay: 2 }, seconds: 300 });
    expect(reason?.message).toBe(
      '3 payments were made in the last 24 hours. The limit is 2 (policy.maxPaymentsPerDay). The next payment is possible after 2026-06-02T12:01:40.000Z.',
    );
  });

  it('names the latest payment without a delivery, and the time of the next payment', () => {
    const latest = (count: string, time: string, status: number) =>
      `${count} to seller.example in the last 24 hours without a delivery; the latest at 2026-06-01T12:00:${time}.000Z received status ${status}.`;
    expect(judge({ entries: FAILED, policy: {} })[0]?.message).toBe(latest('1 payment was made', '00', 500));
    expect(judge({ entries: FAILED_TWICE, policy: {} })[0]?.message).toBe(
      `${latest('2 payments were made', '02', 402)} The limit is 2 (policy.maxUndelivered). The next payment is possible after 2026-06-02T12:00:00.000Z. A payment no longer counts once the chain shows that it expired without being settled. The command "touchstone receipts" lists the payments of a journal in a file.`,
    );
  });
});
