import { z } from 'zod';
import { MAX_COUNTED_ALTERNATIVES } from '../similar/operation.ts';
import { summaryDelivery } from '../../shared/delivery-facts.ts';
import { atomicAmount, count, link, points, share, text, time, usd, grade } from '../../shared/scalars.ts';
import { amountRange30d, listing, option } from '../../shared/trust-facts.ts';
import { EXAMPLE_NETWORK, EXAMPLE_PAY_TO, RECOMMENDATIONS } from '../../shared/values.ts';
import { createSignatureSchema } from '../key-set/operation.ts';
import { provider } from './provider-notes.ts';
import { TRUST_REPORT_EXAMPLE as report } from '../trust-report/report-schema.ts';

export const SUMMARY_SCHEMA_TYPE = 'endpoint-summary';
/** Semver of the schema: a new field is a minor version, a changed or removed field is a major version. */
export const SUMMARY_SCHEMA_VERSION = '1.0.0';

const requested = z.strictObject({
  resource: text('resource').describe(
    'URL of the endpoint, as in the request. For a request by slug, it is the URL of the endpoint.',
  ),
  payTo: text('address').nullable().describe('payTo address, as in the request; null without one.'),
  network: text('address').nullable().describe('Network, as in the request; null without one.'),
});

const payTo = z.strictObject({
  address: text('address').describe('payTo address, as in the request.'),
  network: text('address').nullable().describe('Network, as in the request; null means any network.'),
  observed: z
    .boolean()
    .describe('True when a payment option of the endpoint has or had this payTo address on this network.'),
  current: z.boolean().describe('True when a present payment option of the endpoint has this payTo address.'),
  varies: z
    .boolean()
    .describe(
      'True when each payTo address on this network varies by design, for example with one deposit address per request: it took several values within a day and still changes. observed: false is then expected, and does not confirm the address.',
    ),
  changedAt: time
    .nullable()
    .describe(
      'Time at which this payTo address replaced another one; null when that was more than 30 days ago, or when the address varies.',
    ),
  before: text('address')
    .nullable()
    .describe(
      'payTo address that this one replaced at changedAt, shortened to its first six and last four characters; null without changedAt, or when this address was added to others. Unverified text.',
    ),
});

/** Payment option of a summary. */
export const payOn = z.strictObject({
  ...option.omit({ falseUsdc: true }).shape,
  amount: atomicAmount
    .nullable()
    .describe('Amount in atomic units; null when the advertised amount is no whole number.'),
  payTo: text('address').describe(
    'payTo address, shortened to its first six and last four characters. Unverified text.',
  ),
  canonicalUsdc: z.boolean().describe('True when the token is the canonical USDC of its network.'),
});

const summaryListing = z.strictObject({
  status: z
    .enum(['listed', 'delisted'])
    .describe('listed: a directory lists the endpoint, or a paid report added it (see source).'),
  source: listing.shape.source,
  directories: z
    .array(text('name').describe('Name of a directory.'))
    .max(100)
    .describe('Names of the directories that list the endpoint now.'),
  delistedAt: listing.shape.delistedAt,
});

const identity = {
  resource: text('resource').describe('Canonical URL of the endpoint.'),
  endpointId: text('name').describe('Id of the endpoint in the catalog.'),
  endpointPage: link.describe('URL of the public page of the endpoint.'),
  method: text('name').nullable().describe('HTTP method of the endpoint; null when unknown.'),
  serviceName: text('name').nullable().describe('Name from the provider. Unverified text.'),
  description: text('description').nullable().describe('Description from the provider. Unverified text.'),
  templated: z
    .boolean()
    .describe('True when the URL has placeholders, which must be replaced before paying.'),
};

const verdict = {
  score: points.describe('Score from 0 to 100, one decimal.'),
  grade: grade.describe('Grade by the score, A to F; ? when ungraded.'),
  recommendation: z.enum(RECOMMENDATIONS).describe('Recommendation for a payer.'),
  confidence: share.describe('Amount of evidence behind the score, from 0 to 1, two decimals.'),
  computedAt: time.describe('Time at which the score was computed.'),
};

const availability = {
  uptime30d: z
    .number()
    .min(0)
    .max(100)
    .nullable()
    .describe('Uptime of the last 30 days in percent, one decimal; null without a scored probe.'),
  latencyMs: count
    .nullable()
    .describe('Mean latency of the last 30 days in milliseconds; null when not measured.'),
  latencyLabel: z
    .enum(['fast', 'moderate', 'sluggish', 'slow'])
    .nullable()
    .describe('Label of the latency; null when not measured.'),
  vantage: text('name').describe('Location from which the latency was measured.'),
  probes30d: count.describe('Number of probes in the last 30 days.'),
  scoredProbes30d: count.describe('Number of scored probes, which count in uptime.'),
  blocked30d: count.describe('Number of blocked probes.'),
  blockedSince: time
    .nullable()
    .describe(
      'Time since which no probe was scored; null when the latest failed probe was scored or not blocked.',
    ),
  lastProbedAt: time.nullable().describe('Time of the latest probe; null before the first.'),
  failingSince: time
    .nullable()
    .describe('Time of the first failed probe since the last success; null if the latest probe succeeded.'),
};

const price = {
  amountUsd: usd.nullable().describe('Advertised price in US dollars; null when none is advertised.'),
  priceStability: z
    .enum(['stable', 'changed once', 'varies', 'per item'])
    .nullable()
    .describe('Stability of the price in the last 30 days; null when no price is advertised.'),
  priceRange30d: amountRange30d
    .nullable()
    .describe('Price range of the last 30 days; null when no price was seen.'),
  network: text('address')
    .nullable()
    .describe('CAIP-2 id of the main payment network, or its name as advertised. Unverified text.'),
  payOn: z.array(payOn.describe('One payment option.')).max(100).describe('Every present payment option.'),
};

const record = {
  firstSeen: time.describe('Time when the endpoint was first seen.'),
  daysTracked: count.describe('Number of days since the endpoint was first seen.'),
  listing: summaryListing.describe('Listing in directories.'),
  errorFlags: count.describe('Number of error flags. The paid report names them.'),
  warningFlags: count.describe('Number of warning flags. The paid report names them.'),
  betterAlternatives: count
    .max(MAX_COUNTED_ALTERNATIVES)
    .nullable()
    .describe('Number of better alternatives; 10 means 10 or more; null when not counted yet.'),
};

const endpoint = z.strictObject({
  ...identity,
  ...verdict,
  ...availability,
  ...price,
  ...record,
  delivery: summaryDelivery
    .nullable()
    .describe(
      'What the endpoint delivered for money in the last 30 days; null without test purchases and reports of buyers. No part of the score.',
    ),
  provider: provider
    .nullable()
    .describe('Announcements of the provider; null when no provider has claimed the host.'),
});

const unknownHost = z.strictObject({
  knownEndpoints: count.describe('Number of endpoints of this host that a directory lists.'),
  resembles: text('name')
    .nullable()
    .describe(
      'Known host whose name this host imitates, for example with one other letter; null when no imitation was recognized, which proves nothing.',
    ),
});

/**
 * Schema of the summary of one endpoint: the content of its public page, and the observations of the requested payTo
 * address. A signed summary of an unknown endpoint states that the catalog does not contain the endpoint.
 */
export const endpointSummarySchema = z.strictObject({
  $schema: link.describe('URL of the JSON Schema of this summary.'),
  schemaVersion: z.literal(SUMMARY_SCHEMA_VERSION).describe('Semver of the schema.'),
  schemaType: z.literal(SUMMARY_SCHEMA_TYPE).describe('Discriminator of endpoint summaries.'),
  generatedAt: time.describe('Time of this summary.'),
  requested: requested.describe('Values of the request.'),
  match: z
    .enum(['exact', 'path', 'template'])
    .nullable()
    .describe(
      'exact: the endpoint has the requested URL; path: their URLs differ only by the query; template: the requested URL fills the placeholders of the endpoint. Null when endpoint is null.',
    ),
  payTo: payTo
    .nullable()
    .describe(
      'Observations of the requested payTo address; null when none was requested or endpoint is null.',
    ),
  endpoint: endpoint
    .nullable()
    .describe(
      'Content of the public page; null when the catalog has no such endpoint, or its provider opted out.',
    ),
  optedOutAt: time
    .nullable()
    .describe(
      'Time at which the provider of the host opted out of probing and listing; null without an opt-out. endpoint is then null, and says nothing good or bad about the endpoint.',
    ),
  unknownHost: unknownHost
    .nullable()
    .describe(
      'Facts about the host of an unknown URL; null when endpoint is not null, and when the provider opted out.',
    ),
  signature: createSignatureSchema('summary')
    .nullable()
    .describe('Signature of this service; null for an unsigned summary.'),
});

export type EndpointSummary = z.infer<typeof endpointSummarySchema>;

/**
 * Example of the summary of an endpoint with its present payTo address, signed with the same published test key as the
 * example of a trust report.
 */
export const ENDPOINT_SUMMARY_EXAMPLE: EndpointSummary = {
  $schema: 'https://touchstone.example/schemas/endpoint-summary/1.0.0.json',
  schemaVersion: '1.0.0',
  schemaType: 'endpoint-summary',
  generatedAt: report.generatedAt,
  requested: { resource: report.resource, payTo: EXAMPLE_PAY_TO, network: EXAMPLE_NETWORK },
  match: 'exact',
  payTo: {
    ...{ address: EXAMPLE_PAY_TO, network: EXAMPLE_NETWORK, observed: true, current: true, varies: false },
    ...{ changedAt: null, before: null },
  },
  endpoint: {
    resource: report.resource,
    endpointId: report.endpointId,
    endpointPage: report.endpointPage,
    method: 'GET',
    serviceName: report.serviceName,
    description: report.description,
    templated: false,
    score: report.score,
    grade: 'A',
    recommendation: 'proceed',
    confidence: report.confidence,
    computedAt: '2026-05-31T23:45:36.000Z',
    uptime30d: 99.7,
    latencyMs: 268,
    latencyLabel: 'fast',
    vantage: 'eu',
    ...{ probes30d: 1440, scoredProbes30d: 1434, blocked30d: 0, blockedSince: null },
    lastProbedAt: '2026-06-01T00:00:00.000Z',
    failingSince: null,
    amountUsd: '0.010000',
    priceStability: 'changed once',
    priceRange30d: { lowUsd: '0.010000', highUsd: '0.020000' },
    network: EXAMPLE_NETWORK,
    payOn: report.advertised.options.map(({ falseUsdc, ...option }) => ({
      ...option,
      payTo: '0x2096…287C',
      canonicalUsdc: !falseUsdc,
    })),
    firstSeen: report.listing.firstSeen,
    daysTracked: 94,
    listing: { status: 'listed', source: 'directory', directories: ['CDP'], delistedAt: null },
    errorFlags: 0,
    warningFlags: 0,
    betterAlternatives: 0,
    delivery: {
      state: 'delivered',
      last: {
        ...{ id: 'p_k5xgq2dlmvzw433bnz2gs3tbme', at: '2026-05-30T10:00:07.000Z', outcome: 'delivered' },
        ...{ amountUsd: '0.010000', httpStatus: 200, bodyBytes: 412, schemaFindings: 0, totalMs: 820 },
        record: 'https://touchstone.example/v1/purchases/p_k5xgq2dlmvzw433bnz2gs3tbme',
      },
      buyers: { delivered30d: 4, failed30d: 0 },
    },
    provider: null,
  },
  optedOutAt: null,
  unknownHost: null,
  signature: {
    ...report.signature,
    value: 'QfUcFINNp_lyxSOAs5nl6VZLw7_-wg2eMoNqw42XPWGEbvyN7fRPviLow8tjlzgmxRtRvLG8U0i8D2A6R6EnCg',
  },
};
