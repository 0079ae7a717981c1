import type { ScoreInputs } from '../types.ts';
import { withLastChallenge } from './fixtures.ts';
import { FAULTY_CHALLENGES, UNPAYABLE } from './sandbox-faults.ts';
import { createFulfilmentStories } from './sandbox-fulfilment.ts';
import { OUTAGES } from './sandbox-outages.ts';
import { NO_SALES, createReturnedSales, createSales } from './sandbox-sales.ts';
import { createSettingsStories } from './sandbox-settings.ts';
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
 * Test stories of the sandbox endpoints, with expected verdicts calculated by hand as 100 · Σ weight·value / Σ weight.
 * A change of payment terms lowers the stability value by its cost: 0.15 for a price change, 0.3 for a network or asset
 * change, 0.5 for a payTo change. After d days, (30 − d)/30 of the cost remain. The tests read payments from the
 * chains of the sandbox. For an endpoint paid on another network, activity is unmeasured and the weights add up to 85.
 * With 672 probes in 14 days, the confidence is 1 − e^(−672/240) = 0.94, or 0.75 if no chain is read.
 */

const UNPRICED = { advertised: null, networksRead: null } as const;
const NO_FINDINGS = { flags: [], caps: [] } as const;

/** Healthy endpoint with unmeasured activity. */
const HEALTHY: Story = {
  history: repeatForDays(14, 'pass'),
  sales: null,
  values: [1, 1, 1, null, AGE_VALUE, 1],
  ...{ score: 94, grade: 'A', recommendation: 'proceed', ...NO_FINDINGS },
};
/** Endpoint with a redirect to a healthy endpoint. Each challenge has a warning because of the redirect. */
const REDIRECTING: Story = {
  ...HEALTHY,
  history: repeatForDays(14, 'warnings'),
  sales: NO_SALES,
  values: [1, 0.9, 1, null, AGE_VALUE, 1],
  ...{ score: 77.4, grade: 'B', flags: ['payto-shared', 'no-settlements', 'redirects'] },
};

function redirectFrom(origin: 'same' | 'other'): Partial<ScoreInputs> {
  const redirect = { status: 301, target: 'https://api.example.com/v2', otherOrigin: origin === 'other' };
  return { payToSharedWith: 1, ...withLastChallenge({ redirect }) };
}

/** Part of a test story without a scored probe. Only activity and age are measured, so there is no grade. */
const UNSCORED = {
  sales: NO_SALES,
  values: [null, null, null, null, AGE_VALUE, null],
  score: 19.7,
  grade: '?',
  caps: ['fewer-than-10-probes'],
} as const;
const TEMPLATE: Story = {
  ...HEALTHY,
  sales: NO_SALES,
  facts: { templated: true },
  ...{ score: 79.9, grade: 'B', recommendation: 'parameterize', flags: ['no-settlements'] },
};
const FREE: Story = {
  history: repeatForDays(14, 'data'),
  sales: NO_SALES,
  // Compliance and stability are unmeasured.
  values: [1, null, null, null, AGE_VALUE, 1],
  ...{ score: 66.5, grade: '?', recommendation: 'free', flags: ['no-settlements'], caps: [] },
};

/** All test stories by name, without the activity values, which `withActivity` computes from the sales. */
const STORIES_WITHOUT_ACTIVITY: Readonly<Record<string, Story>> = {
  healthy: { ...HEALTHY, sales: createSales(8, 9, [14, 0.003]), score: 83.9 },
  // Buyers pay on Polygon.
  'paid-on-polygon': { ...HEALTHY, sales: createSales(8, 9, [14, 0.001]), score: 83.8 },
  'dual-protocol': { ...HEALTHY, sales: createSales(5, 5, [14, 0.003]), score: 83.1 },
  undescribed: {
    ...HEALTHY,
    facts: { description: null },
    sales: createSales(6, 8, [14, 0.0008]),
    score: 83.3,
    flags: ['no-description'],
  },
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
  // Price changes 10, 6 and 2.5 days ago: the stability value is 1 − 0.15·(20 + 24 + 27.5)/30.
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
  // A price change one day ago: the stability value is 1 − 0.15·29/30.
  'price-spike': {
    ...HEALTHY,
    sales: {
      buyers: [
        { wallets: 2, callsPerDay: 1 },
        { wallets: 2, callsPerDay: 40, isReturned: true },
      ],
      at: [
        [13, 0.02],
        [1, 0.4],
      ],
    },
    history: [...repeatForDays(13, 'pass'), ...repeatForDays(1, 'pass', { microUsd: 200_000 })],
    values: [1, 1, 0.855, null, AGE_VALUE, 1],
    ...{ score: 79.6, grade: 'B', recommendation: 'avoid', flags: ['price-spike', 'payments-returned'] },
  },
  // A payTo change four days ago: the stability value is 1 − 0.5·26/30. The score of 76.6 is capped at 64.
  'payto-swap-recent': {
    ...HEALTHY,
    sales: createSales(5, 5, [4, 0.005]),
    history: [...repeatForDays(10, 'pass'), ...repeatForDays(4, 'pass', { payTo: 'other-wallet' })],
    values: [1, 1, 1 - 13 / 30, null, AGE_VALUE, 1],
    ...{ score: 64, grade: 'C', recommendation: 'avoid' },
    flags: ['payto-changed-recently'],
    caps: ['payto-changed-recently'],
  },
  // A payTo change eleven days ago: the stability value is 1 − 0.5·19/30.
  'payto-swap-early': {
    ...HEALTHY,
    sales: createSales(5, 4, [11, 0.004]),
    history: [...repeatForDays(3, 'pass'), ...repeatForDays(11, 'pass', { payTo: 'treasury-two' })],
    values: [1, 1, 1 - 9.5 / 30, null, AGE_VALUE, 1],
    ...{ score: 78.3, grade: 'B', recommendation: 'caution', flags: ['payto-changed'] },
  },
  // A network change to Polygon nine days ago: the stability value is 1 − 0.3·21/30. Only sales on Polygon count.
  'network-change': {
    ...HEALTHY,
    sales: createSales(6, 6, [9, 0.002]),
    history: [...repeatForDays(5, 'pass'), ...repeatForDays(9, 'pass', { network: 'eip155:137' })],
    values: [1, 1, 0.79, null, AGE_VALUE, 1],
    ...{ score: 80.2, recommendation: 'caution', flags: ['network-changed-recently'] },
  },
  'description-change': { ...HEALTHY, sales: createSales(3, 2, [14, 0.15]), score: 83 },
  delisted: {
    ...HEALTHY,
    sales: createSales(4, 3, [14, 0.003]),
    facts: { ...V1, listed: false },
    ...{ score: 82.7, flags: ['legacy-version', 'delisted'] },
  },
  relisted: { ...HEALTHY, sales: createSales(4, 4, [14, 0.006]), score: 82.8, facts: { listed: true } },
  // The endpoint is eight days old. The age value is interpolated between 0.4 at 7 days and 0.7 at 30 days.
  newcomer: {
    ...HEALTHY,
    sales: createSales(3, 2, [14, 0.01]),
    history: repeatForDays(8, 'pass'),
    ageDays: 8,
    values: [1, 1, 1, null, 0.4 + 0.3 / 23, 1],
    score: 81.6,
  },
  'template-braces': TEMPLATE,
  'template-colon': TEMPLATE,
  // The template has no examples of its parameters, so it is never probed. A directory lists its price.
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
  // The latency value is the mean of two logarithmic values: p50 is 9.25 times the best 200 ms, and p95 is 4.87 times
  // the best 500 ms.
  slow: {
    ...HEALTHY,
    sales: createSales(3, 2, [14, 0.35]),
    // Every latency is below the limit of the flag `slow`. So the median is below this limit even if a busy machine
    // drops most latencies.
    facts: { latency: { p50: 1_600, p95: 1_870, n: 672 } },
    values: [
      ...([1, 1, 1, null, AGE_VALUE] as const),
      1 - (Math.log(8) / Math.log(25) + Math.log(3.74) / Math.log(20)) / 2,
    ],
    score: 80.6,
  },
  // 40 of 672 probes failed. The uptime value is interpolated between 0.4 at 90 % and 0.6 at 95 %.
  'flaky-errors': {
    ...HEALTHY,
    sales: createSales(5, 6, [14 * 0.94, 0.001]),
    history: [...alternateMisses(40, 15), ...repeatForDays(32 / 48, 'pass')],
    values: [0.4 + 4 * (632 / 672 - 0.9), 1, 1, null, AGE_VALUE, 1],
    ...{ score: 69.9, grade: 'B', recommendation: 'caution', flags: ['uptime-low'], lastProbeMayMiss: true },
  },
  // 148 of 672 probes failed. When 50 % to 90 % of the probes succeed, the uptime value is that share minus 0.5.
  'flaky-mixed': {
    ...HEALTHY,
    sales: createReturnedSales(3, 60, [14 * 0.78, 0.004]),
    history: [...alternateMisses(148, 3), ...repeatForDays(80 / 48, 'pass')],
    values: [524 / 672 - 0.5, 1, 1, null, AGE_VALUE, 1],
    ...{ score: 58.3, grade: 'C', recommendation: 'caution', lastProbeMayMiss: true },
    flags: ['uptime-low', 'payments-returned'],
  },
  'flaky-resets': {
    ...HEALTHY,
    sales: createSales(4, 4, [7 + 7 * 0.88, 0.008]),
    history: [...repeatForDays(7, 'pass'), ...alternateMisses(40, 7), ...repeatForDays(16 / 48, 'pass')],
    values: [0.4 + 4 * (632 / 672 - 0.9), 1, 1, null, AGE_VALUE, 1],
    ...{ score: 69.7, grade: 'B', recommendation: 'caution', flags: ['uptime-low'], lastProbeMayMiss: true },
  },
  ...OUTAGES,
  'bot-page': {
    ...UNSCORED,
    history: repeatForDays(14, 'blocked'),
    ...{ recommendation: 'unverified', flags: ['low-confidence', 'no-settlements', 'blocked'] },
    caps: ['fewer-than-10-probes', 'no-payable-challenge'],
  },
  // The endpoint was healthy until it blocked the probes. With 96 scored probes, the confidence is 1 − e^(−96/240) =
  // 0.33.
  'rate-limited': {
    ...HEALTHY,
    sales: NO_SALES,
    history: [...repeatForDays(2, 'pass'), ...repeatForDays(12, 'blocked')],
    ...{ score: 49, grade: 'D', recommendation: 'caution' },
    flags: ['not-seen-lately', 'no-settlements', 'blocked'],
    caps: ['no-payable-challenge'],
  },
  'redirect-target': {
    ...HEALTHY,
    sales: NO_SALES,
    facts: { payToSharedWith: 1 },
    ...{ score: 79.9, grade: 'B', flags: ['payto-shared', 'no-settlements'] },
  },
  redirects: { ...REDIRECTING, facts: redirectFrom('same') },
  'redirects-elsewhere': { ...REDIRECTING, facts: redirectFrom('other'), recommendation: 'caution' },
  'redirects-to-http': {
    ...UNSCORED,
    history: repeatForDays(14, 'redirected'),
    ...{ recommendation: 'unverified', flags: ['low-confidence', 'no-settlements', 'redirects'] },
    caps: ['fewer-than-10-probes', 'no-payable-challenge'],
  },
  // The body takes 2.5 seconds: p50 is 13 times the best 200 ms, and p95 is 5.29 times the best 500 ms.
  'slow-drip': {
    ...HEALTHY,
    sales: createSales(2, 2, [14, 0.002]),
    facts: { latency: { p50: 2_600, p95: 2_645, n: 672 } },
    values: [
      ...([1, 1, 1, null, AGE_VALUE] as const),
      1 - (Math.log(13) / Math.log(25) + Math.log(5.29) / Math.log(20)) / 2,
    ],
    ...{ score: 78.3, grade: 'B', flags: ['slow'] },
  },
  ...createFulfilmentStories(HEALTHY),
  ...createSettingsStories(HEALTHY),
  ...FAULTY_CHALLENGES,
  'free-though-priced': FREE,
  'free-unpriced': { ...FREE, sales: null, score: 88.7, flags: [], facts: UNPRICED },
};

/** All test stories with complete activity values, by their name in the sandbox scenario. */
export const STORIES: Readonly<Record<string, Story>> = Object.fromEntries(
  Object.entries(STORIES_WITHOUT_ACTIVITY).map(([name, story]) => [name, withActivity(story)]),
);
