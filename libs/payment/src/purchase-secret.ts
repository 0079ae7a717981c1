import { randomBytes } from 'node:crypto';
import type { PaymentRequired } from '@x402/core/types';
import { z } from 'zod';

/** The extension of our challenges that holds a secret of the one who asked. */
const PURCHASE_EXTENSION = 'touchstone-purchase';

const SECRET_BYTES = 16;
const SCHEMA = {
  type: 'object',
  properties: { id: { type: 'string', minLength: 22, maxLength: 128 } },
  required: ['id'],
} as const;
const echoSchema = z.object({ info: z.object({ id: z.string().min(22).max(128) }) });

/**
 * A challenge with 128 random bits of its own, which clients repeat in their payment as they do with every extension
 * (x402 version 2, section 5.1.2). All else that a payment consists of is public once it is settled; by this one its
 * buyer is known again.
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

/** The secret that a payment repeats, and its other extensions; null where it repeats none that can be one. */
export const takePurchaseSecret = (
  extensions: Readonly<Record<string, unknown>>,
): { readonly secret: string | null; readonly others: Record<string, unknown> } => {
  const { [PURCHASE_EXTENSION]: echo, ...others } = extensions;
  const { data } = echoSchema.safeParse(echo);
  return { secret: data?.info.id ?? null, others };
};
