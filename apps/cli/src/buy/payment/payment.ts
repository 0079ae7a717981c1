import { z } from 'zod';

const hex = (digits: number): z.ZodString => z.string().regex(new RegExp(`^0x[0-9a-fA-F]{${digits}}$`));

/** Signed payment in its stored form. It stays on disk until its result was printed. */
export const paymentSchema = z.strictObject({
  /** URL of the operation that the payment buys. */
  url: z.url(),
  /** Request body that the payment is for. */
  body: z.string(),
  /** Value of the PAYMENT-SIGNATURE header. */
  signature: z.string().regex(/^[A-Za-z0-9+/]+={0,2}$/),
  payer: hex(40),
  payTo: hex(40),
  /** Amount in atomic units of USDC. */
  amount: z.string().regex(/^\d{1,78}$/),
  network: z.string(),
  asset: hex(40),
  /** EIP-3009 nonce. Payer and nonce together identify the payment, also on the chain. */
  nonce: hex(64),
  signedAt: z.iso.datetime(),
  /**
   * End of the period in which the payment can be settled. If it was settled in time, its result can also be requested
   * after this period.
   */
  validBefore: z.iso.datetime(),
});
export type Payment = z.infer<typeof paymentSchema>;

/**
 * Decoded PAYMENT-SIGNATURE header for the scheme `exact` on an EVM network (EIP-3009). The schema has only the members
 * from which a `Payment` is created.
 */
const signedSchema = z.object({
  accepted: z.object({ network: z.string(), asset: z.string() }),
  payload: z.object({
    authorization: z.object({
      from: z.string(),
      to: z.string(),
      value: z.string(),
      validBefore: z.coerce.number(),
      nonce: z.string(),
    }),
  }),
});

/**
 * Parses a PAYMENT-SIGNATURE header that the x402 client of this command created.
 *
 * @param now milliseconds since the epoch
 * @throws ZodError for an unexpected header, which would be a defect of the x402 client
 */
export function readPayment(
  order: { readonly url: URL; readonly body: string },
  signature: string,
  now: number,
): Payment {
  const decoded: unknown = JSON.parse(Buffer.from(signature, 'base64').toString('utf8'));
  const { accepted, payload } = signedSchema.parse(decoded);
  const { from, to, value, validBefore, nonce } = payload.authorization;
  return paymentSchema.parse({
    url: order.url.href,
    body: order.body,
    signature,
    payer: from,
    payTo: to,
    amount: value,
    network: accepted.network,
    asset: accepted.asset,
    nonce,
    signedAt: new Date(now).toISOString(),
    validBefore: new Date(validBefore * 1_000).toISOString(),
  });
}
