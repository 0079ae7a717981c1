import { OUTAGES } from './sandbox-outages.ts';
import { NOBODY, sold } from './sandbox-sales.ts';
import { AGE, days, listedWith, misses, V1, withActivity, type Story } from './story.ts';

/**
 * Every story of the sandbox. Only the chain of the sandbox is read, so for what asks to be paid elsewhere activity is
 * unmeasured and the weights add up to 85; 14 days of 48 probes are a confidence of 1 − e^(−672/240) = 0.94, or of 0.75
 * where no chain is read. Scores are 100 · Σ weight·value / Σ weight, worked out beside the formula.
 */
const CALM = { flags: [], caps: [] } as const;

/** (30 + 25 + 15 + 10·0.491304 + 5) / 85 */
const WELL: Story = {
  lived: days(14, 'pass'),
  paid: null,
  values: [1, 1, 1, null, AGE, 1],
  ...{ score: 94, grade: 'A', recommendation: 'proceed', ...CALM },
};
/** 30 + 25·0.5 + 15 + 0 + 4.91304 + 5: B, and yet to be avoided. */
const BROKEN: Story = {
  lived: days(14, 'errors'),
  paid: NOBODY,
  values: [1, 0.5, 1, null, AGE, 1],
  ...{
    score: 67.4,
    grade: 'B',
    recommendation: 'avoid',
    flags: ['envelope-noncompliant', 'no-settlements'],
    caps: [],
  },
};
/** 30 + 0 + 15 + 0 + 4.91304 + 5 = 54.9, capped */
const UNPAYABLE: Story = {
  lived: days(14, 'unpayable'),
  paid: NOBODY,
  values: [1, 0, 1, null, AGE, 1],
  ...{ score: 49, grade: 'D', recommendation: 'avoid' },
  flags: ['not-payable', 'envelope-noncompliant', 'not-payable-now', 'no-settlements'],
  caps: ['not-payable'],
};
/** Nothing scored: 10·0.491304 of the 15 + 10 that were measured, which is no grade. */
const UNSEEN = {
  paid: NOBODY,
  values: [null, null, null, null, AGE, null],
  score: 19.7,
  grade: '?',
  caps: [],
} as const;
const TEMPLATE: Story = { ...WELL, known: { templated: true }, recommendation: 'parameterize' };
const FREE: Story = {
  lived: days(14, 'data'),
  paid: NOBODY,
  // (30 + 0 + 4.91304 + 5) / 60
  values: [1, null, null, null, AGE, 1],
  ...{ score: 66.5, grade: '?', recommendation: 'free', flags: ['no-settlements'], caps: [] },
};

/** Activity is left open here: it follows from what is paid. */
const TOLD: Readonly<Record<string, Story>> = {
  healthy: { ...WELL, paid: sold(8, 9, [14, 0.003]), score: 83.9 },
  // On Polygon
  'chain-not-read': WELL,
  'dual-protocol': { ...WELL, paid: sold(5, 5, [14, 0.003]), score: 83.1 },
  'two-networks': { ...WELL, paid: sold(7, 6, [14, 0.05]), networks: 2, score: 84.6 },
  'v1-only': { ...WELL, paid: sold(9, 12, [14, 0.0005]), known: V1, score: 83.9, flags: ['legacy-version'] },
  'unknown-network': {
    ...UNPAYABLE,
    lived: days(14, 'unpayable', { microUsd: null }),
    paid: null,
    known: listedWith({ networkKnown: false }),
    flags: ['not-payable', 'envelope-noncompliant', 'price-unknown', 'not-payable-now', 'network-unknown'],
  },
  // 10, 6 and 2.5 days ago: 1 − 0.15·(20 + 24 + 27.5)/30; 74.5505 + 15·0.1983
  'price-steps': {
    ...WELL,
    paid: {
      buyers: [{ wallets: 4, callsPerDay: 3 }],
      at: [
        [4, 0.01],
        [4, 0.012],
        [3.5, 0.015],
        [2.5, 0.0125],
      ],
    },
    lived: [
      ...days(4, 'pass'),
      ...days(4, 'pass', { microUsd: 12_000 }),
      ...days(3.5, 'pass', { microUsd: 15_000 }),
      ...days(2.5, 'pass', { microUsd: 12_500 }),
    ],
    values: [1, 1, 0.6425, null, AGE, 1],
    ...{ score: 77.5, grade: 'B', recommendation: 'caution', flags: ['price-varies'] },
  },
  // A day ago: 1 − 0.15·29/30; 77.7380 + 15·0.2509
  'price-spike': {
    ...WELL,
    paid: {
      buyers: [
        { wallets: 2, callsPerDay: 1 },
        { wallets: 2, callsPerDay: 40 },
      ],
      at: [
        [13, 0.02],
        [1, 0.4],
      ],
    },
    lived: [...days(13, 'pass'), ...days(1, 'pass', { microUsd: 200_000 })],
    values: [1, 1, 0.855, null, AGE, 1],
    ...{ score: 81.5, recommendation: 'avoid', flags: ['price-spike'] },
  },
  // Four days ago: 1 − 0.5·26/30; 73.4130 + 15·0.2100 is 76.6, capped
  'payto-swap-recent': {
    ...WELL,
    paid: sold(5, 5, [4, 0.005]),
    lived: [...days(10, 'pass'), ...days(4, 'pass', { payTo: 'stranger' })],
    values: [1, 1, 1 - 13 / 30, null, AGE, 1],
    ...{ score: 64, grade: 'C', recommendation: 'avoid' },
    flags: ['payto-changed-recently'],
    caps: ['payto-changed-recently'],
  },
  // Eleven days ago: 1 − 0.5·19/30; 75.1630 + 15·0.2121
  'payto-swap-early': {
    ...WELL,
    paid: sold(5, 4, [11, 0.004]),
    lived: [...days(3, 'pass'), ...days(11, 'pass', { payTo: 'treasury-two' })],
    values: [1, 1, 1 - 9.5 / 30, null, AGE, 1],
    ...{ score: 78.3, grade: 'B' },
  },
  // To a token no stock client trusts, 7 days ago, and the first probe comes a step after the world begins: compliance
  // 335/671, 1 − 0.3·23/30; 63.9444 of 85 is 75.2, capped. What is paid in that token is not read.
  'asset-change': {
    ...UNPAYABLE,
    paid: null,
    lived: [
      ...days(7 - 1 / 48, 'pass'),
      ...days(7, 'unpayable', { network: 'eip155:8453/eurc', microUsd: null }),
    ],
    values: [1, 335 / 671, 0.77, null, AGE, 1],
    flags: ['not-payable', 'envelope-noncompliant', 'price-unknown', 'not-payable-now'],
  },
  // Nine days ago: 1 − 0.3·21/30; 76.7630 of 85
  'network-change': {
    ...WELL,
    lived: [...days(5, 'pass'), ...days(9, 'pass', { network: 'eip155:137' })],
    values: [1, 1, 0.79, null, AGE, 1],
    score: 90.3,
  },
  'description-change': { ...WELL, paid: sold(3, 2, [14, 0.15]), score: 83 },
  delisted: {
    ...WELL,
    paid: sold(4, 3, [14, 0.003]),
    known: { ...V1, listed: false },
    ...{ score: 82.7, flags: ['legacy-version', 'delisted'] },
  },
  relisted: { ...WELL, paid: sold(4, 4, [14, 0.006]), score: 82.8, known: { listed: true } },
  // Eight days old: 0.4 + 0.3/23; 79.1304 + 15·0.1633
  newcomer: {
    ...WELL,
    paid: sold(3, 2, [14, 0.01]),
    lived: days(8, 'pass'),
    knownForDays: 8,
    values: [1, 1, 1, null, 0.4 + 0.3 / 23, 1],
    score: 81.6,
  },
  'template-braces': { ...TEMPLATE, paid: NOBODY, score: 79.9, grade: 'B', flags: ['no-settlements'] },
  'template-colon': TEMPLATE,
  // No examples to fill it in with: never probed, but a price is listed
  'template-encoded': {
    ...UNSEEN,
    lived: [],
    known: { templated: true },
    ...{
      recommendation: 'parameterize',
      flags: ['low-confidence', 'no-settlements', 'template-unresolved'],
    },
  },
  'post-undeclared': { ...WELL, paid: sold(3, 2, [14, 0.02]), score: 82.5 },
  'post-declared': { ...WELL, paid: sold(4, 3, [14, 0.06]), score: 83.4 },
  // p50 1 − ln(9.25)/ln(25), p95 1 − ln(4.87)/ln(20); 76.8641 + 15·0.2256
  slow: {
    ...WELL,
    paid: sold(3, 2, [14, 0.35]),
    known: { latency: { p50: 1_850, p95: 2_435, n: 672 } },
    values: [
      ...([1, 1, 1, null, AGE] as const),
      1 - (Math.log(9.25) / Math.log(25) + Math.log(4.87) / Math.log(20)) / 2,
    ],
    score: 80.2,
  },
  // 40 of 672 missed, 94.05 %: 0.4 + 0.2·0.040476/0.05; 66.7702 + 15·0.2095
  'flaky-errors': {
    ...WELL,
    paid: sold(5, 6, [14 * 0.94, 0.001]),
    lived: [...misses(40, 15), ...days(32 / 48, 'pass')],
    values: [0.4 + 4 * (632 / 672 - 0.9), 1, 1, null, AGE, 1],
    ...{ score: 69.9, grade: 'B', flags: ['uptime-low'], mayMissTheLast: true },
  },
  // 148 of 672 missed, 77.98 %: 0.279762; 58.3059 + 15·0.1984
  'flaky-mixed': {
    ...WELL,
    paid: sold(3, 60, [14 * 0.78, 0.004]),
    lived: [...misses(148, 3), ...days(80 / 48, 'pass')],
    values: [524 / 672 - 0.5, 1, 1, null, AGE, 1],
    ...{ score: 61.3, grade: 'C', recommendation: 'caution', flags: ['uptime-low'], mayMissTheLast: true },
  },
  'flaky-resets': {
    ...WELL,
    paid: sold(4, 4, [7 + 7 * 0.88, 0.008]),
    lived: [...days(7, 'pass'), ...misses(40, 7), ...days(16 / 48, 'pass')],
    values: [0.4 + 4 * (632 / 672 - 0.9), 1, 1, null, AGE, 1],
    ...{ score: 69.7, grade: 'B', flags: ['uptime-low'], mayMissTheLast: true },
  },
  ...OUTAGES,
  'bot-page': {
    ...UNSEEN,
    lived: days(14, 'blocked'),
    ...{ recommendation: 'unverified', flags: ['low-confidence', 'no-settlements', 'blocked'] },
  },
  // 96 scored probes: confidence 1 − e^−0.4 = 0.33; it was well while it could be seen
  'rate-limited': {
    ...WELL,
    paid: NOBODY,
    lived: [...days(2, 'pass'), ...days(12, 'blocked')],
    ...{ score: 79.9, grade: 'B', recommendation: 'caution' },
    flags: ['not-seen-lately', 'no-settlements', 'blocked'],
  },
  redirects: {
    ...UNSEEN,
    lived: days(14, 'redirected'),
    ...{ recommendation: 'unverified', flags: ['low-confidence', 'no-settlements', 'redirects'] },
  },
  'slow-drip': { ...WELL, paid: sold(2, 2, [14, 0.002]), score: 81.7 },
  'oversized-header': BROKEN,
  'amount-number': BROKEN,
  'wrong-eip712-name': BROKEN,
  'v1-no-mime-type': {
    ...BROKEN,
    known: V1,
    flags: ['envelope-noncompliant', 'no-settlements', 'legacy-version'],
  },
  'no-resource': {
    ...BROKEN,
    known: { lastChallenge: { resourceInfoMissing: true, headerBodyMismatch: false } },
    flags: ['envelope-noncompliant', 'no-settlements', 'missing-resource-info'],
  },
  ...{ 'bad-base64': UNPAYABLE, base64url: UNPAYABLE, 'truncated-json': UNPAYABLE, 'html-402': UNPAYABLE },
  'no-amount': {
    ...UNPAYABLE,
    lived: days(14, 'unpayable', { microUsd: null }),
    flags: ['not-payable', 'envelope-noncompliant', 'price-unknown', 'not-payable-now', 'no-settlements'],
  },
  ...{
    'no-pay-to': {
      ...UNPAYABLE,
      paid: null,
      flags: ['not-payable', 'envelope-noncompliant', 'not-payable-now'],
    },
    'no-eip712-domain': UNPAYABLE,
    'no-accepts': UNPAYABLE,
  },
  'v2-body-only': UNPAYABLE,
  'renamed-header': UNPAYABLE,
  'fake-usdc': {
    ...UNPAYABLE,
    lived: days(14, 'unpayable', { microUsd: null }),
    // Only USDC is read, and this is none.
    paid: null,
    known: listedWith({ falseUsdc: true }),
    ...{ score: 20, grade: 'F', caps: ['not-payable', 'asset-not-usdc'] },
    flags: ['asset-not-usdc', 'not-payable', 'envelope-noncompliant', 'price-unknown', 'not-payable-now'],
  },
  'free-though-priced': FREE,
  'free-unpriced': { ...FREE, paid: null, score: 88.7, flags: [], known: { advertised: null } },
};

/** By the names that the scenario of the sandbox has for them. */
export const STORIES: Readonly<Record<string, Story>> = Object.fromEntries(
  Object.entries(TOLD).map(([name, story]) => [name, withActivity(story)]),
);
