import { DAY_MS } from '../time.ts';
import type { ScoreInputs } from '../types.ts';
import type { Expected } from './expectation.ts';
import { fold, SLOTS_PER_DAY, type History, type Seen, type Terms } from './history.ts';

/**
 * Every story of the sandbox: what its probes met in the 14 days of that world, and the verdict by hand. Settlements
 * are not read there, so activity is unmeasured and the weights add up to 85; 14 days of 48 probes are a confidence of
 * 0.8·(1 − e^(−672/240)) = 0.75.
 */
export interface Story extends Expected {
  readonly lived: History;
  readonly known?: Partial<ScoreInputs>;
  /** Days since it was first seen; 14 unless given. */
  readonly knownForDays?: number;
  /** Chance decides, by the day, whether its last probe missed; then there is one warning more, and no `proceed`. */
  readonly mayMissTheLast?: true;
}

const TERMS: Terms = { microUsd: 10_000, payTo: 'treasury', network: 'eip155:8453' };

/** Days in which every probe met the same, at 100 ms and the terms given. */
function days(count: number, seen: Seen, terms: Partial<Terms> = {}): History {
  return [{ slots: count * SLOTS_PER_DAY, seen, latencyMs: 100, terms: { ...TERMS, ...terms } }];
}

/** A miss and then some probes that pass, so many times. */
function misses(times: number, passes: number): History {
  return Array.from({ length: times }, () => [...days(1 / 48, 'down'), ...days(passes / 48, 'pass')]).flat();
}

function listedWith(
  change: Partial<NonNullable<ScoreInputs['advertised']>>,
): Pick<ScoreInputs, 'advertised'> {
  const { payTo, network } = TERMS;
  const known = { falseUsdc: false, networkKnown: true, protocolVersion: 2 } as const;
  return { advertised: { amountUsd: '0.010000', payTo, network, ...known, ...change } };
}

const V1 = listedWith({ protocolVersion: 1 });
/** 14 days old: between 7 days at 0.4 and 30 days at 0.7. */
const AGE = 0.4 + (0.3 * 7) / 23;
const CALM = { flags: [], caps: [] } as const;

/** (30 + 25 + 15 + 10·0.491304 + 5) / 85 */
const WELL: Story = {
  lived: days(14, 'pass'),
  values: [1, 1, 1, null, AGE, 1],
  ...{ score: 94, grade: 'A', recommendation: 'proceed', ...CALM },
};
/** (30 + 25·0.5 + 15 + 4.91304 + 5) / 85: B, and yet to be avoided. */
const BROKEN: Story = {
  lived: days(14, 'errors'),
  values: [1, 0.5, 1, null, AGE, 1],
  ...{ score: 79.3, grade: 'B', recommendation: 'avoid', flags: ['envelope-noncompliant'], caps: [] },
};
/** (30 + 0 + 15 + 4.91304 + 5) / 85 = 64.6, capped */
const UNPAYABLE: Story = {
  lived: days(14, 'unpayable'),
  values: [1, 0, 1, null, AGE, 1],
  ...{ score: 49, grade: 'D', recommendation: 'avoid' },
  flags: ['not-payable', 'envelope-noncompliant', 'not-payable-now'],
  caps: ['not-payable'],
};
/** Listed, and never answered: 10·0.491304 of the 30 + 10 that were measured. */
const NEVER_UP: Story = {
  lived: days(14, 'down'),
  values: [0, null, null, null, AGE, null],
  ...{ score: 12.3, grade: 'F', recommendation: 'avoid' },
  flags: ['down-now', 'not-payable-now', 'uptime-low'],
  caps: ['not-payable', 'down-now'],
};
/** Healthy until some day, down since: whatever it was, 34. */
const FELL: Omit<Expected, 'values'> = {
  ...{ score: 34, grade: 'F', recommendation: 'avoid' },
  flags: ['down-now', 'not-payable-now', 'uptime-low'],
  caps: ['not-payable', 'down-now'],
};
/** Nothing scored, so age is all there is, and that is no score. */
const UNSEEN = { values: [null, null, null, null, null, null], score: 0, grade: '?', caps: [] } as const;
const TEMPLATE: Story = { ...WELL, known: { templated: true }, recommendation: 'parameterize' };
const FREE: Story = {
  lived: days(14, 'data'),
  // (30 + 4.91304 + 5) / 45
  values: [1, null, null, null, AGE, 1],
  ...{ score: 88.7, grade: '?', recommendation: 'free', ...CALM },
};

/** By the names that the scenario of the sandbox has for them. */
export const STORIES: Readonly<Record<string, Story>> = {
  healthy: WELL,
  'dual-protocol': WELL,
  'two-networks': WELL,
  'v1-only': { ...WELL, known: V1, flags: ['legacy-version'] },
  'unknown-network': {
    ...UNPAYABLE,
    lived: days(14, 'unpayable', { microUsd: null }),
    known: listedWith({ networkKnown: false }),
    flags: ['not-payable', 'envelope-noncompliant', 'price-unknown', 'not-payable-now', 'network-unknown'],
  },
  // 10, 6 and 2.5 days ago: 1 − 0.15·(20 + 24 + 27.5)/30; 74.5505 of 85
  'price-steps': {
    ...WELL,
    lived: [
      ...days(4, 'pass'),
      ...days(4, 'pass', { microUsd: 12_000 }),
      ...days(3.5, 'pass', { microUsd: 15_000 }),
      ...days(2.5, 'pass', { microUsd: 12_500 }),
    ],
    values: [1, 1, 0.6425, null, AGE, 1],
    ...{ score: 87.7, recommendation: 'caution', flags: ['price-varies'] },
  },
  // A day ago: 1 − 0.15·29/30; 77.7380 of 85
  'price-spike': {
    ...WELL,
    lived: [...days(13, 'pass'), ...days(1, 'pass', { microUsd: 200_000 })],
    values: [1, 1, 0.855, null, AGE, 1],
    ...{ score: 91.5, recommendation: 'avoid', flags: ['price-spike'] },
  },
  // Four days ago: 1 − 0.5·26/30; 73.4130 of 85 is 86.4, capped
  'payto-swap-recent': {
    ...WELL,
    lived: [...days(10, 'pass'), ...days(4, 'pass', { payTo: 'stranger' })],
    values: [1, 1, 1 - 13 / 30, null, AGE, 1],
    ...{ score: 64, grade: 'C', recommendation: 'avoid' },
    flags: ['payto-changed-recently'],
    caps: ['payto-changed-recently'],
  },
  // Eleven days ago: 1 − 0.5·19/30; 75.1630 of 85
  'payto-swap-early': {
    ...WELL,
    lived: [...days(3, 'pass'), ...days(11, 'pass', { payTo: 'treasury-two' })],
    values: [1, 1, 1 - 9.5 / 30, null, AGE, 1],
    score: 88.4,
  },
  // To a token no stock client trusts, 7 days ago, and the first probe comes a step after the world begins: compliance
  // 335/671, 1 − 0.3·23/30; 75.2, capped
  'asset-change': {
    ...UNPAYABLE,
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
  'description-change': WELL,
  delisted: { ...WELL, known: { ...V1, listed: false }, flags: ['legacy-version', 'delisted'] },
  relisted: { ...WELL, known: { listed: true } },
  // Eight days old: 0.4 + 0.3/23; 79.1304 of 85
  newcomer: {
    ...WELL,
    lived: days(8, 'pass'),
    knownForDays: 8,
    values: [1, 1, 1, null, 0.4 + 0.3 / 23, 1],
    score: 93.1,
  },
  'template-braces': TEMPLATE,
  'template-colon': TEMPLATE,
  // No examples to fill it in with: never probed, but a price is listed
  'template-encoded': {
    ...UNSEEN,
    lived: [],
    known: { templated: true },
    ...{ recommendation: 'parameterize', flags: ['low-confidence', 'template-unresolved'] },
  },
  'post-undeclared': WELL,
  'post-declared': WELL,
  // p50 1 − ln(9.25)/ln(25), p95 1 − ln(4.87)/ln(20); 76.8641 of 85
  slow: {
    ...WELL,
    known: { latency: { p50: 1_850, p95: 2_435, n: 672 } },
    values: [
      ...([1, 1, 1, null, AGE] as const),
      1 - (Math.log(9.25) / Math.log(25) + Math.log(4.87) / Math.log(20)) / 2,
    ],
    score: 90.4,
  },
  // 40 of 672 missed, 94.05 %: 0.4 + 0.2·0.040476/0.05; 66.7702 of 85
  'flaky-errors': {
    ...WELL,
    lived: [...misses(40, 15), ...days(32 / 48, 'pass')],
    values: [0.4 + 4 * (632 / 672 - 0.9), 1, 1, null, AGE, 1],
    ...{ score: 78.6, grade: 'B', flags: ['uptime-low'], mayMissTheLast: true },
  },
  // 148 of 672 missed, 77.98 %: 0.279762; 58.3059 of 85
  'flaky-mixed': {
    ...WELL,
    lived: [...misses(148, 3), ...days(80 / 48, 'pass')],
    values: [524 / 672 - 0.5, 1, 1, null, AGE, 1],
    ...{ score: 68.6, grade: 'B', flags: ['uptime-low'], mayMissTheLast: true },
  },
  'flaky-resets': {
    ...WELL,
    lived: [...days(7, 'pass'), ...misses(40, 7), ...days(16 / 48, 'pass')],
    values: [0.4 + 4 * (632 / 672 - 0.9), 1, 1, null, AGE, 1],
    ...{ score: 78.6, grade: 'B', flags: ['uptime-low'], mayMissTheLast: true },
  },
  dead: NEVER_UP,
  'certificate-wrong-host': NEVER_UP,
  'certificate-self-signed': NEVER_UP,
  'always-500': NEVER_UP,
  'hangs-late': {
    ...FELL,
    lived: [...days(12.5, 'pass'), ...days(1.5, 'down')],
    values: [600 / 672 - 0.5, 1, 1, null, AGE, 1],
  },
  'down-since-day-11': {
    ...FELL,
    lived: [...days(11, 'pass'), ...days(3, 'down')],
    values: [528 / 672 - 0.5, 1, 1, null, AGE, 1],
  },
  'gone-410': {
    ...FELL,
    lived: [...days(9, 'pass'), ...days(5, 'down')],
    values: [432 / 672 - 0.5, 1, 1, null, AGE, 1],
  },
  'dns-gone': {
    ...FELL,
    lived: [...days(8, 'pass'), ...days(6, 'down')],
    values: [384 / 672 - 0.5, 1, 1, null, AGE, 1],
  },
  'gone-404': {
    ...FELL,
    lived: [...days(6, 'pass'), ...days(8, 'down')],
    values: [0, 1, 1, null, AGE, 1],
  },
  'certificate-expires': {
    ...FELL,
    lived: [...days(4, 'pass'), ...days(10, 'down')],
    values: [0, 1, 1, null, AGE, 1],
  },
  'bot-page': {
    ...UNSEEN,
    lived: days(14, 'blocked'),
    ...{ recommendation: 'unverified', flags: ['low-confidence', 'blocked'] },
  },
  // 96 scored probes: confidence 0.8·(1 − e^−0.4) = 0.26; it was well while it could be seen
  'rate-limited': {
    ...WELL,
    lived: [...days(2, 'pass'), ...days(12, 'blocked')],
    ...{ recommendation: 'caution', flags: ['low-confidence', 'not-seen-lately', 'blocked'] },
  },
  redirects: {
    ...UNSEEN,
    lived: days(14, 'redirected'),
    ...{ recommendation: 'unverified', flags: ['low-confidence', 'redirects'] },
  },
  'slow-drip': WELL,
  'oversized-header': BROKEN,
  'amount-number': BROKEN,
  'wrong-eip712-name': BROKEN,
  'v1-no-mime-type': { ...BROKEN, known: V1, flags: ['envelope-noncompliant', 'legacy-version'] },
  'no-resource': {
    ...BROKEN,
    known: { lastChallenge: { resourceInfoMissing: true, headerBodyMismatch: false } },
    flags: ['envelope-noncompliant', 'missing-resource-info'],
  },
  ...{ 'bad-base64': UNPAYABLE, base64url: UNPAYABLE, 'truncated-json': UNPAYABLE, 'html-402': UNPAYABLE },
  'no-amount': {
    ...UNPAYABLE,
    lived: days(14, 'unpayable', { microUsd: null }),
    flags: ['not-payable', 'envelope-noncompliant', 'price-unknown', 'not-payable-now'],
  },
  ...{ 'no-pay-to': UNPAYABLE, 'no-eip712-domain': UNPAYABLE, 'no-accepts': UNPAYABLE },
  'v2-body-only': UNPAYABLE,
  'renamed-header': UNPAYABLE,
  'fake-usdc': {
    ...UNPAYABLE,
    lived: days(14, 'unpayable', { microUsd: null }),
    known: listedWith({ falseUsdc: true }),
    ...{ score: 20, grade: 'F', caps: ['not-payable', 'asset-not-usdc'] },
    flags: ['asset-not-usdc', 'not-payable', 'envelope-noncompliant', 'price-unknown', 'not-payable-now'],
  },
  'free-though-priced': FREE,
  'free-unpriced': { ...FREE, known: { advertised: null } },
};

/** What the formula reads of a story, at a time in milliseconds since the epoch. */
export function inputsOf({ lived, known = {}, knownForDays = 14 }: Story, now: number): ScoreInputs {
  const { latency, lastChallenge, ...rest } = known;
  const folded = fold(lived, {
    ...{ now, listed: true, templated: false, description: 'Weather by city' },
    ...{
      settlement: null,
      networksRead: 0,
      firstSeen: now - knownForDays * DAY_MS,
      ...listedWith({}),
      ...rest,
    },
  });
  return { ...folded, ...(latency && { latency }), ...(lastChallenge && { lastChallenge }) };
}
