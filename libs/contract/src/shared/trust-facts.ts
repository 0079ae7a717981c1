import { z } from 'zod';
import { atomicAmount, count, points, share, slug, text, time, link, usd, grade } from './scalars.ts';
import { CHECK_AXES, FAILURE_PHASES, RECOMMENDATIONS } from './values.ts';

/** Schemas of the parts of a trust report that contain observations. */

const version = z.union([z.literal(1), z.literal(2)]).nullable();
const decimals = z
  .int()
  .min(0)
  .max(77)
  .nullable()
  .describe('Decimals of the token; null for an unknown token.');
const asset = text('address').describe('Address, mint or id of the token, as advertised. Unverified text.');
const network = text('address').describe(
  'CAIP-2 id of the network, or its name as advertised. Unverified text.',
);
const payTo = text('address').describe('Address that receives payments, as advertised. Unverified text.');
const amount = atomicAmount
  .nullable()
  .describe('Amount in atomic units; null when it is not a whole number.');
const amountUsd = usd.nullable().describe('Amount in US dollars; null for an unknown token.');

export const freshness = z.strictObject({
  live: z.boolean().describe('True when the endpoint was probed for this report.'),
  probedAt: time.nullable().describe('Time of the latest probe; null before the first.'),
  ageSeconds: count.nullable().describe('Whole seconds from the latest probe to generatedAt.'),
  liveProbeMs: count.nullable().describe('Duration of the live probe, in milliseconds.'),
  outcome: slug
    .nullable()
    .describe(
      'Outcome of the live probe, such as challenged, free or timeout; self-failure when this service failed. Null without a result.',
    ),
  httpStatus: z
    .int()
    .min(100)
    .max(999)
    .nullable()
    .describe('HTTP status of the live probe; null without one.'),
  detail: text('sentence').describe(
    'Result of the live probe compared with the stored payment terms, or the reason without a live probe.',
  ),
  confirms: z
    .boolean()
    .nullable()
    .describe(
      'True when the live probe received the stored payment terms; false when it received others, or none. Null when no terms were stored, or without a result.',
    ),
});

export const listing = z.strictObject({
  status: z
    .enum(['listed', 'delisted'])
    .describe('listed: a directory lists the endpoint now, or a paid report added it (see source).'),
  source: z
    .enum(['directory', 'adopted'])
    .describe('adopted: a paid report added the endpoint, and no directory has ever listed it.'),
  firstSeen: time.describe('Time when the endpoint was first seen; its age counts from here.'),
  delistedAt: time
    .nullable()
    .describe('Time since which no directory lists the endpoint; null while it is listed.'),
});

export const option = z.strictObject({
  scheme: text('address').describe('Payment scheme, such as exact. Unverified text.'),
  network,
  asset,
  assetSymbol: text('address').nullable().describe('Symbol of the token; null for an unknown token.'),
  decimals,
  amount,
  amountUsd,
  payTo,
  falseUsdc: z
    .boolean()
    .describe('True when the token is named USDC and is not the canonical USDC of its network.'),
});

export const amountRange30d = z.strictObject({
  lowUsd: usd.describe('Lowest price of the last 30 days.'),
  highUsd: usd.describe('Highest price of the last 30 days.'),
});

export const advertised = z.strictObject({
  amount,
  amountUsd,
  asset: asset.nullable().describe('Token of this payment option; null when unknown.'),
  network,
  decimals,
  payTo: payTo.nullable().describe('Address that receives payments, as advertised; null without one.'),
  protocolVersion: version.describe('Protocol version of the payment terms; null when unknown.'),
  networkKnown: z.boolean().describe('True when this service knows the network.'),
  falseUsdc: z
    .boolean()
    .describe('True when the token of an option is named USDC and is not the canonical USDC.'),
  falseUsdcAsset: asset
    .nullable()
    .describe('Token of the first option that is falsely named USDC; null without one.'),
  observedAt: time
    .nullable()
    .describe('Time of the latest challenge with these terms; null when only a directory names them.'),
  amountRange30d: amountRange30d
    .nullable()
    .describe('Price range of the last 30 days; null when no price was seen.'),
  options: z.array(option.describe('One payment option.')).max(100).describe('Every payment option.'),
});

const paidWallet = z.strictObject({
  payTo,
  network,
  volumeUsd30d: usd
    .nullable()
    .describe(
      'US dollars settled to this address in the last 30 days, whether or not they were sent back; null when not read.',
    ),
  settlements30d: count.nullable().describe('Number of settlements to this address in the last 30 days.'),
  payers30d: count
    .nullable()
    .describe('Number of distinct payers of this address, whether or not they got their payments back.'),
  topPayerShare: share
    .nullable()
    .describe('Share of the largest payer in volumeUsd30d; null without payers or when not read.'),
  lastSettledAt: time.nullable().describe('Time of the latest settlement.'),
  throughBlock: count.nullable().describe('Last block of the network that was read.'),
});

const returningWallet = z.strictObject({
  address: text('address').describe('Address of the wallet.'),
  network: text('address').describe('CAIP-2 id of the network.'),
  funded: z
    .boolean()
    .describe('True for a wallet that the advertised addresses funded; false for an advertised address.'),
  returnedUsd30d: usd.describe('US dollars of returnedUsd30d that this wallet sent.'),
});

/**
 * Settled payments of an endpoint: the sums over all its wallets, and the figures of each wallet. The score uses the
 * sums. Readers can verify the figures of each wallet on the chain.
 */
export const settlement = z.strictObject({
  payTo: payTo
    .nullable()
    .describe(
      'Address that receives payments: the first advertised address that could be read, else the first.',
    ),
  network: network.nullable().describe('CAIP-2 id of the network of this address.'),
  volumeUsd30d: usd
    .nullable()
    .describe(
      'US dollars settled in canonical USDC in the last 30 days, to all wallets, that stayed; null when none was read. Transfers between these wallets are excluded from every figure.',
    ),
  returnedUsd30d: usd
    .nullable()
    .describe(
      'US dollars that these wallets, or wallets that they funded, sent to their payers in the last 30 days; per payer at most what it paid. Not part of volumeUsd30d. Null when none was read.',
    ),
  returnedBy: z
    .array(returningWallet.describe('One wallet.'))
    .max(3)
    .describe('Wallets that sent most of returnedUsd30d, at most three; empty when nothing was returned.'),
  settlements30d: count
    .nullable()
    .describe('Number of settlements in the last 30 days, to all these wallets, including returned ones.'),
  payers30d: count
    .nullable()
    .describe(
      'Number of distinct payers in the last 30 days of which something stayed, over all these wallets; null when none was read.',
    ),
  repeatPayers30d: count
    .nullable()
    .describe('Number of these payers that paid on at least two days (UTC); null when none was read.'),
  topPayerShare: share
    .nullable()
    .describe(
      'Share of the largest payer in volumeUsd30d, over all these wallets; null without payers, or when none was read.',
    ),
  lastSettledAt: time.nullable().describe('Time of the latest settlement to any of these wallets.'),
  sharedWith: z
    .array(text('resource').describe('URL of an endpoint.'))
    .max(20)
    .describe(
      'Listed endpoints of other hosts that use one of these addresses, at most 20. Payments to a shared address cannot be assigned to an endpoint. For the same host, see stats.payToSharedOnHost.',
    ),
  throughBlock: count.nullable().describe('Last block of `network` that was read.'),
  partial: z
    .boolean()
    .nullable()
    .describe(
      'True when an advertised option could not be read: an unknown network, a new address, or a token other than canonical USDC. The figures are then lower bounds. Null without figures.',
    ),
  wallets: z
    .array(paidWallet.describe('One address that receives payments.'))
    .max(100)
    .describe('Every advertised address; their volumes add up to volumeUsd30d plus returnedUsd30d.'),
});

const failedCheck = z.strictObject({
  id: slug.describe('Id of the rule.'),
  axis: z
    .enum(CHECK_AXES)
    .describe('Subject of the rule. Only failures on the axes payable and hygiene affect the score.'),
  severity: z.enum(['error', 'warning', 'info']).describe('Severity of the failure.'),
  message: text('sentence').describe('The mistake. It may quote unverified text of the provider.'),
  fix: text('sentence').describe('Correction.'),
  reference: text('sentence').describe('Clause of the specification, with its URL.'),
});

const passedCheck = z.strictObject({
  id: slug.describe('Id of the rule.'),
  axis: z.enum(CHECK_AXES).describe('Subject of the rule.'),
  message: text('sentence').describe('The requirement.'),
  reference: text('sentence').describe('Clause of the specification, with its URL.'),
});

export const compliance = z.strictObject({
  version: version.describe('Protocol version of the latest challenge; null when none was readable.'),
  payable: z
    .boolean()
    .describe(
      'True when a reference client would pay the challenge of observedAt, and the payment would settle. The client may need the settings in stats.latestChallenge.neededSettings. For the present state, see freshness and flags.',
    ),
  observedAt: time.describe('Time of the latest challenge. Every member of compliance describes it.'),
  failed: z.array(failedCheck.describe('One failed rule.')).max(200).describe('Rules that failed.'),
  passed: z.array(slug.describe('Id of the rule.')).max(200).describe('Ids of the rules that passed.'),
  skippedCount: count.describe('Number of rules that do not apply to the challenge.'),
  passedChecks: z
    .array(passedCheck.describe('One passed rule.'))
    .max(200)
    .exactOptional()
    .describe('Passed rules with their requirements; only with detail=full.'),
});

export const lastFailure = z.strictObject({
  at: time.describe('Time of the latest failed probe.'),
  phase: z
    .enum(FAILURE_PHASES)
    .describe('Phase of the request that failed; response when the endpoint sent a response.'),
  httpStatus: z.int().min(100).max(999).nullable().describe('HTTP status; null without a response.'),
  error: slug.describe('Cause, such as http-410, timeout, dns-not-found or tls-certificate-expired.'),
  detail: text('failure').describe('Cause as a sentence, such as "TLS certificate expired on 2026-11-12."'),
  since: time.describe(
    'Time of the first probe in the series of consecutive failed probes that ends at `at`.',
  ),
  causes30d: z
    .record(slug, count)
    .describe('Number of failed probes in the last 30 days, by cause. Only scheduled probes count.'),
});

/** Catalogued endpoint that differs from the requested URL only by its query, or by a filled-in template. */
export const related = z.strictObject({
  resource: text('resource').describe('URL of the related endpoint.'),
  score: points.describe('Score from 0 to 100, one decimal.'),
  grade: grade.describe('Grade by the score.'),
  recommendation: z.enum(RECOMMENDATIONS).describe('Recommendation for a payer.'),
  confidence: share.describe('Amount of evidence behind the score, from 0 to 1, two decimals.'),
  endpointPage: link.describe('URL of the public page of the related endpoint.'),
});
