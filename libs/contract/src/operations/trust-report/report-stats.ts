import { z } from 'zod';
import { count, exactUsd, share, text, time, usd } from '../../shared/scalars.ts';
import { CHANGE_KINDS, COMPLIANCE_RESULTS } from '../../shared/values.ts';

const envelopes = z.strictObject({
  checked: count.describe('Number of checked challenges.'),
  valid: count.describe('Number without errors that concern payment: the sum of pass and warnings.'),
  pass: count.describe(
    'Number without an error or warning that concerns payment. Checks about discovery do not count.',
  ),
  warnings: count.describe('Number with warnings only.'),
  errors: count.describe('Number with formal errors, which could still be paid.'),
  unpayable: count.describe('Number that no reference client pays, or whose payment would not settle.'),
});

const milliseconds = z.number().min(0);
const latency = z.strictObject({
  p50: milliseconds.describe('Median time to the last byte of the response, milliseconds.'),
  p95: milliseconds.describe('95th percentile, milliseconds.'),
  p99: milliseconds.nullable().describe('99th percentile, milliseconds.'),
  n: count.describe('Number of measured responses.'),
  maxErrorPercent: z
    .number()
    .min(0)
    .describe('Maximum error of the percentiles, in percent. They are read from a histogram.'),
  vantage: text('name').describe('Location of the measurement, as in latencyVantage.'),
});

const firstByte = z.strictObject({
  p50: milliseconds.describe('Median time to the first byte, milliseconds.'),
  p95: milliseconds.describe('95th percentile, milliseconds.'),
});

const last24h = z.strictObject({
  scored: count.describe('Number of scored probes.'),
  up: count.describe('Number of scored probes that succeeded.'),
  free: count.describe('Number of probes that returned data without payment.'),
  pass: count.describe('Number of challenges without an error or warning that concerns payment.'),
  warnings: count.describe('Number of challenges with warnings only.'),
  errors: count.describe('Number of challenges with formal errors, which could still be paid.'),
  unpayable: count.describe('Number of challenges that could not be paid.'),
});

const last7d = z.strictObject({
  scored: count.describe('Number of scored probes.'),
  up: count.describe('Number of scored probes that succeeded.'),
});

const changeValue = text('address')
  .nullable()
  .describe(
    'Price, address, or network and asset. Null when unknown, and before the latest 20 changes of each kind. Unverified text.',
  );

/**
 * Schema of the list of changes. A watched endpoint is probed every five minutes. If three kinds of terms change at
 * every probe, the list has 25,920 changes in 30 days. The maximum length allows all these changes.
 */
const changeEvents = z
  .array(
    z
      .strictObject({
        kind: z.enum(CHANGE_KINDS).describe('Kind of the change.'),
        at: time.describe('Time when the change was seen.'),
        before: changeValue,
        after: changeValue,
      })
      .describe('One change.'),
  )
  .max(30_000);

const changes = z.strictObject({
  price: count.describe('Number of price changes.'),
  payTo: count.describe('Number of changes of the payTo address.'),
  assetNetwork: count.describe('Number of changes of asset or network.'),
  events: changeEvents.describe(
    'Each change with its time. The effect of a change on the score fades with time.',
  ),
  payToVariation: z
    .strictObject({
      changes: count.describe('Number of changes of the payTo address while it varied.'),
      since: time.describe('Time of the first of these changes.'),
      lastChangedAt: time.describe('Time of the last of these changes.'),
      before: text('address')
        .nullable()
        .describe('Address before the first of these changes. Unverified text.'),
      after: text('address').nullable().describe('Address after the last of these changes. Unverified text.'),
    })
    .exactOptional()
    .describe(
      'Present when the payTo address had three values or three changes within a day, such as a deposit address for each request. These changes cost nothing. If the address then stays the same for a day and is another than before, the last of them also counts as a change.',
    ),
});

const redirect = z.strictObject({
  status: z.int().describe('HTTP status of the last redirect.'),
  target: text('resource').describe('URL that sent the challenge, without query. Unverified text.'),
  otherOrigin: z.boolean().describe('True when its origin is not that of the resource.'),
});

const clientSetting = z.strictObject({
  kind: z
    .enum(['amount', 'token', 'scheme'])
    .describe(
      'amount: a limit for a payment; token: the list of allowed tokens; scheme: the registered client of a scheme.',
    ),
  setting: text('failure').describe('Name and required value of the setting.'),
});

const latestChallenge = z.strictObject({
  resourceInfoMissing: z.boolean().describe('True when the challenge does not name its resource.'),
  headerBodyMismatch: z.boolean().describe('True when the header and the body have different payment terms.'),
  failedRules: z
    .array(text('name'))
    .describe('Ids of the failed rules of severity error that concern payment.'),
  notPayableReason: text('failure')
    .nullable()
    .describe(
      'Reason why it cannot be paid, as a sentence; null when it can or when no reason is known. It may quote unverified text of the provider.',
    ),
  neededSettings: z
    .array(clientSetting.describe('One setting.'))
    .max(3)
    .describe(
      'Settings that a buyer must change before clients pay it; empty when their default settings are enough or when it cannot be paid.',
    ),
  redirect: redirect
    .nullable()
    .describe('Followed redirect to the challenge; null when the resource itself sent it.'),
});

/**
 * Figures from which the score is computed. The formula also reads the report fields `settlement`, `advertised`,
 * `listing`, `lastFailure`, `templated` and `description`, and no others.
 */
export const stats = z.strictObject({
  scoredAt: time.describe('Time of the score. Days and ages count from here.'),
  windowDays: z.int().min(1).describe('Length of the window of these counts, in days.'),
  probes30d: count.describe('Number of probes in the window.'),
  scoredProbes30d: count.describe('Number of scored probes, which count in uptime.'),
  up30d: count.describe('Number of scored probes that succeeded.'),
  excluded30d: count.describe('Number of excluded probes, such as failures of this service.'),
  blocked30d: count.describe('Number of blocked probes.'),
  blockedSince: time
    .nullable()
    .describe(
      'Time since which no probe was scored; null when the latest failed probe was scored or not blocked.',
    ),
  redirected30d: count.describe('Number of probes that ended at a redirect that was not followed.'),
  last24h: last24h.describe('Probes of the 24 hours before scoredAt.'),
  last7d: last7d.describe('Probes of the last seven days in UTC, including the current day.'),
  envelopes: envelopes.describe('Payment challenges in the window by compliance.'),
  avgLatencyMs: milliseconds
    .nullable()
    .describe('Mean time to the last byte of the response, milliseconds; null without a measurement.'),
  latency: latency.nullable().describe('Time to the last byte of the response; null without a measurement.'),
  latencyVantage: text('name').describe(
    'Only location from which latencies are measured. They include the network distance to the endpoint.',
  ),
  firstByte: firstByte.nullable().describe('Time to the first byte; null without a measurement.'),
  settledVolumeUsd30d: usd
    .nullable()
    .describe('US dollars settled in the window that stayed; equal to settlement.volumeUsd30d.'),
  distinctPayers30d: count
    .nullable()
    .describe('Distinct payers in the window; equal to settlement.payers30d.'),
  changes: changes.describe('Changes of the advertised payment terms in the window.'),
  payToVaries: z
    .boolean()
    .describe(
      'True when the payTo address of a payment option varies by design, such as a deposit address for each request: changes.payToVariation is present, and the address has not stayed the same for a day since. It stays true while the endpoint is down.',
    ),
  payToDistinct30d: count
    .nullable()
    .describe(
      'Number of distinct payTo addresses of the main payment option in the last 30 days, including the address at the start of these days. Only addresses that a probe received with the network and token of this option count. Null when there are none.',
    ),
  everChallenged: z.boolean().describe('True when the endpoint ever responded with a payment challenge.'),
  answeredFree: z
    .boolean()
    .describe('True when the endpoint responded to an unpaid request with data in the window.'),
  lastProbedAt: time.nullable().describe('Time of the latest probe of any outcome.'),
  lastScoredAt: time.nullable().describe('Time of the latest scored probe.'),
  downSince: time.nullable().describe('Start of the current outage; null while up or not measured.'),
  watchedSince: time
    .nullable()
    .describe('Time since which the endpoint was probed without a gap; null when unknown.'),
  lastUpAt: time.nullable().describe('Time of the latest successful probe; null when none ever succeeded.'),
  lastChallengedAt: time.nullable().describe('Time of the latest payment challenge.'),
  lastPayableAt: time.nullable().describe('Time of the latest challenge that could be paid.'),
  latestCompliance: z
    .enum(COMPLIANCE_RESULTS)
    .nullable()
    .describe('Compliance of the latest challenge; null before the first.'),
  medianAmountUsd: exactUsd.nullable().describe('Median advertised price in the window, in US dollars.'),
  payToSharedWith: count
    .nullable()
    .describe(
      'Number of listed endpoints of other hosts with the same payTo address; null when not counted.',
    ),
  payToSharedOnHost: count
    .nullable()
    .describe(
      'Number of other listed endpoints of this host with the same payTo address; null when not counted.',
    ),
  networksRead: share
    .nullable()
    .describe(
      'Share of the advertised networks whose chain was read in the last day; null when none is advertised.',
    ),
  latestChallenge: latestChallenge.nullable().describe('Mistakes of the latest challenge.'),
  observedDays: count.describe('Whole days from firstSeen to scoredAt.'),
  firstSeen: time.describe('Time when the endpoint was first seen.'),
});
