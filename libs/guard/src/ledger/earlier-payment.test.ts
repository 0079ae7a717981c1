import { describe, expect, it } from 'vitest';
import { createPayment, createResponse, createStatus, START_MS } from '../testing/payments.ts';
import { judgeRequest } from './earlier-payment.ts';
import type { JournalEntry } from './journal.ts';
import { Ledger } from './ledger.ts';
import { DEFAULT_LIMITS } from './limit-policy.ts';

interface Case {
  readonly title: string;
  readonly entries: readonly JournalEntry[];
  /** Time after the first payment. */
  readonly seconds: number;
  readonly request?: string | null;
  /** Amount of the new payment; default one cent. */
  readonly signedAmount?: string;
  readonly canResend?: boolean;
  readonly expected: string;
}

function judge({
  entries,
  seconds,
  request = 'request',
  signedAmount = '10000',
  canResend = true,
}: Omit<Case, 'title' | 'expected'>) {
  const ledger = new Ledger();
  for (const entry of entries) ledger.add(entry);
  const now = START_MS + seconds * 1_000;
  return judgeRequest(ledger, { request, signedAmount }, { policy: DEFAULT_LIMITS, now, canResend });
}

function format(judged: ReturnType<typeof judge>): string {
  if (judged.kind === 'resend') return `resend ${judged.payment.entry.header}`;
  return judged.kind === 'refused' ? judged.reason.code : judged.kind;
}

const SENT = [createPayment('a', 0)];
const DELIVERED = [...SENT, createResponse('a', 2, 200)];
const FAILED = [...SENT, createResponse('a', 2, 402)];
const SETTLED = [...FAILED, createStatus('a', 20, 'settled')];
const RESENT: JournalEntry = { kind: 'resend', id: 'a', at: '2026-06-01T12:00:30.000Z' };
/** Voucher of a payment channel. */
const VOUCHER = { signedAmount: '0', signedUsd: '0', nonce: null, validBefore: null };
const ENDLESS = [createPayment('a', 0, { validBefore: null })];

const CASES: readonly Case[] = [
  { title: 'sends the first payment of a request', entries: [], seconds: 0, expected: 'send' },
  { title: 'sends for another request', entries: SENT, request: 'other', seconds: 1, expected: 'send' },
  { title: 'sends for a request without a key', entries: SENT, request: null, seconds: 1, expected: 'send' },
  {
    title: 'refuses a request that was delivered less than ten seconds ago',
    entries: DELIVERED,
    seconds: 11,
    expected: 'repeated-request',
  },
  { title: 'sends ten seconds after the delivery', entries: DELIVERED, seconds: 12, expected: 'send' },
  {
    title: 'sends the payment again that waits for its response',
    entries: SENT,
    seconds: 1,
    expected: 'resend header of a',
  },
  {
    title: 'sends the payment again that received 402',
    entries: [...FAILED, createStatus('a', 3, 'open'), RESENT],
    seconds: 299,
    expected: 'resend header of a',
  },
  {
    title: 'sends the payment again whose state is unknown',
    entries: [...FAILED, createStatus('a', 3, 'unknown')],
    seconds: 4,
    expected: 'resend header of a',
  },
  {
    title: 'refuses if the payment can still be settled and cannot be sent again',
    entries: FAILED,
    seconds: 299,
    canResend: false,
    expected: 'payment-open',
  },
  {
    title: 'sends a settled payment once again',
    entries: [...FAILED, RESENT, createStatus('a', 40, 'settled')],
    seconds: 500,
    expected: 'resend header of a',
  },
  {
    title: 'refuses after a settled payment was sent again',
    entries: [...SETTLED, RESENT],
    seconds: 3_599,
    expected: 'already-paid',
  },
  {
    title: 'refuses after a settled payment that cannot be sent again',
    entries: SETTLED,
    seconds: 25,
    canResend: false,
    expected: 'already-paid',
  },
  {
    title: 'sends an hour after a settled payment',
    entries: [...SETTLED, RESENT],
    seconds: 3_600,
    expected: 'send',
  },
  {
    title: 'refuses after the end of an authorization whose state is unknown',
    entries: FAILED,
    seconds: 300,
    expected: 'payment-unclear',
  },
  { title: 'sends an hour after an unclear payment', entries: FAILED, seconds: 3_600, expected: 'send' },
  {
    title: 'sends after an expired payment',
    entries: [...FAILED, createStatus('a', 310, 'expired')],
    seconds: 311,
    expected: 'send',
  },
  {
    title: 'sends after a cancelled payment',
    entries: [...FAILED, createStatus('a', 10, 'cancelled')],
    seconds: 11,
    expected: 'send',
  },
  {
    title: 'keeps an expired state when a later status is uncertain',
    entries: [...FAILED, createStatus('a', 310, 'expired'), createStatus('a', 320, 'unknown')],
    seconds: 330,
    expected: 'send',
  },
  {
    title: 'sends an authorization without an end again for an hour',
    entries: ENDLESS,
    seconds: 3_599,
    expected: 'resend header of a',
  },
  {
    title: 'sends an hour after an authorization without an end',
    entries: ENDLESS,
    seconds: 3_600,
    expected: 'send',
  },
  {
    title: 'sends a new voucher in place of an earlier voucher',
    entries: [createPayment('a', 0, VOUCHER), createResponse('a', 1, 503)],
    signedAmount: '0',
    seconds: 2,
    expected: 'send',
  },
  {
    title: 'sends a new deposit in place of an earlier voucher',
    entries: [createPayment('a', 0, VOUCHER), createResponse('a', 1, 402)],
    seconds: 2,
    expected: 'send',
  },
  {
    title: 'sends a new voucher after a settled deposit',
    entries: SETTLED,
    signedAmount: '0',
    seconds: 25,
    expected: 'send',
  },
  {
    title: 'refuses a voucher for a request that was delivered less than a minute ago',
    entries: [createPayment('a', 0, VOUCHER), createResponse('a', 1, 200)],
    signedAmount: '0',
    seconds: 2,
    expected: 'repeated-request',
  },
  {
    title: 'sends the latest payment again',
    entries: [...FAILED, createStatus('a', 310, 'expired'), createPayment('b', 320, { validBefore: null })],
    seconds: 330,
    expected: 'resend header of b',
  },
  {
    title: 'refuses if an earlier payment is delivered late',
    entries: [...FAILED, createPayment('b', 3_600), createResponse('a', 3_601, 200)],
    seconds: 3_602,
    expected: 'repeated-request',
  },
  {
    title:
      'recognizes a delivery after a failure of the same payment, and keeps the delivery after another failure',
    entries: [...FAILED, createResponse('a', 10, 200), createResponse('a', 11, 402)],
    seconds: 12,
    expected: 'repeated-request',
  },
];

describe('judgeRequest', () => {
  it.each(CASES)('$title', ({ expected, ...given }) => {
    expect(format(judge(given))).toBe(expected);
  });

  it.each([
    [
      DELIVERED,
      5,
      'The same request was paid at 2026-06-01T12:00:00.000Z (transaction 0xtransactiona), and its response was delivered. Use that response, or pay again after 2026-06-01T12:00:12.000Z (policy.repeatAfterSeconds is 10).',
    ],
    [
      [...SETTLED, RESENT],
      60,
      'The same request was paid at 2026-06-01T12:00:00.000Z (transaction 0xchaina), and nothing was delivered. The payment was settled on the chain. Ask the seller for the delivery or a refund. A new payment is possible after 2026-06-01T13:00:00.000Z (policy.payAgainAfterSeconds is 3600).',
    ],
    [
      FAILED,
      300,
      'The same request was paid at 2026-06-01T12:00:00.000Z, and nothing was delivered. The payment can no longer be settled, and whether it was settled is not known. Try again in a minute, so that the guard asks the chain again. A new payment is possible after 2026-06-01T13:00:00.000Z (policy.payAgainAfterSeconds is 3600).',
    ],
    [
      [createPayment('a', 0, { nonce: null })],
      300,
      'The same request was paid at 2026-06-01T12:00:00.000Z, and nothing was delivered. The payment can no longer be settled, and whether it was settled is not known. The chain cannot be asked, because the payment has no nonce. A new payment is possible after 2026-06-01T13:00:00.000Z (policy.payAgainAfterSeconds is 3600).',
    ],
  ])('explains the refusal', (entries, seconds, message) => {
    expect(judge({ entries, seconds })).toMatchObject({ reason: { message } });
  });

  it('leaves text that is not a transaction out of the message', () => {
    const claim: JournalEntry = {
      ...{ kind: 'response', id: 'a', at: '2026-06-01T12:00:02.000Z', httpStatus: 200, delivered: true },
      transaction: 'https://evil.example/pay me',
    };
    expect(JSON.stringify(judge({ entries: [...SENT, claim], seconds: 5 }))).not.toContain('evil');
  });
});
