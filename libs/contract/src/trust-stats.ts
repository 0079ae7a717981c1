import { z } from 'zod';
import { count, exactUsd, share, text, time } from './scalars.ts';
import { changeEvents } from './trust-verdict.ts';

const envelopes = z.strictObject({
  checked: count.describe('Challenges whose compliance was checked.'),
  valid: count.describe('Those without an error: passed, or with warnings only.'),
  pass: count.describe('Those that passed every check.'),
  warnings: count.describe('Those with warnings only.'),
  errors: count.describe('Those with errors that a reference client can pay all the same.'),
  unpayable: count.describe('Those that no reference client can pay.'),
});

const milliseconds = z.number().min(0);
const latency = z.strictObject({
  p50: milliseconds.describe('Median time to the first byte, milliseconds.'),
  p95: milliseconds.describe('95th percentile, milliseconds.'),
  p99: milliseconds.nullable().describe('99th percentile, milliseconds.'),
  mean: milliseconds.nullable().describe('Mean, milliseconds.'),
  n: count.describe('Number of answers that were timed.'),
  vantage: text('name').nullable().describe('From where it was measured; network distance is included.'),
});

const changes = z.strictObject({
  price: count.describe('Changes of the price.'),
  payTo: count.describe('Changes of the payTo address.'),
  assetNetwork: count.describe('Changes of asset or network.'),
  events: changeEvents.describe('Each change with its time, which decides how much of it has faded.'),
});

const latestChallenge = z.strictObject({
  resourceInfoMissing: z.boolean().describe('It does not say which resource it is for.'),
  headerBodyMismatch: z.boolean().describe('Its header and its body name different terms.'),
});

/**
 * The raw figures the score was computed from. With `settlement`, `advertised`, `listing`, `templated` and
 * `description` they are all that the formula reads.
 */
export const stats = z.strictObject({
  scoredAt: time.describe('The moment the formula was computed for; days and ages count from here.'),
  windowDays: z.int().min(1).describe('Days that the counts cover.'),
  probes: count.describe('Probes of the window.'),
  scored: count.describe('Probes that count in uptime.'),
  up: count.describe('Those of them that were up.'),
  excluded: count.describe('Probes that do not count, among them all that failed through our own fault.'),
  blocked: count.describe('Probes that were turned away.'),
  redirected: count.describe('Probes that were redirected.'),
  envelopes: envelopes.describe('Payment challenges of the window by compliance.'),
  latency: latency.nullable().describe('Time to first byte; null where nothing was timed.'),
  changes: changes.describe('Changes of the advertised terms in the window.'),
  everChallenged: z.boolean().describe('Whether it ever asked to be paid.'),
  answeredFree: z.boolean().describe('Whether it answered a plain request with data in the window.'),
  lastProbedAt: time.nullable().describe('Time of the last probe that counts in uptime.'),
  downSince: time.nullable().describe('Start of the present outage; null while up or not measured.'),
  watchedSince: time
    .nullable()
    .describe('Since when it was watched without a gap of ours; null where unknown.'),
  lastChallengedAt: time.nullable().describe('When it last asked to be paid.'),
  lastPayableAt: time.nullable().describe('When a reference client could last have paid it.'),
  latestCompliance: z
    .enum(['pass', 'warnings', 'errors', 'unpayable'])
    .nullable()
    .describe('Compliance of the latest challenge; null before the first.'),
  medianAmountUsd: exactUsd.nullable().describe('Median advertised price of the window in US dollars.'),
  payToSharedWith: count
    .nullable()
    .describe('Listed endpoints of other hosts that advertise the same payTo; null where not counted.'),
  networksRead: share.describe('Share of the advertised networks whose chain was read in the last day.'),
  latestChallenge: latestChallenge.nullable().describe('What was amiss with the latest challenge.'),
  observedDays: count.describe('Whole days from firstSeen to scoredAt.'),
  firstSeen: time.describe('When it was first seen.'),
});
