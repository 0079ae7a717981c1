import { randomBytes } from 'node:crypto';
import { createPurchaseExtension, PURCHASE_EXTENSION, PURCHASE_ID_LENGTH } from '@touchstone/contract';
import type { PaymentRequired } from '@x402/core/types';
import { z } from 'zod';

const SECRET_BYTES = 16;
const echoSchema = z.object({
  info: z.object({ id: z.string().min(PURCHASE_ID_LENGTH.min).max(PURCHASE_ID_LENGTH.max) }),
});

/**
 * Adds a secret of 128 random bits to a challenge. Clients repeat the secret in their payment, like every extension
 * (x402 version 2, section 5.1.2). All other parts of a payment are public after its settlement, so only the secret
 * identifies the buyer.
 */
export function withPurchaseSecret(challenge: PaymentRequired): PaymentRequired {
  return {
    ...challenge,
    extensions: {
      ...challenge.extensions,
      ...createPurchaseExtension(randomBytes(SECRET_BYTES).toString('base64url')),
    },
  };
}

/**
 * Returns the secret from the extensions of a payment, and all other extensions. The secret is null if it is missing or
 * malformed.
 */
export function takePurchaseSecret(extensions: Readonly<Record<string, unknown>>): {
  readonly secret: string | null;
  readonly others: Record<string, unknown>;
} {
  const { [PURCHASE_EXTENSION]: echo, ...others } = extensions;
  const { data } = echoSchema.safeParse(echo);
  return { secret: data?.info.id ?? null, others };
}
