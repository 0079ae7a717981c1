import { z } from 'zod';
import { count, points, slug, text, time, usd } from './scalars.ts';
import { option } from './trust-facts.ts';

/** What happened to a listing, and what a probe saw differ from the probe before. */
const HISTORY_EVENTS = [
  'listed',
  'delisted',
  'relisted',
  'price_change',
  'payto_change',
  'asset_network_change',
  'metadata_change',
] as const;

const terms = z.strictObject({
  protocolVersion: z
    .union([z.literal(1), z.literal(2)])
    .nullable()
    .describe('Version of the protocol the terms were read in; null where unknown.'),
  description: text('description').nullable().describe('What the provider said it does. Unverified text.'),
  options: z
    .array(option.describe('One way to pay.'))
    .max(100)
    .describe('Every way to pay that was offered.'),
});

const snapshot = z.strictObject({
  at: time.describe('When it was seen.'),
  event: z.enum(HISTORY_EVENTS).describe('What happened.'),
  before: terms.nullable().describe('What was advertised before; null for events of the listing.'),
  after: terms.nullable().describe('What was advertised from then on; null for events of the listing.'),
});

const probe = z.strictObject({
  at: time.describe('When it was asked; the start of the hour for a point that stands for one.'),
  outcome: slug.describe(
    'How it answered: challenged, free, other-gate, blocked, method-mismatch, redirected, not-found, client-error, server-error, timeout, dns-error, tls-error, connect-error, protocol-error, refused-address, or self-failure where the fault was ours. The most frequent one of an hour.',
  ),
  httpStatus: z
    .int()
    .min(100)
    .max(999)
    .nullable()
    .describe('The status of the answer; null where none came.'),
  latencyMs: count
    .nullable()
    .describe('Milliseconds to the first byte; null where there was none. The median of an hour.'),
  compliant: z
    .boolean()
    .nullable()
    .describe(
      'Whether its challenge had no error; null where it made none. Of an hour, whether all had none.',
    ),
  amountUsd: usd.nullable().describe('The advertised price; null where there was none in US dollars.'),
  probes: count
    .exactOptional()
    .describe('How many probes the point stands for; only in points that stand for an hour.'),
  up: count.exactOptional().describe('How many of those were up; only in points that stand for an hour.'),
});

const day = z.strictObject({
  day: z.iso.date().describe('The day, UTC.'),
  probes: count.describe('Probes that count in uptime.'),
  up: count.describe('Those of them that were up.'),
  latencyMsP50: z.number().min(0).nullable().describe('Median milliseconds to the first byte.'),
  latencyMsP95: z.number().min(0).nullable().describe('95th percentile of the same.'),
  score: points.nullable().describe('The last score of the day; null where it was not scored.'),
});

/** What was seen of one endpoint, each list with the oldest first. */
export const historySchema = z.strictObject({
  resource: text('resource').describe('URL of the endpoint, as it was asked for.'),
  days: z.int().min(1).max(90).describe('How many days it covers.'),
  from: time.describe('Where it begins.'),
  to: time.describe('Where it ends, which is when it was made.'),
  snapshots: z
    .array(snapshot.describe('One event.'))
    .max(100_000)
    .describe('What happened to its listing and its terms.'),
  probes: z
    .array(probe.describe('One probe, or one hour of them.'))
    .max(10_000)
    .describe('Every probe, the oldest ones by the hour where there are more than 5,000.'),
  daily: z.array(day.describe('One day.')).max(91).describe('The same by the day.'),
  probesResolution: z
    .enum(['raw', 'hourly'])
    .describe('Whether each point is one probe, or the oldest ones stand for an hour each.'),
});

export type History = z.infer<typeof historySchema>;
