import { z } from 'zod';
import { atomicAmount, text } from './scalars.ts';

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
