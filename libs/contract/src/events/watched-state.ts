import { z } from 'zod';
import { atomicAmount, count, slug, text, time, usd } from '../shared/scalars.ts';
import { COMPLIANCE_RESULTS } from '../shared/values.ts';
import { MAX_EVENT_OPTIONS } from '../shared/watch-constants.ts';

const option = z.strictObject({
  scheme: text('address').describe('Payment scheme, such as exact.'),
  network: text('address').describe('CAIP-2 id of the network, or its name as advertised.'),
  asset: text('address').describe('Address, mint or id of the token, as advertised.'),
  asset_symbol: text('address').nullable().describe('Symbol of the token; null for an unknown token.'),
  decimals: z.int().min(0).max(77).nullable().describe('Decimals of the token; null for an unknown token.'),
  amount: atomicAmount.nullable().describe('Amount in atomic units; null when it is not a whole number.'),
  amount_usd: usd.nullable().describe('Amount in US dollars; null for an unknown token.'),
  pay_to: text('address').describe('Address that receives payments, as advertised.'),
});

const terms = z.strictObject({
  protocol_version: z
    .union([z.literal(1), z.literal(2)])
    .nullable()
    .describe('x402 version of the payment terms; null when unknown.'),
  options: z
    .array(option.describe('One payment option.'))
    .max(MAX_EVENT_OPTIONS)
    .describe('Payment options, at most 20. The options that differ come first.'),
});

const compliance = z.strictObject({
  compliance: z
    .enum(COMPLIANCE_RESULTS)
    .describe('Compliance of the challenge with the specification, best first.'),
});

const listing = z.strictObject({
  listing_status: z.enum(['listed', 'delisted']).describe('Status in the directories.'),
});

const liveness = z.strictObject({
  liveness: z.enum(['up', 'down']).describe('State of the endpoint.'),
  down_since: time.exactOptional().describe('Time of the first missed probe.'),
  missed_probes: count.exactOptional().describe('Number of consecutive missed probes.'),
  outcome: slug.exactOptional().describe('Outcome of the latest missed probe, such as timeout.'),
  http_status: z
    .int()
    .min(100)
    .max(999)
    .nullable()
    .exactOptional()
    .describe('HTTP status of the latest missed probe; null without a response.'),
});

/** Schema of the state of an endpoint before or after an alert. */
export const watchedStateSchema = z.union([terms, compliance, listing, liveness]).nullable();

/** State of an endpoint before or after an alert; null when it is unknown. */
export type WatchedState = z.infer<typeof watchedStateSchema>;
