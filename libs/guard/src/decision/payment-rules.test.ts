import { expect, it } from 'vitest';
import { BASE, type Change, NOW, PAYMENT, run } from '../testing/decisions.ts';
import { decide } from './decide.ts';
import { DEFAULT_POLICY, type Policy } from './policy.ts';

const UNKNOWN = { endpoint: null, match: null, payTo: null };
const UNKNOWN_HOST = { ...UNKNOWN, unknownHost: { knownEndpoints: 0, resembles: null } };
const PUBLIC_URL = 'https://api.touchstone-unknown.com/data';

it.each<[string, Change]>([
  [
    'abort opted-out first-payment',
    {
      payment: { url: PUBLIC_URL, amount: '10001' },
      summary: { ...UNKNOWN, optedOutAt: '2026-10-01T00:00:00.000Z' },
    },
  ],
  ['warn unknown-endpoint', { payment: { url: PUBLIC_URL, amount: '10000' }, summary: UNKNOWN_HOST }],
  [
    'abort unknown-endpoint first-payment',
    { payment: { url: PUBLIC_URL, amount: '10001' }, summary: UNKNOWN_HOST },
  ],
  [
    'abort unknown-endpoint first-payment',
    { payment: { url: PUBLIC_URL, signedAmount: '50000' }, summary: UNKNOWN_HOST },
  ],
  [
    'warn unknown-endpoint',
    {
      payment: { url: PUBLIC_URL, amount: '100000' },
      summary: UNKNOWN_HOST,
      policy: { maxFirstPaymentUsd: null },
    },
  ],
  [
    'warn unknown-endpoint',
    { payment: { url: 'http://localhost/a', amount: '100000' }, summary: UNKNOWN_HOST },
  ],
  ...['http://203.0.114.5/a', 'http://3405804037/a', 'https://[2606:4700::1]/a', 'https://evil.com./a'].map(
    (url): [string, Change] => [
      'abort unknown-endpoint first-payment',
      { payment: { url, amount: '10001' }, summary: UNKNOWN_HOST },
    ],
  ),
  [
    'abort max-price',
    {
      payment: { scheme: 'batch-settlement', signedAmount: '50000' },
      policy: { maxPriceUsd: '0.02' },
    },
  ],
  [
    'abort unknown-endpoint max-unknown-price',
    {
      payment: { url: PUBLIC_URL, signedAmount: '100001' },
      summary: { ...UNKNOWN, unknownHost: { knownEndpoints: 2, resembles: null } },
      policy: { maxDepositMultiple: null },
    },
  ],
  [
    'abort unknown-endpoint lookalike',
    { summary: { ...UNKNOWN, unknownHost: { knownEndpoints: 0, resembles: 'b.example' } } },
  ],
  [
    'warn unknown-endpoint lookalike',
    {
      summary: { ...UNKNOWN, unknownHost: { knownEndpoints: 0, resembles: 'b.example' } },
      policy: { lookalike: 'warn' },
    },
  ],
  ['pay', { payment: { scheme: 'exact', lifetimeSeconds: 3_600 } }],
  ['abort lifetime', { payment: { lifetimeSeconds: 3_601 } }],
  ['abort lifetime', { payment: { lifetimeSeconds: Number.NaN } }],
  ['pay', { payment: { lifetimeSeconds: 31_536_000 }, policy: { maxLifetimeSeconds: null } }],
  ['abort scheme', { payment: { scheme: 'auth-capture' } }],
  ['abort invalid-payment', { payment: { scheme: '' } }],
  ['abort network', { policy: { networks: ['eip155:137'] } }],
  ['pay', { policy: { networks: [BASE] } }],
  ['pay', { payment: { signedAmount: '50000' } }],
  ['pay', { payment: { signedAmount: '0' } }],
  ['abort deposit', { payment: { signedAmount: '50001' } }],
  ['pay', { payment: { signedAmount: '50001' }, policy: { maxDepositMultiple: null } }],
])('decides: %s', (expected, change) => {
  const { action, reasons } = run(change);
  expect([action, ...reasons.map(({ code }) => code)].join(' ')).toBe(expected);
});

it('keeps the highest price of endpoints without observations if the service cannot be reached', () => {
  const failure = { code: 'unreachable', message: 'The service did not respond.' } as const;
  const policy: Policy = { ...DEFAULT_POLICY, unreachable: 'warn' };
  const judge = (amount: string) =>
    decide({ payment: { ...PAYMENT, amount }, lookup: { summary: null, failure }, policy, now: NOW }).action;
  expect([judge('100000'), judge('100001')]).toEqual(['warn', 'abort']);
});

it('treats a public IP address that the service does not accept as an unknown host', () => {
  const payment = { ...PAYMENT, url: 'http://203.0.114.5/a', amount: '10001' };
  const failure = { code: 'not-accepted', message: 'The host must have a name.' } as const;
  const decision = decide({ payment, lookup: { summary: null, failure }, policy: DEFAULT_POLICY, now: NOW });
  expect([decision.isUnknownHost, decision.reasons.map(({ code }) => code)]).toEqual([
    true,
    ['not-accepted', 'first-payment'],
  ]);
});
