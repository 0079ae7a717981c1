import { z } from 'zod';
import { atomicAmount, text } from './scalars.ts';

/**
 * What a paid operation answers without a payment, or to one that was refused: a challenge by version 2 of the x402
 * protocol. Its source is section 5.1 of the x402 version 2 specification.
 */

const resource = z.looseObject({
  url: text('resource').describe('What is sold, which is the address of the operation.'),
  description: text('description').exactOptional().describe('What it does.'),
  mimeType: text('name').exactOptional().describe('Media type of what is answered after payment.'),
});

const requirements = z.looseObject({
  scheme: z.literal('exact').describe('Exactly the amount is paid.'),
  network: text('address').describe('CAIP-2 id of the network.'),
  amount: atomicAmount.describe('Atomic units of the asset.'),
  asset: text('address').describe('Address of the token, which is USDC.'),
  payTo: text('address').describe('The address that is paid.'),
  maxTimeoutSeconds: z.number().min(1).describe('For how long the authorization has to be good.'),
  extra: z
    .record(z.string(), z.unknown())
    .exactOptional()
    .describe('What the signature needs beside: the EIP-712 name and version of the token.'),
});

export const paymentRequiredSchema = z.looseObject({
  x402Version: z.literal(2).describe('Version of the protocol.'),
  error: text('sentence').exactOptional().describe('Why a payment is asked for, or why one was refused.'),
  resource: resource.describe('What is sold.'),
  accepts: z.array(requirements.describe('One way to pay.')).min(1).max(16).describe('The ways to pay.'),
  extensions: z
    .record(z.string(), z.unknown())
    .exactOptional()
    .describe('Extensions of the protocol, among them `bazaar`, which shows input and output.'),
  notCharged: z
    .literal(true)
    .exactOptional()
    .describe('There where a payment was refused: nothing was charged.'),
});

export type PaymentRequired = z.infer<typeof paymentRequiredSchema>;
