import { OUTAGES } from './sandbox-outages.ts';
import { NO_SALES, createSales } from './sandbox-sales.ts';
import {
  AGE_VALUE,
  repeatForDays,
  withListing,
  alternateMisses,
  V1,
  withActivity,
  type Story,
} from './story.ts';

/**
 * All stories of the sandbox. Only the chain of the sandbox is read. For an endpoint paid on another chain, activity is
 * unmeasured and the weights add up to 85. 14 days of 48 probes give a confidence of 1 − e^(−672/240) = 0.94, or 0.75 if
 * no chain is read. Scores are 100 · Σ weight·value / Σ weight, calculated by hand.
 */
const NO_FINDINGS = { flags: [], caps: [] } as const;

/** (30 + 25 + 15 + 10·0.491304 + 5) / 85 */
const HEALTHY: Story = {
  history: repeatForDays(14, 'pass'),
  sales: null,
  values: [1, 1, 1, null, AGE_VALUE, 1],
  ...{ score: 94, grade: 'A', recommendation: 'proceed', ...NO_FINDINGS },
};
/** 30 + 25·0.5 + 15 + 0 + 4.91304 + 5: grade B, but `avoid`. */
const BROKEN: Story = {
  history: repeatForDays(14, 'errors'),
  sales: NO_SALES,
  values: [1, 0.5, 1, null, AGE_VALUE, 1],
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
  history: repeatForDays(14, 'unpayable'),
  sales: NO_SALES,
  values: [1, 0, 1, null, AGE_VALUE, 1],
  ...{ score: 49, grade: 'D', recommendation: 'avoid' },
  flags: ['not-payable', 'envelope-noncompliant', 'not-payable-now', 'no-settlements'],
  caps: ['not-payable'],
};
/** No scored probe: 10·0.491304 of the measured weights 15 + 10, and no grade. */
const UNSCORED = {
  sales: NO_SALES,
  values: [null, null, null, null, AGE_VALUE, null],
  score: 19.7,
  grade: '?',
  caps: [],
} as const;
const TEMPLATE: Story = { ...HEALTHY, facts: { templated: true }, recommendation: 'parameterize' };
const FREE: Story = {
  history: repeatForDays(14, 'data'),
  sales: NO_SALES,
  // (30 + 0 + 4.91304 + 5) / 60
  values: [1, null, null, null, AGE_VALUE, 1],
  ...{ score: 66.5, grade: '?', recommendation: 'free', flags: ['no-settlements'], caps: [] },
};

/** All stories without activity values, which follow from the sales. */
const STORIES_WITHOUT_ACTIVITY: Readonly<Record<string, Story>> = {
  healthy: { ...HEALTHY, sales: createSales(8, 9, [14, 0.003]), score: 83.9 },
  // On Polygon
  'chain-not-read': HEALTHY,
  'dual-protocol': { ...HEALTHY, sales: createSales(5, 5, [14, 0.003]), score: 83.1 },
  'two-networks': { ...HEALTHY, sales: createSales(7, 6, [14, 0.05]), networks: 2, score: 84.6 },
  'v1-only': {
    ...HEALTHY,
    sales: createSales(9, 12, [14, 0.0005]),
    facts: V1,
    score: 83.9,
    flags: ['legacy-version'],
  },
  'unknown-network': {
    ...UNPAYABLE,
    history: repeatForDays(14, 'unpayable', { microUsd: null }),
    sales: null,
    facts: withListing({ networkKnown: false }),
    flags: ['not-payable', 'envelope-noncompliant', 'price-unknown', 'not-payable-now', 'network-unknown'],
  },
  // 10, 6 and 2.5 days ago: 1 − 0.15·(20 + 24 + 27.5)/30; 74.5505 + 15·0.1983
  'price-steps': {
    ...HEALTHY,
    sales: {
      buyers: [{ wallets: 4, callsPerDay: 3 }],
      at: [
        [4, 0.01],
        [4, 0.012],
        [3.5, 0.015],
        [2.5, 0.0125],
      ],
    },
    history: [
      ...repeatForDays(4, 'pass'),
      ...repeatForDays(4, 'pass', { microUsd: 12_000 }),
      ...repeatForDays(3.5, 'pass', { microUsd: 15_000 }),
      ...repeatForDays(2.5, 'pass', { microUsd: 12_500 }),
    ],
    values: [1, 1, 0.6425, null, AGE_VALUE, 1],
    ...{ score: 77.5, grade: 'B', recommendation: 'caution', flags: ['price-varies'] },
  },
  // A day ago: 1 − 0.15·29/30; 77.7380 + 15·0.2509
  'price-spike': {
    ...HEALTHY,
    sales: {
      buyers: [
        { wallets: 2, callsPerDay: 1 },
        { wallets: 2, callsPerDay: 40 },
      ],
      at: [
        [13, 0.02],
        [1, 0.4],
      ],
    },
    history: [...repeatForDays(13, 'pass'), ...repeatForDays(1, 'pass', { microUsd: 200_000 })],
    values: [1, 1, 0.855, null, AGE_VALUE, 1],
    ...{ score: 81.5, recommendation: 'avoid', flags: ['price-spike'] },
  },
  // Four days ago: 1 − 0.5·26/30; 73.4130 + 15·0.2100 is 76.6, capped
  'payto-swap-recent': {
    ...HEALTHY,
    sales: createSales(5, 5, [4, 0.005]),
    history: [...repeatForDays(10, 'pass'), ...repeatForDays(4, 'pass', { payTo: 'other-wallet' })],
    values: [1, 1, 1 - 13 / 30, null, AGE_VALUE, 1],
    ...{ score: 64, grade: 'C', recommendation: 'avoid' },
    flags: ['payto-changed-recently'],
    caps: ['payto-changed-recently'],
  },
  // Eleven days ago: 1 − 0.5·19/30; 75.1630 + 15·0.2121
  'payto-swap-early': {
    ...HEALTHY,
    sales: createSales(5, 4, [11, 0.004]),
    history: [...repeatForDays(3, 'pass'), ...repeatForDays(11, 'pass', { payTo: 'treasury-two' })],
    values: [1, 1, 1 - 9.5 / 30, null, AGE_VALUE, 1],
    ...{ score: 78.3, grade: 'B' },
  },
  // Changed 7 days ago to a token that no stock client trusts. The first probe is one slot after the simulation starts:
  // compliance 335/671, 1 − 0.3·23/30; 63.9444 of 85 is 75.2, capped. Payments in that token are not read.
  'asset-change': {
    ...UNPAYABLE,
    sales: null,
    history: [
      ...repeatForDays(7 - 1 / 48, 'pass'),
      ...repeatForDays(7, 'unpayable', { network: 'eip155:8453/eurc', microUsd: null }),
    ],
    values: [1, 335 / 671, 0.77, null, AGE_VALUE, 1],
    flags: ['not-payable', 'envelope-noncompliant', 'price-unknown', 'not-payable-now'],
  },
  // Nine days ago: 1 − 0.3·21/30; 76.7630 of 85
  'network-change': {
    ...HEALTHY,
    history: [...repeatForDays(5, 'pass'), ...repeatForDays(9, 'pass', { network: 'eip155:137' })],
    values: [1, 1, 0.79, null, AGE_VALUE, 1],
    score: 90.3,
  },
  'description-change': { ...HEALTHY, sales: createSales(3, 2, [14, 0.15]), score: 83 },
  delisted: {
    ...HEALTHY,
    sales: createSales(4, 3, [14, 0.003]),
    facts: { ...V1, listed: false },
    ...{ score: 82.7, flags: ['legacy-version', 'delisted'] },
  },
  relisted: { ...HEALTHY, sales: createSales(4, 4, [14, 0.006]), score: 82.8, facts: { listed: true } },
  // Eight days old: 0.4 + 0.3/23; 79.1304 + 15·0.1633
  newcomer: {
    ...HEALTHY,
    sales: createSales(3, 2, [14, 0.01]),
    history: repeatForDays(8, 'pass'),
    ageDays: 8,
    values: [1, 1, 1, null, 0.4 + 0.3 / 23, 1],
    score: 81.6,
  },
  'template-braces': { ...TEMPLATE, sales: NO_SALES, score: 79.9, grade: 'B', flags: ['no-settlements'] },
  'template-colon': TEMPLATE,
  // Without examples of its parameters: never probed, but with a listed price
  'template-encoded': {
    ...UNSCORED,
    history: [],
    facts: { templated: true },
    ...{
      recommendation: 'parameterize',
      flags: ['low-confidence', 'no-settlements', 'template-unresolved'],
    },
  },
  'post-undeclared': { ...HEALTHY, sales: createSales(3, 2, [14, 0.02]), score: 82.5 },
  'post-declared': { ...HEALTHY, sales: createSales(4, 3, [14, 0.06]), score: 83.4 },
  // p50 1 − ln(9.25)/ln(25), p95 1 − ln(4.87)/ln(20); 76.8641 + 15·0.2256
  slow: {
    ...HEALTHY,
    sales: createSales(3, 2, [14, 0.35]),
    facts: { latency: { p50: 1_850, p95: 2_435, n: 672 } },
    values: [
      ...([1, 1, 1, null, AGE_VALUE] as const),
      1 - (Math.log(9.25) / Math.log(25) + Math.log(4.87) / Math.log(20)) / 2,
    ],
    score: 80.2,
  },
  // 40 of 672 probes failed, 94.05 % up: 0.4 + 0.2·0.040476/0.05; 66.7702 + 15·0.2095
  'flaky-errors': {
    ...HEALTHY,
    sales: createSales(5, 6, [14 * 0.94, 0.001]),
    history: [...alternateMisses(40, 15), ...repeatForDays(32 / 48, 'pass')],
    values: [0.4 + 4 * (632 / 672 - 0.9), 1, 1, null, AGE_VALUE, 1],
    ...{ score: 69.9, grade: 'B', flags: ['uptime-low'], lastProbeMayMiss: true },
  },
  // 148 of 672 probes failed, 77.98 % up: 0.279762; 58.3059 + 15·0.1984
  'flaky-mixed': {
    ...HEALTHY,
    sales: createSales(3, 60, [14 * 0.78, 0.004]),
    history: [...alternateMisses(148, 3), ...repeatForDays(80 / 48, 'pass')],
    values: [524 / 672 - 0.5, 1, 1, null, AGE_VALUE, 1],
    ...{ score: 61.3, grade: 'C', recommendation: 'caution', flags: ['uptime-low'], lastProbeMayMiss: true },
  },
  'flaky-resets': {
    ...HEALTHY,
    sales: createSales(4, 4, [7 + 7 * 0.88, 0.008]),
    history: [...repeatForDays(7, 'pass'), ...alternateMisses(40, 7), ...repeatForDays(16 / 48, 'pass')],
    values: [0.4 + 4 * (632 / 672 - 0.9), 1, 1, null, AGE_VALUE, 1],
    ...{ score: 69.7, grade: 'B', flags: ['uptime-low'], lastProbeMayMiss: true },
  },
  ...OUTAGES,
  'bot-page': {
    ...UNSCORED,
    history: repeatForDays(14, 'blocked'),
    ...{ recommendation: 'unverified', flags: ['low-confidence', 'no-settlements', 'blocked'] },
  },
  // 96 scored probes: confidence 1 − e^−0.4 = 0.33; healthy until it was blocked
  'rate-limited': {
    ...HEALTHY,
    sales: NO_SALES,
    history: [...repeatForDays(2, 'pass'), ...repeatForDays(12, 'blocked')],
    ...{ score: 79.9, grade: 'B', recommendation: 'caution' },
    flags: ['not-seen-lately', 'no-settlements', 'blocked'],
  },
  redirects: {
    ...UNSCORED,
    history: repeatForDays(14, 'redirected'),
    ...{ recommendation: 'unverified', flags: ['low-confidence', 'no-settlements', 'redirects'] },
  },
  'slow-drip': { ...HEALTHY, sales: createSales(2, 2, [14, 0.002]), score: 81.7 },
  'oversized-header': BROKEN,
  'amount-number': BROKEN,
  'wrong-eip712-name': BROKEN,
  'v1-no-mime-type': {
    ...BROKEN,
    facts: V1,
    flags: ['envelope-noncompliant', 'no-settlements', 'legacy-version'],
  },
  'no-resource': {
    ...BROKEN,
    facts: { lastChallenge: { resourceInfoMissing: true, headerBodyMismatch: false } },
    flags: ['envelope-noncompliant', 'no-settlements', 'missing-resource-info'],
  },
  ...{ 'bad-base64': UNPAYABLE, base64url: UNPAYABLE, 'truncated-json': UNPAYABLE, 'html-402': UNPAYABLE },
  'no-amount': {
    ...UNPAYABLE,
    history: repeatForDays(14, 'unpayable', { microUsd: null }),
    flags: ['not-payable', 'envelope-noncompliant', 'price-unknown', 'not-payable-now', 'no-settlements'],
  },
  ...{
    'no-pay-to': {
      ...UNPAYABLE,
      sales: null,
      flags: ['not-payable', 'envelope-noncompliant', 'not-payable-now'],
    },
    'no-eip712-domain': UNPAYABLE,
    'no-accepts': UNPAYABLE,
  },
  'v2-body-only': UNPAYABLE,
  'renamed-header': UNPAYABLE,
  'fake-usdc': {
    ...UNPAYABLE,
    history: repeatForDays(14, 'unpayable', { microUsd: null }),
    // Only USDC payments are read, and this token is not USDC.
    sales: null,
    facts: withListing({ falseUsdc: true }),
    ...{ score: 20, grade: 'F', caps: ['not-payable', 'asset-not-usdc'] },
    flags: ['asset-not-usdc', 'not-payable', 'envelope-noncompliant', 'price-unknown', 'not-payable-now'],
  },
  'free-though-priced': FREE,
  'free-unpriced': { ...FREE, sales: null, score: 88.7, flags: [], facts: { advertised: null } },
};

/** All stories, by their name in the sandbox scenario. */
export const STORIES: Readonly<Record<string, Story>> = Object.fromEntries(
  Object.entries(STORIES_WITHOUT_ACTIVITY).map(([name, story]) => [name, withActivity(story)]),
);
