import { z } from 'zod';
import type { JsonSchema, PublishedSchemas } from '../shared/json-schema.ts';
import { atomicAmount, text } from '../shared/scalars.ts';
import { createShortSchema, type DescribedOperation } from './discovery-extension.ts';
import {
  CHALLENGE_ERROR,
  createChallengeExample,
  OPTION_MEMBERS,
  PAYMENT_REQUIRED_SCHEMAS,
  REFUSAL_MEMBERS,
  type PaymentRequired,
} from './challenge.ts';

/** Name of the network of all examples in x402 version 1. */
export const EXAMPLE_NETWORK_V1 = 'base';

/**
 * Creates the version 1 form of a challenge (x402 version 1, section 5.1). Clients of version 1 read the challenge from
 * the body of the response, and ignore its headers. The authorization that they sign is the same as in version 2.
 *
 * @param challenge version 2 challenge of the operation
 * @param network name of the payment network in version 1
 */
export function createChallengeV1(
  operation: DescribedOperation,
  challenge: Pick<PaymentRequired, 'resource' | 'accepts'>,
  network: string,
): PaymentRequiredV1 {
  const { description } = operation;
  return convertChallenge(challenge, { network, description, outputSchema: createOutputSchema(operation) });
}

/**
 * Converts a version 2 challenge.
 *
 * @param added members that the version 2 challenge does not have in the same form
 */
function convertChallenge(
  { resource, accepts }: Pick<PaymentRequired, 'resource' | 'accepts'>,
  added: Pick<z.infer<typeof requirements>, 'network' | 'description' | 'outputSchema'>,
): PaymentRequiredV1 {
  return {
    x402Version: 1,
    error: CHALLENGE_ERROR,
    accepts: accepts.map(({ scheme, amount, payTo, asset, maxTimeoutSeconds, extra = {} }) => ({
      ...added,
      scheme,
      maxAmountRequired: amount,
      resource: resource.url,
      mimeType: 'application/json',
      payTo,
      maxTimeoutSeconds,
      asset,
      extra: { ...extra },
    })),
  };
}

/**
 * Describes the request and the response of an operation in the format that directories read from version 1 challenges:
 * the fields of the body with their types, and an example of the response.
 */
function createOutputSchema({
  method,
  requestBody,
  response,
  outputExample,
}: DescribedOperation): JsonSchema {
  // The short schema of a body lists its members, by JSON Schema 2020-12.
  const { properties = {}, required = [] } = (
    requestBody === null ? {} : createShortSchema(requestBody.schema)
  ) as { readonly properties?: Readonly<Record<string, JsonSchema>>; readonly required?: readonly string[] };
  const fields = Object.entries(properties).map(
    ([name, schema]) => [name, { ...schema, required: required.includes(name) }] as const,
  );
  const input = { type: 'http', method, discoverable: true, bodyType: 'json' };
  return {
    input: { ...input, bodyFields: Object.fromEntries(fields) },
    output: outputExample ?? response.example,
  };
}

/** Creates an example of a version 1 challenge for a paid operation. */
export function createChallengeExampleV1(operation: DescribedOperation, baseUrl: string): PaymentRequiredV1 {
  return createChallengeV1(operation, createChallengeExample(operation, baseUrl), EXAMPLE_NETWORK_V1);
}

const requirements = z.looseObject({
  network: text('address').describe('Name of the network in version 1, such as `base`.'),
  maxAmountRequired: atomicAmount.describe('Atomic units of the asset.'),
  resource: text('resource').describe('URL of the operation.'),
  description: text('description').describe('Description of the operation.'),
  mimeType: text('name').describe('Media type of the result.'),
  outputSchema: z
    .record(z.string(), z.unknown())
    .exactOptional()
    .describe('Fields of the request, and an example of the response.'),
  ...OPTION_MEMBERS,
});

const paymentRequiredV1Schema = z.looseObject({
  x402Version: z.literal(1).describe('Version of the protocol.'),
  error: text('sentence').describe(
    'Reason of the challenge: that a payment is required, or the code of a refusal.',
  ),
  accepts: z.array(requirements.describe('One payment option.')).min(1).max(16).describe('Payment options.'),
  ...REFUSAL_MEMBERS,
});

/** Body of a response with status 402: a challenge of x402 version 1. */
export type PaymentRequiredV1 = z.infer<typeof paymentRequiredV1Schema>;

/** Published schema of a version 1 challenge, by name. */
export const PAYMENT_REQUIRED_V1_SCHEMAS = {
  'payment-required-v1': {
    title: 'Payment required, version 1',
    description:
      'Challenge of a paid operation, by x402 version 1. On networks that version 1 knows, such as Base, the body of a 402 response contains the challenge.',
    component: 'PaymentRequiredV1',
    schema: paymentRequiredV1Schema,
    example: convertChallenge(PAYMENT_REQUIRED_SCHEMAS['payment-required'].example, {
      network: EXAMPLE_NETWORK_V1,
      description: 'Trust report on one x402 endpoint.',
    }),
  },
} as const satisfies PublishedSchemas;
