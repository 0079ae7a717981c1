import { expect, test } from 'vitest';
import { HOUR_MS } from '@touchstone/common';
import { score } from '../score.ts';
import {
  createChange,
  createFailure,
  createHealthyInputs,
  createLastDay,
  NO_ENVELOPES,
  NOW,
  toDaysAgo,
  USDC,
  withAdvertised,
  withLastChallenge,
  withProbes,
} from '../testing/fixtures.ts';
import type { Flag, ScoreInputs } from '../types.ts';

const PAY_TO = '0x209693Bc6afc0C5328bA36FaF03C514EF312287C';
const HTTP_403 = createFailure({
  ...{ since: toDaysAgo(9), httpStatus: 403, error: 'http-403', detail: 'HTTP 403 Forbidden.' },
});

type Row = readonly [
  slug: string,
  change: Partial<ScoreInputs>,
  since: Flag['since'],
  evidence: Flag['evidence'],
];

/** Flags about payment terms and payability, with complete evidence: old and new values, token, network and dates. */
const MONEY: readonly Row[] = [
  [
    'payto-changed-recently',
    {
      changes: [
        createChange('payto_change', toDaysAgo(2), { before: '0xold', after: PAY_TO }),
        createChange('payto_change', toDaysAgo(5)),
      ],
    },
    toDaysAgo(2),
    {
      ...{ changes: 2, changedAt: toDaysAgo(2), before: '0xold', after: PAY_TO },
      ...{ network: 'eip155:8453', asset: USDC },
    },
  ],
  [
    'payto-changed',
    { changes: [createChange('payto_change', toDaysAgo(11), { before: '0x01d', after: PAY_TO })] },
    toDaysAgo(11),
    {
      ...{ changes: 1, changedAt: toDaysAgo(11), before: '0x01d', after: PAY_TO },
      ...{ network: 'eip155:8453', asset: USDC },
    },
  ],
  [
    'payto-varies',
    {
      changes: [
        createChange('payto_change', toDaysAgo(20)),
        createChange('payto_change', toDaysAgo(9), { before: '0xold', after: PAY_TO }),
      ],
    },
    toDaysAgo(20),
    { changes: 2, lastChangedAt: toDaysAgo(9), before: '0xold', after: PAY_TO },
  ],
  [
    'payto-varies',
    {
      payToVariation: {
        ...{ changes: 287, since: toDaysAgo(3), lastChangedAt: toDaysAgo(2) },
        ...{ before: '0xold', after: PAY_TO },
      },
    },
    toDaysAgo(3),
    { changes: 287, lastChangedAt: toDaysAgo(2), before: '0xold', after: PAY_TO },
  ],
  [
    'network-changed-recently',
    { changes: [createChange('asset_network_change', toDaysAgo(9), { before: 'a:1 X', after: 'a:2 X' })] },
    toDaysAgo(9),
    { changedAt: toDaysAgo(9), before: 'a:1 X', after: 'a:2 X' },
  ],
  [
    'asset-not-usdc',
    withAdvertised({ falseUsdc: true, falseUsdcAsset: '0xfake' }),
    null,
    { network: 'eip155:8453', asset: '0xfake', payTo: PAY_TO },
  ],
  [
    'price-spike',
    {
      ...withAdvertised({ amountUsd: '1.000000' }),
      changes: [createChange('price_change', toDaysAgo(1), { before: '$0.01', after: '$1.00' })],
    },
    toDaysAgo(1),
    { amountUsd: '1.000000', medianUsd30d: '0.010000', before: '$0.01' },
  ],
  [
    'price-unknown',
    withAdvertised({ amountUsd: null, asset: '0xeurc' }),
    null,
    { network: 'eip155:8453', asset: '0xeurc' },
  ],
  [
    'not-payable',
    { lastPayableAt: toDaysAgo(2) },
    toDaysAgo(2),
    { lastChallengedAt: toDaysAgo(0.01), lastPayableAt: toDaysAgo(2) },
  ],
  [
    'envelope-noncompliant',
    { last24h: createLastDay(48, 'unpayable'), lastPayableAt: toDaysAgo(1) },
    toDaysAgo(1),
    { challenges: 48, unpayable: 48, latestCompliance: 'pass', lastPayableAt: toDaysAgo(1) },
  ],
  // Some challenges of the day were payable, so the start of the problem is unknown.
  [
    'envelope-noncompliant',
    { last24h: { ...createLastDay(3), envelopes: { ...NO_ENVELOPES, pass: 1, unpayable: 2 } } },
    null,
    { challenges: 3, unpayable: 2, latestCompliance: 'pass', lastPayableAt: toDaysAgo(0.01) },
  ],
  [
    'envelope-formal-errors',
    { last24h: { ...createLastDay(5), envelopes: { pass: 1, warnings: 0, errors: 3, unpayable: 1 } } },
    null,
    { challenges: 5, errors: 3, unpayable: 1, latestCompliance: 'pass' },
  ],
  [
    'header-body-mismatch',
    withLastChallenge({ headerBodyMismatch: true }),
    null,
    { lastChallengedAt: toDaysAgo(0.01) },
  ],
  [
    'needs-client-settings',
    withLastChallenge({
      neededSettings: [
        { kind: 'scheme', setting: 'the scheme upto' },
        { kind: 'amount', setting: 'a limit' },
      ],
    }),
    null,
    { scheme: 'the scheme upto', amount: 'a limit' },
  ],
  [
    'missing-resource-info',
    withLastChallenge({ resourceInfoMissing: true }),
    null,
    { lastChallengedAt: toDaysAgo(0.01) },
  ],
];

/** Flags about uptime and listing, with their causes and dates. */
const SERVICE: readonly Row[] = [
  [
    'down-now',
    { downSince: NOW - 50.5 * HOUR_MS, lastFailure: createFailure() },
    NOW - 50.5 * HOUR_MS,
    { hours: 50, error: 'http-410', httpStatus: 410 },
  ],
  // The state after the last scored probe is unknown.
  [
    'down-now',
    { downSince: toDaysAgo(9), lastScoredAt: toDaysAgo(7) },
    toDaysAgo(9),
    { hours: 48, error: null, httpStatus: null },
  ],
  [
    'not-payable-now',
    { downSince: NOW, lastFailure: createFailure() },
    NOW,
    { downSince: NOW, lastPayableAt: toDaysAgo(0.01), latestCompliance: 'pass', error: 'http-410' },
  ],
  [
    'not-payable-now',
    { latestCompliance: 'unpayable', lastFailure: createFailure() },
    toDaysAgo(0.01),
    { downSince: null, lastPayableAt: toDaysAgo(0.01), latestCompliance: 'unpayable', error: null },
  ],
  [
    'uptime-low',
    { ...withProbes(1_000, 900), lastFailure: createFailure(), downSince: NOW },
    null,
    { uptimePercent: 90, probes: 1_000, up: 900, downSince: NOW, error: 'http-410' },
  ],
  // An outage of more than a day explains the fall of the uptime. A shorter outage may not explain it.
  [
    'uptime-falling',
    { last24h: createLastDay(48, 'down'), downSince: toDaysAgo(2), lastFailure: createFailure() },
    toDaysAgo(2),
    {
      ...{ uptimePercent24h: 0, uptimePercent7d: 100, uptimePercent30d: 100 },
      ...{ downSince: toDaysAgo(2), error: 'http-410' },
    },
  ],
  [
    'uptime-falling',
    { last24h: { ...createLastDay(48), up: 24 }, last7d: { scored: 0, up: 0 }, downSince: NOW },
    null,
    {
      ...{ uptimePercent24h: 50, uptimePercent7d: null, uptimePercent30d: 100 },
      ...{ downSince: NOW, error: null },
    },
  ],
  [
    'not-seen-lately',
    { lastScoredAt: toDaysAgo(9), lastFailure: HTTP_403 },
    toDaysAgo(9),
    { lastScoredAt: toDaysAgo(9), error: 'http-403' },
  ],
  [
    'payments-returned',
    {
      settlement: {
        ...{ volumeUsd30d: 1, returnedUsd30d: 9, payers30d: 1, topPayerShare: 1 },
        returnedBy: [
          { network: 'eip155:8453', address: PAY_TO, isFunded: false, returnedUsd30d: 6 },
          { network: 'eip155:137', address: '0xf00d', isFunded: true, returnedUsd30d: 3 },
        ],
      },
    },
    null,
    {
      ...{ returnedUsd30d: 9, volumeUsd30d: 1 },
      ...{ advertisedWallet1: `eip155:8453 ${PAY_TO}`, advertisedWallet1Usd30d: 6 },
      ...{ fundedWallet2: 'eip155:137 0xf00d', fundedWallet2Usd30d: 3 },
    },
  ],
  ['delisted', { listed: false, delistedAt: toDaysAgo(4) }, toDaysAgo(4), { delistedAt: toDaysAgo(4) }],
  [
    'blocked',
    { ...withProbes(50, 50, { total: 100, blocked: 50 }), lastFailure: HTTP_403 },
    toDaysAgo(9),
    { probes: 100, blocked: 50, error: 'http-403' },
  ],
  // The latest failure is an outage, so it does not say why other probes were blocked.
  [
    'blocked',
    { ...withProbes(50, 50, { total: 100, blocked: 50 }), lastFailure: createFailure() },
    null,
    { probes: 100, blocked: 50, error: null },
  ],
  [
    'redirects',
    {
      ...withProbes(50, 50, { total: 100, redirected: 50 }),
      lastFailure: createFailure({ since: toDaysAgo(9), error: 'redirect', httpStatus: 308 }),
    },
    toDaysAgo(9),
    { probes: 100, redirected: 50, error: 'redirect' },
  ],
  [
    'redirects',
    { ...withProbes(50, 50, { total: 100, redirected: 50 }), lastFailure: HTTP_403 },
    null,
    { probes: 100, redirected: 50, error: null },
  ],
  [
    'redirects',
    withLastChallenge({ redirect: { status: 307, target: 'https://other.example/data', otherOrigin: true } }),
    null,
    { target: 'https://other.example/data', status: 307, targetOrigin: 'other' },
  ],
];

test.each([...MONEY, ...SERVICE])('%s has complete evidence (%#)', (...[slug, change, since, evidence]) => {
  const flag = score(createHealthyInputs(change)).flags.find((raised) => raised.slug === slug);
  expect(flag).toMatchObject({ slug, since });
  expect(flag?.evidence).toEqual(evidence);
});
