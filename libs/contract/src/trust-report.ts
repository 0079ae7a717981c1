import { z } from 'zod';
import { link, points, share, text, time } from './scalars.ts';
import { signatureSchema } from './signature.ts';
import { advertised, compliance, freshness, listing, settlement } from './trust-facts.ts';
import { stats } from './trust-stats.ts';
import * as verdict from './trust-verdict.ts';

export const TRUST_SCHEMA_TYPE = 'x402-trust';
/** Semver of the report's shape: a new field is a minor version, a changed or missing one a major. */
export const TRUST_SCHEMA_VERSION = '1.0.0';

/**
 * The trust report on one endpoint. Moments are ISO 8601 in UTC, US dollars and token amounts decimal strings. What
 * could not be measured is null and never missing.
 */
export const trustReportSchema = z.strictObject({
  $schema: link.describe('Address of the JSON Schema of this report.'),
  schemaVersion: z.literal(TRUST_SCHEMA_VERSION).describe('Semver of that schema.'),
  schemaType: z.literal(TRUST_SCHEMA_TYPE).describe('Tells trust reports from other answers.'),
  resource: text('resource').describe('URL of the endpoint, as it was asked for.'),
  endpointId: text('name').describe('Id of the endpoint in the catalog.'),
  endpointPage: link.describe('The public page of the endpoint.'),
  serviceName: text('name').nullable().describe('Name that the provider gives it. Unverified text.'),
  description: text('description').nullable().describe('What the provider says it does. Unverified text.'),
  generatedAt: time.describe('When this report was made.'),
  freshness: freshness.describe('How recent the observations are.'),
  listing: listing.describe('Whether a directory lists it.'),
  templated: z
    .boolean()
    .describe('Whether the URL has placeholders, which have to be filled in before paying.'),
  score: points.describe('0 to 100, one decimal.'),
  scoreRange: verdict.scoreRange.describe('The lowest and highest score that the observations allow.'),
  grade: verdict.grade.describe(
    'A to F by the score; ? for what is free, unverified or not measured at all.',
  ),
  gradeThresholds: verdict.gradeThresholds.describe('The lowest score of each grade.'),
  recommendation: z.enum(verdict.RECOMMENDATIONS).describe('What a payer is advised to do.'),
  reasons: verdict.reasons.describe('Why, in the order of the rules that decided.'),
  confidence: share.describe('How much the score can be relied on, two decimals.'),
  confidenceDetail: verdict.confidenceDetail.describe('What the confidence is made of.'),
  scoringVersion: z
    .string()
    .max(32)
    .regex(/^[0-9]+\.[0-9]+\.[0-9]+$/)
    .describe('Semver of the formula.'),
  breakdown: verdict.breakdown.describe('Subscore of each component.'),
  components: verdict.components.describe('How each component was computed.'),
  caps: verdict.caps.describe('Rules that limit the score; the lowest limit decides.'),
  flags: verdict.flags.describe('Issues a payer should know of, by slug.'),
  advertised: advertised.nullable().describe('What it asks to be paid; null where nothing is advertised.'),
  settlement: settlement
    .nullable()
    .describe('Who is paid, and what the chain says of it; null where nothing is advertised.'),
  compliance: compliance.nullable().describe('The latest challenge against the protocol; null without one.'),
  stats: stats.describe('The raw figures that the score was computed from.'),
  projection: verdict.projection
    .nullable()
    .describe('The score 30 days on if the state of today holds; null where nothing was measured.'),
  signature: signatureSchema.nullable().describe('Who made this report; null when it is not signed.'),
});

export type TrustReport = z.infer<typeof trustReportSchema>;
