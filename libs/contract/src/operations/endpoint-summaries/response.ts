import { z } from 'zod';
import { link, points, share, text, time, usd, grade } from '../../shared/scalars.ts';
import { amountRange30d } from '../../shared/trust-facts.ts';
import { EXAMPLE_NETWORK, RECOMMENDATIONS } from '../../shared/values.ts';
import { payOn } from '../endpoint-summary/response.ts';
import { createSignatureSchema } from '../key-set/operation.ts';
import { TRUST_REPORT_EXAMPLE as report } from '../trust-report/report-schema.ts';

export const SUMMARIES_SCHEMA_TYPE = 'endpoint-summaries';
/** Semver of the schema: a new field is a minor version, a changed or removed field is a major version. */
export const SUMMARIES_SCHEMA_VERSION = '1.0.0';

/** Maximum number of endpoints in a range. A larger range leaves out the hosts with the most endpoints. */
export const MAX_RANGE_ENDPOINTS = 5_000;

const PREFIX_EXPECTATION =
  'must be the first 1 to 3 hexadecimal digits (lower case) of the SHA-256 hash of a host, such as d';

/** Schema of the prefix of a range. */
export const rangePrefixSchema = z
  .string({ error: PREFIX_EXPECTATION })
  .regex(/^[0-9a-f]{1,3}$/, { error: PREFIX_EXPECTATION });

const digest = z
  .string()
  .regex(/^[A-Za-z0-9_-]{16}$/)
  .describe(
    'First 12 bytes of the SHA-256 hash of the network, a space and the payTo address (lower case on EVM networks), as base64url.',
  );

const recipients = z.strictObject({
  network: text('address').describe('CAIP-2 id of the network, or its name as advertised. Unverified text.'),
  varies: z.boolean().describe('As payTo.varies of a summary with a payTo address on this network.'),
  current: z
    .array(
      z
        .strictObject({
          digest,
          changedAt: time.nullable().describe('As payTo.changedAt of a summary with this payTo address.'),
          before: text('address')
            .nullable()
            .describe('As payTo.before of a summary with this payTo address. Unverified text.'),
        })
        .describe('One payTo address.'),
    )
    .describe('payTo addresses of the present payment options.'),
  earlier: z.array(digest).describe('Other payTo addresses that were observed earlier.'),
});

const endpoint = z.strictObject({
  resource: text('resource').describe('Canonical URL of the endpoint.'),
  endpointId: text('name').describe('Id of the endpoint. Its page is /endpoint/{id}.'),
  templated: z.boolean().describe('True when the URL has placeholders.'),
  listing: z
    .enum(['directory', 'adopted'])
    .nullable()
    .describe(
      'What added the endpoint: a directory, or only a paid report. Null when the endpoint describes no URL but its own.',
    ),
  score: points.describe('Score from 0 to 100, one decimal.'),
  grade: grade.describe('Grade by the score, A to F; ? when ungraded.'),
  recommendation: z.enum(RECOMMENDATIONS).describe('Recommendation for a payer.'),
  confidence: share.describe('Amount of evidence behind the score, from 0 to 1, two decimals.'),
  lastProbedAt: time.nullable().describe('Time of the latest probe; null before the first.'),
  amountUsd: usd.nullable().describe('Advertised price in US dollars; null when none is advertised.'),
  priceRange30d: amountRange30d
    .nullable()
    .describe('Price range of the last 30 days; null when no price was seen.'),
  payOn: z
    .array(
      payOn.pick({ network: true, asset: true, decimals: true, canonicalUsdc: true }).describe('One token.'),
    )
    .max(100)
    .describe('Every token of the present payment options.'),
  recipients: z.array(recipients.describe('One network.')).describe('Observed payTo addresses.'),
});

const hostHash = z
  .string()
  .regex(/^[0-9a-f]{64}$/)
  .describe('SHA-256 hash of the host, in hexadecimal digits.');

const optOut = z.strictObject({
  hostHash,
  optedOutAt: time.describe('Time at which the provider opted out of probing and listing.'),
});

/** Schema of the summaries of all endpoints in a range of hosts, with the values by which a client judges a payment. */
export const endpointSummariesSchema = z.strictObject({
  $schema: link.describe('URL of the JSON Schema of these summaries.'),
  schemaVersion: z.literal(SUMMARIES_SCHEMA_VERSION).describe('Semver of the schema.'),
  schemaType: z.literal(SUMMARIES_SCHEMA_TYPE).describe('Discriminator of the summaries of a range.'),
  generatedAt: time.describe('Time of these summaries.'),
  prefix: rangePrefixSchema.describe('Prefix of the range, as in the request.'),
  endpoints: z
    .array(endpoint.describe('One endpoint.'))
    .max(MAX_RANGE_ENDPOINTS)
    .describe(
      'All endpoints of the hosts in the range, except for `omittedHosts`. Of several endpoints that describe a URL, one from a directory precedes, then one with the same path, then the first in this order.',
    ),
  omittedHosts: z
    .array(hostHash)
    .describe(
      'Hosts whose endpoints are left out, because the range has more than 5,000 endpoints: the hosts with the most endpoints. Use a longer prefix, or look up their endpoints by URL.',
    ),
  optOuts: z
    .array(optOut.describe('One host.'))
    .describe('Hosts in the range whose providers opted out of probing and listing.'),
  signature: createSignatureSchema('summary')
    .nullable()
    .describe('Signature of this service; null for unsigned summaries.'),
});

export type EndpointSummaries = z.infer<typeof endpointSummariesSchema>;

/** Example of the summaries of a range with one endpoint, signed with the published test key. */
export const ENDPOINT_SUMMARIES_EXAMPLE: EndpointSummaries = {
  $schema: 'https://touchstone.example/schemas/endpoint-summaries/1.0.0.json',
  schemaVersion: '1.0.0',
  schemaType: 'endpoint-summaries',
  generatedAt: report.generatedAt,
  prefix: 'd',
  endpoints: [
    {
      resource: report.resource,
      endpointId: report.endpointId,
      templated: false,
      listing: 'directory',
      score: report.score,
      grade: 'A',
      recommendation: 'proceed',
      confidence: report.confidence,
      lastProbedAt: '2026-06-01T00:00:00.000Z',
      amountUsd: '0.010000',
      priceRange30d: { lowUsd: '0.010000', highUsd: '0.020000' },
      payOn: report.advertised.options.map(({ network, asset, decimals, falseUsdc }) => ({
        ...{ network, asset, decimals, canonicalUsdc: !falseUsdc },
      })),
      recipients: [
        {
          network: EXAMPLE_NETWORK,
          varies: false,
          current: [{ digest: 'EZX2uETrUZQx3QWd', changedAt: null, before: null }],
          earlier: [],
        },
      ],
    },
  ],
  omittedHosts: [],
  optOuts: [],
  signature: {
    ...report.signature,
    value: 'Aeq6aWGUpy4zvi8Ia_YIdQ-JDPpfYIagB4Fz0_g5ag32i-_TnKNhDSoeltRwcRE-Eyj1QS2TEGofcfJ8DbV2Dw',
  },
};
