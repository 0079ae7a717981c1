import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { DAY_MS } from '@touchstone/common';
import { z } from 'zod';
import { CliError, toMessage } from '../command-tools.ts';
import { readStateFiles, writeStateFile } from '../state-files.ts';
import { hashOrder, type Order } from './order.ts';

const hex = (digits: number): z.ZodString => z.string().regex(new RegExp(`^0x[0-9a-fA-F]{${digits}}$`));

/** Signed payment in its stored form. A payment stays on disk until its result was printed. */
const paymentSchema = z.strictObject({
  /** URL of the operation that the payment buys. */
  url: z.url(),
  /** Body of the request that contains the payment. */
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
   * End of the period in which the payment can be settled. The result of a settled payment can also be requested after
   * this period.
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
export function readPayment(order: Pick<Order, 'url' | 'body'>, signature: string, now: number): Payment {
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

/**
 * Time after which a stored payment is deleted, in milliseconds. The service keeps a bought result for the same time.
 */
export const MAX_STORED_MS = DAY_MS;

/** Signed payments that are stored because their results were not received yet. */
export interface StoredPayments {
  /**
   * Stores a payment. Call `store` before the payment is sent.
   *
   * @throws CliError when the payment cannot be stored; such a payment must not be sent
   */
  readonly store: (payment: Payment) => void;
  readonly remove: (payment: Payment) => void;
  readonly getFile: (payment: Payment) => string;
  /** Returns the latest stored payment for an order, or null. Deletes expired payments for the same order. */
  readonly find: (order: Order) => Payment | null;
}

/**
 * Opens the payments that are stored in a folder, one file for each payment. Only the owner can read the files, because
 * anyone who has a signed payment can settle the payment. The money always goes to the receiver that the payer signed.
 *
 * @param now returns milliseconds since the epoch
 */
export function openStoredPayments(folder: string, now: () => number): StoredPayments {
  const paymentFolder = join(folder, 'payments');
  const getFile = (payment: Payment): string =>
    join(
      paymentFolder,
      `${hashOrder({ url: new URL(payment.url), body: payment.body })}-${payment.nonce.slice(2)}.json`,
    );
  const remove = (payment: Payment): void => rmSync(getFile(payment), { force: true });
  return {
    remove,
    getFile,
    store: (payment) => {
      try {
        writeStateFile(getFile(payment), payment);
      } catch (cause) {
        throw new CliError(
          `The payment could not be stored, so it was not sent and nothing was charged: ${toMessage(cause)}`,
          { cause },
        );
      }
    },
    find: (order) => {
      // A damaged file is ignored: its payment was never sent, because a payment is stored completely before it is sent.
      const prefix = `${hashOrder(order)}-`;
      const stored = readStateFiles(paymentFolder, prefix, paymentSchema);
      const isExpired = ({ signedAt }: Payment): boolean => now() - Date.parse(signedAt) > MAX_STORED_MS;
      for (const payment of stored.filter(isExpired)) remove(payment);
      const [latest] = stored
        .filter((payment) => !isExpired(payment))
        .toSorted((a, b) => b.signedAt.localeCompare(a.signedAt));
      return latest ?? null;
    },
  };
}
