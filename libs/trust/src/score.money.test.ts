import { expect, test } from 'vitest';
import {
  advertising,
  daysAgo,
  healthy,
  NOW,
  untouched,
  verdictOf,
  NO_ENVELOPES,
  type Situation,
} from './testing/fixtures.ts';

/** Situations with the verdict worked out by hand from the published formula: what is paid, and to whom. */
const SITUATIONS: Readonly<Record<string, Situation>> = {
  // 15·(1 − 0.5·28/30) + 85 = 93, capped at 64
  'payTo swapped two days ago': {
    inputs: healthy({ changes: [{ kind: 'payto_change', at: daysAgo(2) }] }),
    score: 64,
    grade: 'C',
    recommendation: 'avoid',
    flags: ['payto-changed-recently'],
  },
  // 15·(1 − 0.5·15/30) + 85
  'payTo swapped two weeks ago': {
    inputs: healthy({ changes: [{ kind: 'payto_change', at: daysAgo(15) }] }),
    score: 96.3,
    grade: 'A',
    recommendation: 'proceed',
    flags: [],
  },
  // 15·(1 − 0.5·(20 + 10)/30) + 85
  'payTo swapped twice this month': {
    inputs: healthy({
      changes: [
        { kind: 'payto_change', at: daysAgo(10) },
        { kind: 'payto_change', at: daysAgo(20) },
      ],
    }),
    score: 92.5,
    grade: 'A',
    recommendation: 'caution',
    flags: ['payto-varies'],
  },
  // 15·(1 − 0.15·30/30) + 85
  'the price ten times its median, since this moment': {
    inputs: healthy({
      ...advertising({ amountUsd: '0.100000' }),
      changes: [{ kind: 'price_change', at: NOW }],
    }),
    score: 97.8,
    grade: 'A',
    recommendation: 'avoid',
    flags: ['price-spike'],
  },
  'the price a hair below ten times its median': {
    inputs: healthy(advertising({ amountUsd: '0.099999' })),
    score: 100,
    grade: 'A',
    recommendation: 'proceed',
    flags: [],
  },
  // Seven price changes a day ago would cost 7·0.15·29/30, which is more than there is: 85
  'a price that changes all the time': {
    inputs: healthy({
      changes: Array.from({ length: 7 }, () => ({ kind: 'price_change' as const, at: daysAgo(1) })),
    }),
    score: 85,
    grade: 'A',
    recommendation: 'caution',
    flags: ['price-varies'],
  },
  'the asset moved to another network ten days ago': {
    inputs: healthy({ changes: [{ kind: 'asset_network_change', at: daysAgo(10) }] }),
    score: 97,
    grade: 'A',
    recommendation: 'proceed',
    flags: [],
  },
  'a template whose price and payTo vary': {
    inputs: healthy({
      templated: true,
      changes: [
        { kind: 'payto_change', at: daysAgo(1) },
        { kind: 'price_change', at: daysAgo(1) },
        { kind: 'price_change', at: daysAgo(2) },
      ],
      ...advertising({ amountUsd: '5.000000' }),
    }),
    score: 100,
    grade: 'A',
    recommendation: 'parameterize',
    flags: [],
  },
  'a template that moved to another network': {
    inputs: healthy({ templated: true, changes: [{ kind: 'asset_network_change', at: daysAgo(0) }] }),
    score: 95.5,
    grade: 'A',
    recommendation: 'parameterize',
    flags: [],
  },
  // Only its age is known, which says nothing alone
  'a template never probed that advertises nothing': {
    inputs: untouched({ templated: true, firstSeen: daysAgo(30) }),
    score: 0,
    grade: '?',
    recommendation: 'unverified',
    flags: ['low-confidence', 'template-unresolved'],
  },
  // Only its age is known, however old it is: a score of 0 that says nothing, and so is not to be avoided for it
  'a template never probed that advertises a price': {
    inputs: untouched({ templated: true, firstSeen: daysAgo(180), ...advertising({}) }),
    score: 0,
    grade: '?',
    recommendation: 'parameterize',
    flags: ['low-confidence', 'template-unresolved'],
  },
  // (30 + 10 + 5) of 45: nothing to charge, nothing to settle
  'free, and up all month': {
    inputs: healthy({
      everChallenged: false,
      answeredFree: true,
      envelopes: NO_ENVELOPES,
      lastChallengedAt: null,
      lastPayableAt: null,
      advertised: null,
      settlement: null,
      networksRead: 0,
    }),
    score: 100,
    grade: '?',
    recommendation: 'free',
    flags: [],
  },
  'free, though the directory lists a price': {
    inputs: healthy({
      everChallenged: false,
      answeredFree: true,
      envelopes: NO_ENVELOPES,
      lastChallengedAt: null,
      lastPayableAt: null,
    }),
    score: 100,
    grade: '?',
    recommendation: 'free',
    flags: [],
  },
  // 85 + 15·(1 − 0.15): what cost nothing costs a thousand dollars
  'from nothing to a thousand dollars': {
    inputs: healthy({
      ...advertising({ amountUsd: '1000.000000' }),
      medianPriceUsd30d: '0.000000',
      changes: [{ kind: 'price_change', at: NOW }],
    }),
    score: 97.8,
    grade: 'A',
    recommendation: 'avoid',
    flags: ['price-spike'],
  },
  'in a token nobody knows the worth of': {
    inputs: healthy({ ...advertising({ amountUsd: null }), medianPriceUsd30d: null }),
    score: 100,
    grade: 'A',
    recommendation: 'caution',
    flags: ['price-unknown'],
  },
  'a challenge that cannot be paid since this moment': {
    inputs: healthy({ latestCompliance: 'unpayable' }),
    score: 100,
    grade: 'A',
    recommendation: 'caution',
    flags: ['not-payable-now'],
  },
  'false USDC': {
    inputs: healthy(advertising({ falseUsdc: true })),
    score: 20,
    grade: 'F',
    recommendation: 'avoid',
    flags: ['asset-not-usdc'],
  },
  // Volume 1 with all of it from one payer counts nothing; one payer 0.1, halved: 15·0.05 + 85
  'one payer only': {
    inputs: healthy({ settlement: { volumeUsd30d: 10_000, payers30d: 1, topPayerShare: 1 } }),
    score: 85.8,
    grade: 'A',
    recommendation: 'proceed',
    flags: ['single-payer'],
  },
  'nobody ever paid': {
    inputs: healthy({ settlement: { volumeUsd30d: 0, payers30d: 0, topPayerShare: 0 } }),
    score: 85,
    grade: 'A',
    recommendation: 'proceed',
    flags: ['no-settlements'],
  },
  'on a network nobody knows': {
    inputs: healthy({
      settlement: null,
      networksRead: 0,
      ...advertising({ network: 'sapiom:main', networkKnown: false, amountUsd: null }),
    }),
    score: 100,
    grade: 'A',
    recommendation: 'caution',
    flags: ['price-unknown', 'network-unknown'],
  },
  'paid at the address of others': {
    inputs: healthy({ payToSharedWith: 143 }),
    score: 100,
    grade: 'A',
    recommendation: 'proceed',
    flags: ['payto-shared'],
  },
  'a challenge that contradicts itself and names no resource': {
    inputs: healthy({ lastChallenge: { resourceInfoMissing: true, headerBodyMismatch: true } }),
    score: 100,
    grade: 'A',
    recommendation: 'caution',
    flags: ['header-body-mismatch', 'missing-resource-info'],
  },
};

test.each(Object.entries(SITUATIONS))('%s', (_, { inputs, ...expected }) => {
  expect(verdictOf(inputs)).toEqual(expected);
});
