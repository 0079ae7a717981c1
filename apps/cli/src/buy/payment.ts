import { z } from 'zod';

const hex = (digits: number): z.ZodString => z.string().regex(new RegExp(`^0x[0-9a-fA-F]{${digits}}$`));

/** A signed payment as it is kept until it has bought something. */
export const paymentSchema = z.strictObject({
  /** What it was signed for: address and body of the order. */
  url: z.url(),
  body: z.string(),
  /** Value of the PAYMENT-SIGNATURE header. */
  signature: z.string().regex(/^[A-Za-z0-9+/]+={0,2}$/),
  payer: hex(40),
  payTo: hex(40),
  /** Atomic units of USDC. */
  amount: z.string().regex(/^\d{1,78}$/),
  network: z.string(),
  asset: hex(40),
  /** With the payer it names the payment, on the chain as well. */
  nonce: hex(64),
  signedAt: z.iso.datetime(),
  /** Afterwards nobody can settle it any more; what it has bought by then can still be fetched. */
  validBefore: z.iso.datetime(),
});
export type Payment = z.infer<typeof paymentSchema>;

/** The members of a header of the exact scheme on an EVM network (EIP-3009) that a payment is known by. */
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
 * Reads what a PAYMENT-SIGNATURE header that we made authorizes.
 *
 * @param now milliseconds since 1970
 * @throws ZodError when it is none, which would be a fault of the client that made it
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
