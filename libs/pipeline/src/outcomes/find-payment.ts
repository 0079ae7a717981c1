import { DAY_MS, formatTimestamp, MINUTE_MS } from '@touchstone/common';
import { isMinedOnDemand, readPaymentStatus } from '@touchstone/chain';
import {
  MAX_DAILY_OUTCOMES,
  MAX_NONCE_DISTANCE_MINUTES,
  MAX_PAYMENT_AGE_DAYS,
  type OutcomeRequest,
} from '@touchstone/contract/operations/outcome/operation';
import type { NamedPayment, PaidOutcome } from '@touchstone/store';
import type { ChainSource } from '../chain-source.ts';
import { limitCalls } from '../limit-calls.ts';
import { createInvalid, createOperationProblem } from '../problem.ts';
import type { OutcomeContext, OutcomeProblem } from './outcome-context.ts';

const UNKNOWN = {
  unused: createOperationProblem(
    'unknown-payment',
    'The chain does not show that the payer used this nonce in USDC. A payment that was never settled cost nothing, so it has no outcome to report. If you paid a moment ago, send the same request again in a minute.',
  ),
  unconfirmed: createOperationProblem(
    'unknown-payment',
    'The payment has too few confirmations, so it may still disappear. Send the same request again in a minute.',
  ),
} as const;

/** Returns the payment that a request names, in lower case. */
export function toNamedPayment({ network, payer, nonce, transaction }: OutcomeRequest): NamedPayment {
  return {
    network,
    payer: payer.toLowerCase(),
    nonce: nonce?.toLowerCase() ?? null,
    transaction: transaction?.toLowerCase() ?? null,
  };
}

/** Request whose payment is searched. `stored`: payments of stored outcomes that the request names. */
export interface PaymentSearch {
  readonly request: OutcomeRequest;
  readonly named: NamedPayment;
  readonly stored: readonly PaidOutcome[];
}

/**
 * Finds the payment of a signed request: a payment that is already stored, or else on the chain. Only readings of the
 * chain are limited per payer, so corrections are not limited.
 *
 * @throws ChainUnreadableError when the chain cannot be read
 */
export async function findPayment(
  context: Pick<OutcomeContext, 'db' | 'now'>,
  { request, named, stored }: PaymentSearch,
  chain: ChainSource,
): Promise<PaidOutcome | OutcomeProblem> {
  const payments = stored.length > 0 ? stored : await readLimited(context, { request, named }, chain);
  if ('kind' in payments) return payments;
  const [payment, ...others] = payments;
  if (payment === undefined) return createAbsent(request);
  if (others.length > 0) return AMBIGUOUS;
  const age = context.now() - Date.parse(payment.paidAt);
  return age > MAX_PAYMENT_AGE_DAYS * DAY_MS ? createTooOld(request) : payment;
}

async function readLimited(
  context: Pick<OutcomeContext, 'db' | 'now'>,
  { request, named }: Pick<PaymentSearch, 'request' | 'named'>,
  chain: ChainSource,
): Promise<readonly PaidOutcome[] | OutcomeProblem> {
  const limited = await limitCalls(context, {
    ...{ key: `outcome ${named.payer}`, limit: MAX_DAILY_OUTCOMES, windowSeconds: DAY_MS / 1_000 },
    reason: `This payer has reported ${MAX_DAILY_OUTCOMES} payments in 24 hours.`,
  });
  return limited ?? readFromChain(named, Date.parse(request.observed_at), chain);
}

const AMBIGUOUS = createInvalid(
  'transaction',
  'The transaction has several payments of this payer. Name the payment by its `nonce`, and leave out `transaction`.',
);

async function readFromChain(
  named: NamedPayment,
  observedAt: number,
  { providers, confirmations }: ChainSource,
): Promise<readonly PaidOutcome[] | OutcomeProblem> {
  // The schema of the request has checked the format, so the cast is safe.
  const toHex = (text: string | null) => (text ?? '0x') as `0x${string}`;
  const distance = MAX_NONCE_DISTANCE_MINUTES * MINUTE_MS;
  const payer = toHex(named.payer);
  const by =
    named.nonce === null
      ? { transaction: toHex(named.transaction), payer }
      : {
          ...{ payer, nonce: toHex(named.nonce), validBefore: null },
          ...{ since: observedAt - distance, until: observedAt + distance },
        };
  const { state, reason, payments } = await readPaymentStatus(providers, { by, confirmations });
  if (state === 'open') return UNKNOWN.unused;
  // The newest block of a chain that is mined on demand is confirmed by no later block until the next transaction.
  if (reason === 'unconfirmed' && !(await isMinedOnDemand(providers))) return UNKNOWN.unconfirmed;
  return payments.flatMap(({ kind, nonce, transaction, sender, payTo, amount, at }) => {
    if (kind !== 'authorization' || nonce === null) return [];
    return [{ nonce, transaction, sender, payTo, amount: amount.toString(), paidAt: formatTimestamp(at) }];
  });
}

function createAbsent({ nonce, network, payer }: OutcomeRequest): OutcomeProblem {
  return createOperationProblem(
    'unknown-payment',
    nonce === undefined
      ? `The transaction is not on ${network}, or contains no USDC that ${payer} paid by a signed authorization (EIP-3009). Check the transaction and the payer. If you paid a moment ago, send the same request again in a minute.`
      : `The nonce was used, but for no payment within ${MAX_NONCE_DISTANCE_MINUTES} minutes of \`observed_at\`. Send the time of the response, or name the \`transaction\` instead of the nonce.`,
  );
}

function createTooOld({ nonce }: OutcomeRequest): OutcomeProblem {
  return createInvalid(
    nonce === undefined ? 'transaction' : 'nonce',
    `The payment must be at most ${MAX_PAYMENT_AGE_DAYS} days old, and it is older. Report a newer payment.`,
  );
}
