import { z } from 'zod';
import type { PublishedSchemas } from '../../shared/json-schema.ts';
import { EXAMPLE_ASSET, EXAMPLE_NETWORK } from '../../shared/values.ts';
import { createPayload, DATABASE, FREE_GET, type Operation, type Parameter } from '../operation-model.ts';
import { PAYMENT_STATUS_EXAMPLE, paymentStatusSchema } from './response.ts';

/** Maximum age of the start of a search, in days. */
export const MAX_SEARCH_DAYS = 7;
/** Duration of a search without `since`, in hours. */
export const DEFAULT_SEARCH_HOURS = 24;

const NETWORK_EXPECTATION = `must be the CAIP-2 id of an EVM network or of Solana, such as ${EXAMPLE_NETWORK} for Base`;
const ADDRESS_EXPECTATION = 'must be an address of 0x and 40 hexadecimal digits, or an address of Solana';
const TRANSACTION_EXPECTATION =
  'must be a transaction hash of 0x and 64 hexadecimal digits, or a signature of Solana';
const NONCE_EXPECTATION =
  'must be the nonce that was signed: 0x and 64 hexadecimal digits (EIP-3009), or a decimal number of at most 256 bits (Permit2)';
const SECONDS_EXPECTATION =
  'must be the end of the authorization in Unix seconds, such as 1780272300: validBefore (EIP-3009) or deadline (Permit2). Leave it out if it has more than 10 digits';
const SINCE_EXPECTATION = 'must be an ISO 8601 time in UTC, such as 2026-06-01T00:00:00.000Z';

const NO_NONCE = 'must be left out on Solana, where payments have no nonce: name the `transaction`';

const address = z
  .string({ error: ADDRESS_EXPECTATION })
  .regex(/^(0x[0-9a-fA-F]{40}|[1-9A-HJ-NP-Za-km-z]{32,44})$/, { error: ADDRESS_EXPECTATION });

const paymentStatusQuerySchema = z
  .object({
    network: z
      .string({ error: NETWORK_EXPECTATION })
      .regex(/^(eip155:[1-9][0-9]{0,19}|solana:[1-9A-HJ-NP-Za-km-z]{32})$/, { error: NETWORK_EXPECTATION }),
    transaction: z
      .string({ error: TRANSACTION_EXPECTATION })
      .regex(/^(0x[0-9a-fA-F]{64}|[1-9A-HJ-NP-Za-km-z]{80,90})$/, { error: TRANSACTION_EXPECTATION })
      .exactOptional(),
    payer: address.exactOptional(),
    nonce: z
      .string({ error: NONCE_EXPECTATION })
      .regex(/^(0x[0-9a-fA-F]{64}|[0-9]{1,78})$/, { error: NONCE_EXPECTATION })
      .refine((nonce) => nonce.startsWith('0x') || BigInt(nonce) < 2n ** 256n, { error: NONCE_EXPECTATION })
      .exactOptional(),
    valid_before: z
      .string({ error: SECONDS_EXPECTATION })
      .regex(/^[0-9]{1,10}$/, { error: SECONDS_EXPECTATION })
      .exactOptional(),
    since: z.iso.datetime({ error: SINCE_EXPECTATION }).exactOptional(),
    asset: address.exactOptional(),
  })
  .refine(({ transaction, nonce }) => (transaction === undefined) !== (nonce === undefined), {
    path: ['transaction'],
    error: 'must be the transaction of the payment, without `nonce`: give exactly one of them',
  })
  .superRefine(({ network, nonce, ...values }, context) => {
    const isEvm = network.startsWith('eip155:');
    for (const name of ['transaction', 'payer', 'asset'] as const)
      if (values[name] !== undefined && values[name].startsWith('0x') !== isEvm)
        context.addIssue({ code: 'custom', path: [name], message: `must be in the format of ${network}` });
    if (nonce !== undefined && !isEvm)
      context.addIssue({ code: 'custom', path: ['nonce'], message: NO_NONCE });
  })
  .refine(({ payer, nonce }) => nonce === undefined || payer !== undefined, {
    path: ['payer'],
    error: 'must be the wallet that signed the payment, because a nonce is unique only for one payer',
  })
  .refine(({ asset, nonce }) => nonce === undefined || asset !== undefined, {
    path: ['asset'],
    error:
      'must be the token of the payment (`asset` of its payment requirements), because each token has its own nonces: a nonce that was used in one token is unused in another',
  })
  .refine(
    ({ nonce, valid_before: validBefore, since }) =>
      nonce !== undefined || (validBefore === undefined && since === undefined),
    {
      path: ['nonce'],
      error: 'must be the nonce of the payment; leave out `valid_before` and `since` for a transaction',
    },
  );

/** Schema that parses a complete request for the state of a payment: `{ query }`. */
export const paymentStatusInputSchema = z
  .object({ query: paymentStatusQuerySchema })
  .transform(({ query }) => query);
/** Request for the state of a payment. */
export type PaymentStatusRequest = z.output<typeof paymentStatusQuerySchema>;

export const PAYMENT_STATUS_SCHEMAS = {
  'payment-status': {
    title: 'Payment status',
    description: 'What became of one signed x402 payment, as the chain shows it.',
    component: 'PaymentStatus',
    schema: paymentStatusSchema,
    example: PAYMENT_STATUS_EXAMPLE,
  },
} as const satisfies PublishedSchemas;

const { requested } = PAYMENT_STATUS_EXAMPLE;
const { shape } = paymentStatusQuerySchema;

const createParameter = (name: keyof typeof shape, description: string, example: string): Parameter => ({
  ...{ in: 'query', name, description, example, schema: shape[name] },
  required: name === 'network',
  isInExamples: IN_EXAMPLES.includes(name),
});
const IN_EXAMPLES: readonly string[] = ['payer', 'nonce', 'asset', 'valid_before'];

/** Free operation that returns what became of a payment. */
export const paymentStatusOperation: Operation = {
  ...FREE_GET,
  id: 'getPaymentStatus',
  path: '/v1/payment-status',
  parameters: [
    createParameter('network', 'Network of the payment, as CAIP-2 id.', EXAMPLE_NETWORK),
    createParameter('payer', 'Wallet that signed the payment. Required with a nonce.', requested.payer ?? ''),
    createParameter(
      'nonce',
      'Nonce of the signed authorization: 0x and 64 hexadecimal digits (EIP-3009), or a decimal number (Permit2).',
      requested.nonce ?? '',
    ),
    createParameter(
      'asset',
      'Token of the payment: `asset` of its payment requirements. Required with a nonce; USDC by default with a transaction.',
      EXAMPLE_ASSET,
    ),
    createParameter(
      'transaction',
      'Transaction of the payment, instead of the nonce.',
      `0x${'ab'.repeat(32)}`,
    ),
    createParameter(
      'valid_before',
      'End of the authorization in Unix seconds, exactly as signed: validBefore or deadline. Without it, an unused payment is never expired.',
      '1780272300',
    ),
    createParameter(
      'since',
      `Time before which the payment was not sent, at most ${String(MAX_SEARCH_DAYS)} days ago; ${String(DEFAULT_SEARCH_HOURS)} hours ago by default.`,
      requested.since ?? '',
    ),
  ],
  summary: 'What became of a payment, and if it is safe to pay again',
  description:
    'Reads from the chain if a signed payment was settled, is open, expired or was cancelled: exact (EIP-3009, Permit2), upto, and deposits of batch-settlement, in dollar tokens on EVM networks, and payments on Solana by their transaction. Name it by payer, nonce and token, or by its transaction. safeToPayAgain is true only if a confirmed block shows that the payment can no longer be charged. An RPC provider that shows no payment is not believed alone. Signed.',
  tags: ['trust'],
  response: createPayload(PAYMENT_STATUS_SCHEMAS, 'payment-status'),
  problems: ['chain-unavailable', ...DATABASE],
  tool: {
    place: 15,
    name: 'x402_payment_status',
    title: 'What became of an x402 payment',
    text: 'Use it when a paid request brought no result, before you pay again. Give network, asset, payer, nonce and valid_before exactly as signed, or its transaction. settled: the seller has the money; send the same signed payment again, do not sign a new one. open: it can still be charged; send the same payment again or wait until openUntil. expired or cancelled: nothing was charged; pay again if safeToPayAgain is true. unknown: do not pay; follow reason.',
    isOpenWorld: true,
    isSlow: true,
  },
};
