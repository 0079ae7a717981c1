import { randomBytes } from 'node:crypto';
import type { PaymentRequired } from '@x402/core/types';
import { z } from 'zod';

/** Name of the challenge extension with the secret that identifies a buyer. */
const PURCHASE_EXTENSION = 'touchstone-purchase';

const SECRET_BYTES = 16;
const SCHEMA = {
  type: 'object',
  properties: { id: { type: 'string', minLength: 22, maxLength: 128 } },
  required: ['id'],
} as const;
const echoSchema = z.object({ info: z.object({ id: z.string().min(22).max(128) }) });

/**
 * Adds a secret of 128 random bits to a challenge. Clients repeat the secret in their payment, like every extension
 * (x402 version 2, section 5.1.2). All other parts of a payment are public after its settlement, so only the secret
 * identifies the buyer.
 */
export const withPurchaseSecret = (challenge: PaymentRequired): PaymentRequired => ({
  ...challenge,
  extensions: {
    ...challenge.extensions,
    [PURCHASE_EXTENSION]: {
      info: { id: randomBytes(SECRET_BYTES).toString('base64url') },
      schema: SCHEMA,
    },
  },
});

/**
 * Returns the secret from the extensions of a payment, and all other extensions. The secret is null if it is missing or
 * malformed.
 */
export const takePurchaseSecret = (
  extensions: Readonly<Record<string, unknown>>,
): { readonly secret: string | null; readonly others: Record<string, unknown> } => {
  const { [PURCHASE_EXTENSION]: echo, ...others } = extensions;
  const { data } = echoSchema.safeParse(echo);
  return { secret: data?.info.id ?? null, others };
};
