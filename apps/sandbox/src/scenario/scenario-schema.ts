import { readFileSync } from 'node:fs';
import { z } from 'zod';
import type { Json } from '../parsing.ts';

const slug = z.string().regex(/^[a-z0-9]+(-[a-z0-9]+)*$/);
const dollars = z.string().regex(/^\d+(\.\d{1,6})?$/);
const milliseconds = z.number().int().min(0).max(60_000);
const latency = z.tuple([milliseconds, milliseconds]).refine(([min, max]) => min <= max, 'minimum first');
const json: z.ZodType<Json> = z.json();

/** A token on a network. Solana tokens have no EIP-712 domain. */
const tokenSchema = z.strictObject({
  network: z.string().regex(/^[a-z0-9-]{3,}:[A-Za-z0-9-]+$/),
  v1Network: z.string().min(1).optional(),
  asset: z.string().min(1),
  decimals: z.number().int().min(0).max(18),
  domain: z.strictObject({ name: z.string(), version: z.string() }).optional(),
});

const behaviourSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('healthy') }),
  z.strictObject({ kind: z.literal('slow'), latencyMs: latency }),
  z.strictObject({
    kind: z.literal('flaky'),
    rate: z.number().min(0).max(1),
    failure: z.enum(['server-error', 'reset', 'mixed']),
  }),
  z.strictObject({ kind: z.literal('dead') }),
  z.strictObject({ kind: z.literal('hanging') }),
  z.strictObject({ kind: z.literal('dns-gone') }),
  z.strictObject({
    kind: z.literal('bad-certificate'),
    fault: z.enum(['expired', 'wrong-host', 'self-signed']),
  }),
  z.strictObject({ kind: z.literal('server-error'), status: z.number().int().min(500).max(599) }),
  z.strictObject({ kind: z.literal('gone'), status: z.literal([404, 410]) }),
  z.strictObject({
    kind: z.literal('malformed'),
    fault: z.enum(['bad-base64', 'base64url', 'truncated-json', 'html-402']),
  }),
  z.strictObject({
    kind: z.literal('missing-field'),
    fault: z.enum([
      'no-pay-to',
      'no-amount',
      'amount-number',
      'no-mime-type',
      'no-extra',
      'no-accepts',
      'no-resource',
    ]),
  }),
  z.strictObject({ kind: z.literal('fake-usdc') }),
  z.strictObject({ kind: z.literal('wrong-domain'), name: z.string().min(1) }),
  z.strictObject({ kind: z.literal('upto') }),
  z.strictObject({ kind: z.literal('free') }),
  z.strictObject({ kind: z.literal('blocked'), by: z.enum(['bot-page', 'rate-limit']) }),
  z.strictObject({ kind: z.literal('oversized-header') }),
  z.strictObject({ kind: z.literal('slow-drip'), durationMs: milliseconds }),
  z.strictObject({ kind: z.literal('redirect'), location: z.url() }),
  z.strictObject({ kind: z.literal('body-only') }),
  z.strictObject({ kind: z.literal('renamed-header') }),
]);

/**
 * Reactions of an endpoint to a valid payment. All reactions except `refused` and `unsettled` settle the payment.
 *
 * - `delivered`: status 200 with the output
 * - `pay-again`: the challenge again
 * - `server-error`: status 502
 * - `empty-body`: status 200 without a body
 * - `other-schema`: status 200 with a body that violates the declared output schema
 * - `late`: the output after 30 seconds
 * - `settled-twice`: settles a second time, which fails, then sends the output with the receipt of the failure
 * - `testers-only`: the output for payers that test endpoints, status 502 for all other payers
 * - `refused`: status 400 without settlement
 * - `unsettled`: the output without settlement
 */
const fulfilment = z.enum([
  'delivered',
  'pay-again',
  'server-error',
  'empty-body',
  'other-schema',
  'late',
  'settled-twice',
  'testers-only',
  'refused',
  'unsettled',
]);

/** Properties of an endpoint that can change when a phase of the scenario begins. */
const phaseProperties = {
  behaviour: behaviourSchema,
  description: z.string().max(500),
  priceUsd: dollars,
  wallet: slug,
  /**
   * Names of the accepted tokens. The price is the same for all tokens. With an empty list, no payment is requested.
   */
  tokens: z.array(z.string()),
  listed: z.boolean(),
};

/** Number of wallets that buy from an endpoint, and the mean number of calls per day of all these wallets together. */
const buyers = z.strictObject({
  wallets: z.number().int().min(1).max(40),
  callsPerDay: z.number().min(0).max(500),
});

const phaseSchema = z
  .strictObject(phaseProperties)
  .partial()
  .extend({ fromDay: z.number().min(0) });

const endpointSchema = z.strictObject({
  name: slug,
  url: z.string().regex(/^https:\/\/[a-z0-9-]+\.sandbox\.test\/[^\s?#]*$/),
  /** Name of the situation that the endpoint demonstrates, such as `price-spike`. */
  story: slug,
  service: z.string().min(1).max(32),
  tags: z.array(z.string().min(1).max(32)).max(5),
  method: z.enum(['GET', 'POST']).default('GET'),
  protocol: z.enum(['v1', 'v2', 'dual']).default('v2'),
  /** True when the challenge and the listing declare method, input and output (bazaar extension). */
  discovery: z.boolean().default(true),
  latencyMs: latency,
  mimeType: z.string().default('application/json'),
  timeoutSeconds: z.number().int().positive().default(60),
  /** Example query parameters, or the example body of a POST request. */
  input: z.record(z.string(), json).default({}),
  /** Example values of the path's template parameters. */
  path: z.record(z.string(), z.string()).default({}),
  output: z.record(z.string(), json).default({}),
  /** Maximum price of an item, as a multiple of `priceUsd`, for an endpoint with a path template. */
  priceSpread: z.number().min(1).max(100).default(1),
  fulfilment: fulfilment.default('delivered'),
  /** Customers. They pay on the chain while the endpoint accepts the sandbox's USDC and sends a valid challenge. */
  customers: buyers.optional(),
  /** Wash trading: wallets of the seller buy from the endpoint, and the seller refunds them at the end of each day. */
  washTrading: buyers.optional(),
  /** Self-payments: the payTo wallet pays itself this many times a day, as long as its balance is sufficient. */
  selfPayments: buyers.pick({ callsPerDay: true }).optional(),
  ...phaseProperties,
  behaviour: phaseProperties.behaviour.default({ kind: 'healthy' }),
  tokens: phaseProperties.tokens.default(['usdc-base']),
  listed: phaseProperties.listed.default(true),
  phases: z.array(phaseSchema).default([]),
});

const scenarioSchema = z.strictObject({
  tokens: z.record(z.string(), tokenSchema),
  endpoints: z.array(endpointSchema).min(1),
});

export type Buyers = z.infer<typeof buyers>;
export type Token = z.infer<typeof tokenSchema>;
export type Behaviour = z.infer<typeof behaviourSchema>;
export type BehaviourKind = Behaviour['kind'];
export type EndpointDefinition = z.infer<typeof endpointSchema>;
export type Phase = z.infer<typeof phaseSchema>;
export type Scenario = z.infer<typeof scenarioSchema>;

export function loadScenario(): Scenario {
  const text = readFileSync(new URL('../../scenario.json', import.meta.url), 'utf8');
  return scenarioSchema.parse(JSON.parse(text));
}
