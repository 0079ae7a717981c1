import { z } from 'zod';
import { CHANGE_KINDS } from '../../shared/values.ts';
import { count, points, slug, text, time, usd } from '../../shared/scalars.ts';
import { purchase } from '../../shared/delivery-facts.ts';
import { lastFailure, option } from '../../shared/trust-facts.ts';

/** Kinds of events in a history: changes of the directory listing, and differences between two successive probes. */
const HISTORY_EVENTS = ['listed', 'delisted', 'relisted', ...CHANGE_KINDS, 'metadata_change'] as const;

const terms = z.strictObject({
  protocolVersion: z
    .union([z.literal(1), z.literal(2)])
    .nullable()
    .describe('Protocol version of the payment terms; null when unknown.'),
  description: text('description').nullable().describe('Description from the provider. Unverified text.'),
  options: z
    .array(option.describe('One payment option.'))
    .max(100)
    .describe(
      'Every payment option. With the resolution daily, only the options that differ between before and after, at most 3.',
    ),
});

const metadata = z.strictObject({
  directory: text('name').describe('Directory whose texts changed.'),
  serviceName: text('name').nullable().describe('Name in this directory. Unverified text.'),
  description: text('description').nullable().describe('Description in this directory. Unverified text.'),
});

const state = z.union([terms, metadata]).nullable();

const snapshot = z.strictObject({
  at: time.describe('Time of the observation.'),
  event: z.enum(HISTORY_EVENTS).describe('Kind of the event.'),
  varies: z
    .literal(true)
    .exactOptional()
    .describe(
      'Present when the payTo address began to vary: three values or three changes within a day. Later changes have no event until the address stays the same for a day.',
    ),
  before: state.describe(
    'Payment terms before, or the texts of the directory for metadata_change; null for events of the listing.',
  ),
  after: state.describe(
    'Payment terms from then on, or the texts of the directory for metadata_change; null for events of the listing.',
  ),
});

const probe = z.strictObject({
  at: time.describe('Time of the probe; for an hourly point, the start of the hour.'),
  outcome: slug.describe(
    'Outcome: challenged, free, other-gate, blocked, method-mismatch, redirected (not followed), not-found, client-error, server-error, timeout, dns-error, tls-error, connect-error, protocol-error, refused-address, or self-failure (not measured, because of this service or its rate limit for the target of a redirect). For an hourly point, the most frequent outcome.',
  ),
  httpStatus: z
    .int()
    .min(100)
    .max(999)
    .nullable()
    .describe('HTTP status of the response; null without a response.'),
  error: slug
    .nullable()
    .describe(
      'Cause of the failure, such as http-410, timeout or tls-certificate-expired; null when the probe succeeded. For an hourly point, the most frequent cause.',
    ),
  latencyMs: count
    .nullable()
    .describe(
      'Milliseconds to the last byte of the response; null without a complete response. For an hourly point, the median.',
    ),
  compliant: z
    .boolean()
    .nullable()
    .describe(
      'True when the challenge had no error; null without a challenge. For an hourly point, true when no challenge had an error.',
    ),
  amountUsd: usd.nullable().describe('Advertised price; null when none is known in US dollars.'),
  probes: count.exactOptional().describe('Number of probes; in hourly points only.'),
  up: count.exactOptional().describe('Number of probes that succeeded; in hourly points only.'),
});

const day = z.strictObject({
  day: z.iso.date().describe('Day in UTC.'),
  probes: count.describe('Number of all probes.'),
  scored: count.describe('Number of scored probes, which count in uptime.'),
  up: count.describe('Number of scored probes that succeeded.'),
  latencyMsP50: z
    .number()
    .min(0)
    .nullable()
    .describe(
      'Median time to the last byte of the response, in milliseconds, at most 16 % too low or too high; null when not measured.',
    ),
  latencyMsP95: z
    .number()
    .min(0)
    .nullable()
    .describe(
      '95th percentile of the time to the last byte of the response, in milliseconds, at most 16 % too low or too high; null when not measured.',
    ),
  score: points.nullable().describe('Last score of the day; null when the endpoint was not scored.'),
});

/** History of one endpoint: its events, probes, test purchases and daily figures, each list in chronological order. */
export const historySchema = z.strictObject({
  resource: text('resource').describe('URL of the endpoint, as in the request.'),
  days: z.int().min(1).max(90).describe('Number of days in this history.'),
  from: time.describe('Start of this history.'),
  to: time.describe('End of this history, which is the time of the request.'),
  snapshots: z
    .array(snapshot.describe('One event.'))
    .max(100_000)
    .describe(
      'Events of the listing, and changes of the texts and the payment terms. With the resolution daily, the newest events that fit in 9,000 bytes, at most 20, with descriptions of at most 100 characters.',
    ),
  probes: z
    .array(probe.describe('One probe, or one hour of probes.'))
    .max(10_000)
    .describe(
      'Every probe; above 5,000, the oldest ones are grouped by hour. Empty with the resolution daily.',
    ),
  daily: z
    .array(day.describe('One day.'))
    .max(91)
    .describe('Figures by day in UTC. The first and the last day may be partial.'),
  purchases: z
    .array(purchase.describe('One test purchase.'))
    .max(50)
    .describe(
      'Newest published test purchases of this service. With the resolution daily, at most 10. /v1/purchases/{id} has the signed record of each.',
    ),
  probesResolution: z
    .enum(['raw', 'hourly', 'daily'])
    .describe(
      'raw: each point is one probe; hourly: the oldest points cover one hour each; daily: only the figures by day were requested.',
    ),
  lastFailure: lastFailure
    .nullable()
    .describe('Latest failed probe and its cause; null when no probe failed in the last 30 days.'),
});

export type History = z.infer<typeof historySchema>;
