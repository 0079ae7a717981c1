import { z } from 'zod';
import { grade, link, points, share, text, time } from '../../shared/scalars.ts';
import { signatureSchema } from '../../shared/signature.ts';
import {
  advertised,
  compliance,
  freshness,
  lastFailure,
  listing,
  related,
  settlement,
} from '../../shared/trust-facts.ts';
import { stats } from './report-stats.ts';
import { RECOMMENDATIONS } from '../../shared/values.ts';
import * as verdict from './report-verdict.ts';

export const TRUST_SCHEMA_TYPE = 'x402-trust';
/**
 * Semantic version of the report schema. A new field is a minor version; a changed or removed field is a major version.
 */
export const TRUST_SCHEMA_VERSION = '1.0.0';

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
  freshness: freshness.describe('Age of the observations.'),
  listing: listing.describe('Listing in directories.'),
  templated: z
    .boolean()
    .describe('True when the URL has placeholders, which must be replaced before paying.'),
  score: points.describe('Score from 0 to 100, one decimal.'),
  scoreRange: verdict.scoreRange.describe('Lowest and highest score that the observations allow.'),
  grade: grade.describe('Grade by the score, A to F; ? when free, unverified or not measured.'),
  gradeThresholds: verdict.gradeThresholds.describe('Lowest score of each grade.'),
  recommendation: z.enum(RECOMMENDATIONS).describe('Recommendation for a payer.'),
  reasons: verdict.reasons.describe('Reasons of the recommendation, in the order of its rules.'),
  confidence: share.describe('Reliability of the score from 0 to 1, two decimals.'),
  confidenceDetail: verdict.confidenceDetail.describe('Parts of the confidence.'),
  scoringVersion: z
    .string()
    .max(32)
    .regex(/^[0-9]+\.[0-9]+\.[0-9]+$/)
    .describe('Semver of the scoring formula.'),
  breakdown: verdict.breakdown.describe('Subscore of each component.'),
  components: verdict.components.describe('Computation of each component.'),
  caps: verdict.caps.describe('Rules that limit the score. The lowest limit applies.'),
  flags: verdict.flags.describe('Issues for payers, by slug.'),
  lastFailure: lastFailure
    .nullable()
    .describe('Latest failed probe and its cause; null when no probe failed in the last 30 days.'),
  advertised: advertised.nullable().describe('Advertised payment terms; null when none are advertised.'),
  settlement: settlement
    .nullable()
    .describe('Wallet and its settlements on chain; null when no payment terms are advertised.'),
  compliance: compliance
    .nullable()
    .describe('Compliance of the latest challenge with the protocol; null without a challenge.'),
  stats: stats.describe('Raw figures of the score.'),
  projection: verdict.projection
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
