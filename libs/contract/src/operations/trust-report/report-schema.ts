import { z } from 'zod';
import { grade, link, points, share, slug, text, time } from '../../shared/scalars.ts';
import { delivery } from '../../shared/delivery-facts.ts';
import {
  advertised,
  compliance,
  freshness,
  lastFailure,
  listing,
  related,
  settlement,
} from '../../shared/trust-facts.ts';
import { FLAG_SEVERITIES, RECOMMENDATIONS, type Component } from '../../shared/values.ts';
import { signatureSchema } from '../key-set/operation.ts';
import example from './example.json' with { type: 'json' };
import { stats } from './report-stats.ts';

export const TRUST_SCHEMA_TYPE = 'x402-trust';
/** Semver of the schema: a new field is a minor version, a changed or removed field is a major version. */
export const TRUST_SCHEMA_VERSION = '1.0.0';

// Schemas of the computed parts of a report. Readers can compute these parts again from the rest of the report.

/** One named value that explains a score component or a flag. Times are ISO 8601. */
const figure = z.union([z.string().max(256), z.number()]).nullable();
const figures = z.record(
  z
    .string()
    .max(64)
    .regex(/^[A-Za-z][A-Za-z0-9]*$/),
  figure,
);

const scoreRange = z.strictObject({
  low: points.describe(
    'Score with uptime and compliance at their lower 95 % bound, and unmeasured components at 0.',
  ),
  point: points.describe('Score.'),
  high: points.describe(
    'Score with uptime and compliance at their upper 95 % bound, and unmeasured components at 1.',
  ),
});

const threshold = points.describe('Lowest score of this grade.');
const gradeThresholds = z.strictObject({
  A: threshold,
  B: threshold,
  C: threshold,
  D: threshold,
  F: threshold,
});

const confidenceDetail = z.strictObject({
  overall: share.describe('observation × (0.8 + 0.2 · economic), two decimals.'),
  observation: share.describe('1 − e^(−scored probes / 240), two decimals.'),
  economic: share
    .nullable()
    .describe(
      'Share of the advertised networks whose chain was read in the last day; null when none is advertised, which counts as 0.',
    ),
});

function createComponentObject<T extends z.ZodType>(
  schema: T,
): z.ZodObject<Record<Component, T>, z.core.$strict> {
  return z.strictObject({
    uptime: schema,
    compliance: schema,
    stability: schema,
    activity: schema,
    age: schema,
    latency: schema,
  });
}

const breakdown = createComponentObject(
  points.nullable().describe('Subscore from 0 to 100, one decimal; null when not measured.'),
);

const components = createComponentObject(
  z
    .strictObject({
      value: share.nullable().describe('Value from 0 to 1; null when not measured.'),
      weight: z.number().min(0).describe('Weight of the component; the six weights add up to 100.'),
      points: points.describe(
        'Points that the component adds to the score before caps; 0 when not measured.',
      ),
      inputs: figures.describe('Figures of the computation by name; null when not measured.'),
      explanation: text('sentence').describe('Sentence on the measurement, or on why there is none.'),
    })
    .describe('One component of the score.'),
);

const cap = z.strictObject({
  rule: slug.describe('Name of the rule.'),
  limit: points.describe('Maximum score.'),
  explanation: text('sentence').describe('Reason why the rule applies.'),
});
const caps = z.array(cap.describe('A rule that limits the score.')).max(32);

const flag = z.strictObject({
  severity: z.enum(FLAG_SEVERITIES).describe('error: do not pay; warning: check before you pay.'),
  message: text('sentence').describe('Sentence for payers.'),
  evidence: figures.describe(
    'Figures that raised the flag, by name. Strings are unverified text of the provider.',
  ),
  since: time.nullable().describe('Start of the issue; null when unknown.'),
});
const flags = z.record(slug, flag.describe('One issue.'));
const flagsDetailed = z
  .array(
    z
      .strictObject({
        code: slug.describe('Slug, as in flags.'),
        ...flag.pick({ severity: true, message: true }).shape,
      })
      .describe('One issue.'),
  )
  .max(64);

const reasons = z.array(text('sentence').describe('One sentence.')).max(64);

const projection = z.strictObject({
  at: time.describe('Time of the projection, 30 days after the score.'),
  score: points.describe('Projected score.'),
  grade: grade.describe('Projected grade.'),
});

/**
 * Schema of the trust report on one endpoint. Times are ISO 8601 in UTC. US dollars and token amounts are decimal
 * strings. A value that was not measured is null; its field is always present.
 */
export const trustReportSchema = z.strictObject({
  $schema: link.describe('URL of the JSON Schema of this report.'),
  schemaVersion: z.literal(TRUST_SCHEMA_VERSION).describe('Semver of the schema.'),
  schemaType: z.literal(TRUST_SCHEMA_TYPE).describe('Discriminator of trust reports.'),
  resource: text('resource').describe('URL of the endpoint, as in the request.'),
  endpointId: text('name').describe('Id of the endpoint in the catalog.'),
  endpointPage: link.describe('URL of the public page of the endpoint.'),
  serviceName: text('name').nullable().describe('Name from the provider. Unverified text.'),
  description: text('description').nullable().describe('Description from the provider. Unverified text.'),
  generatedAt: time.describe('Time of this report.'),
  freshness: freshness.describe('Live probe, and age of the observations.'),
  listing: listing.describe('Listing in directories.'),
  templated: z
    .boolean()
    .describe('True when the URL has placeholders, which must be replaced before paying.'),
  score: points.describe('Score from 0 to 100, one decimal.'),
  scoreRange: scoreRange.describe('Lowest and highest score that the observations allow.'),
  grade: grade.describe('Grade by the score, A to F; ? when free, unverified or not measured.'),
  gradeThresholds: gradeThresholds.describe('Lowest score of each grade.'),
  recommendation: z.enum(RECOMMENDATIONS).describe('Recommendation for a payer.'),
  reasons: reasons.describe('Reasons of the recommendation, in the order of its rules.'),
  confidence: share.describe('Amount of evidence behind the score, from 0 to 1, two decimals.'),
  confidenceDetail: confidenceDetail.describe('Parts of the confidence.'),
  scoringVersion: z
    .string()
    .max(32)
    .regex(/^[0-9]+\.[0-9]+\.[0-9]+$/)
    .describe('Semver of the scoring formula.'),
  breakdown: breakdown.describe('Subscore of each component.'),
  components: components.describe('Computation of each component.'),
  caps: caps.describe('Rules that limit the score. The lowest limit applies.'),
  flags: flags.describe('Issues for payers, by slug.'),
  flagsDetailed: flagsDetailed.describe('The same issues as in flags, as a list in the same order.'),
  lastFailure: lastFailure
    .nullable()
    .describe('Latest failed probe and its cause; null when no probe failed in the last 30 days.'),
  advertised: advertised.nullable().describe('Advertised payment terms; null when none are advertised.'),
  settlement: settlement
    .nullable()
    .describe('Wallet and its settlements on chain; null when no payment terms are advertised.'),
  compliance: compliance
    .nullable()
    .describe('Compliance of the latest challenge with the protocol; null without a checked challenge.'),
  delivery: delivery
    .nullable()
    .describe(
      'What the endpoint returned for money. It raises flags and is no part of the score. Null without test purchases and without outcomes of buyers in the last 30 days.',
    ),
  stats: stats.describe('Raw figures of the score.'),
  projection: projection
    .nullable()
    .describe('Score in 30 days if the last 24 hours repeat; null without a scored probe in these hours.'),
  related: related
    .nullable()
    .describe(
      'Endpoint of the catalog that differs from this URL only by its query or by a filled-in template; null without one.',
    ),
  signature: signatureSchema.nullable().describe('Signature of this service; null for an unsigned report.'),
});

export type TrustReport = z.infer<typeof trustReportSchema>;

/**
 * Example of a trust report, signed with a published test key. A test in libs/trust verifies the signature and computes
 * the score again.
 */
// TypeScript reads the fixed values of a JSON file as `string`. The tests parse the example with the schema.
export const TRUST_REPORT_EXAMPLE = example as unknown as ExampleReport;

/** Trust report whose payment terms and signature are not null. */
type ExampleReport = TrustReport & {
  readonly [Member in 'advertised' | 'signature']: NonNullable<TrustReport[Member]>;
};
