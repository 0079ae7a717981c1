import { z } from 'zod';
import type { PublishedSchemas } from '../shared/json-schema.ts';
import { PAYMENT_VALIDITY_SECONDS } from './challenge.ts';
import { atomicAmount, text } from '../shared/scalars.ts';

/**
 * Schema of an x402 version 2 challenge (section 5.1 of the specification). A paid operation responds with a challenge
 * when a request has no payment or its payment is refused.
 */

const resource = z.looseObject({
  url: text('resource').describe('URL of the operation.'),
  description: text('description').exactOptional().describe('Description of the operation.'),
  mimeType: text('name').exactOptional().describe('Media type of the result.'),
});

const requirements = z.looseObject({
  scheme: z.literal('exact').describe('Payment scheme: exactly the amount is paid.'),
  network: text('address').describe('CAIP-2 id of the network.'),
  amount: atomicAmount.describe('Atomic units of the asset.'),
  asset: text('address').describe('Address of the token, which is USDC.'),
  payTo: text('address').describe('Address that receives the payment.'),
  maxTimeoutSeconds: z.number().min(1).describe('Required validity of the authorization, in seconds.'),
  extra: z
    .record(z.string(), z.unknown())
    .exactOptional()
    .describe('EIP-712 name and version of the token, which the signature needs.'),
});

export const paymentRequiredSchema = z.looseObject({
  x402Version: z.literal(2).describe('Version of the protocol.'),
  error: text('sentence')
    .exactOptional()
    .describe('Reason of the challenge: that a payment is required, or the code of a refusal.'),
  resource: resource.describe('The operation.'),
  accepts: z.array(requirements.describe('One payment option.')).min(1).max(16).describe('Payment options.'),
  extensions: z
    .record(z.string(), z.unknown())
    .exactOptional()
    .describe('Extensions of the protocol, such as `bazaar` with the input and output of the operation.'),
  detail: text('sentence')
    .exactOptional()
    .describe('Reason for the refusal, as a sentence. Present only when the payment was refused.'),
  notCharged: z
    .literal(true)
    .exactOptional()
    .describe('Present after a refused payment when it is certain that the payer was not charged.'),
});

export type PaymentRequired = z.infer<typeof paymentRequiredSchema>;

/** Short example of an x402 challenge. The OpenAPI document has the complete challenge of each operation. */
export const PAYMENT_REQUIRED_EXAMPLE: PaymentRequired = {
  x402Version: 2,
  error: 'Payment required',
  resource: {
    url: 'https://touchstone.example/v1/x402-trust',
    description: 'Trust report on one x402 endpoint.',
    mimeType: 'application/json',
  },
  accepts: [
    {
      scheme: 'exact',
      network: 'eip155:8453',
      amount: '5000',
      asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
      payTo: '0x209693Bc6afc0C5328bA36FaF03C514EF312287C',
      maxTimeoutSeconds: PAYMENT_VALIDITY_SECONDS,
      extra: { name: 'USD Coin', version: '2' },
    },
  ],
};

/** Published schema of a challenge, by name. */
export const PAYMENT_REQUIRED_SCHEMAS = {
  'payment-required': {
    title: 'Payment required',
    description: 'Challenge of a paid operation, by x402 version 2.',
    component: 'PaymentRequired',
    schema: paymentRequiredSchema,
    example: PAYMENT_REQUIRED_EXAMPLE,
  },
} as const satisfies PublishedSchemas;
