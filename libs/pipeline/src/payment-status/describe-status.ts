import { formatUsd } from '@touchstone/common';
import type { PaymentStatus } from '@touchstone/contract/operations/payment-status/response';

type StatusFacts = Pick<PaymentStatus, 'state' | 'cause' | 'requested' | 'payments'>;

const RESEND =
  'Do not pay again. If the result is missing, send the same signed payment once more, or give the seller the transaction.';
const NOUNS = {
  authorization: 'The payment',
  permit2: 'The payment',
  transaction: 'The payment',
  deposit: 'The deposit',
  settlement: 'The settlement of deposits',
} as const;
const NOT_AGAIN = 'Do not sign a second payment';

/** Describes in a few sentences what happened to the money, and what the payer should do. */
export function describeStatus(facts: StatusFacts): string {
  const { state } = facts;
  if (state === 'settled') return describeSettled(facts);
  if (state === 'open') return describeOpen(facts);
  if (state === 'cancelled')
    return `The payer ${facts.requested.payer ?? ''} cancelled this authorization on the chain, so it can no longer be charged. It is safe to pay again.`;
  if (state === 'expired') return describeExpired(facts);
  return describeUnknown(facts);
}

function describeSettled({ cause, payments }: StatusFacts): string {
  const [payment, ...others] = payments;
  if (payment === undefined) return RESEND;
  const { amountUsd, payTo, transaction, kind } = payment;
  const more = others.length === 0 ? '' : ` The transaction has ${others.length} more in \`payments\`.`;
  const arrived = `${NOUNS[kind]} arrived: ${formatUsd(amountUsd)} to ${payTo} in transaction ${transaction}.${more}`;
  const early = 'Its block has too few confirmations, so it may still disappear: ask again in a minute.';
  return [arrived, ...(cause === 'unconfirmed' ? [early] : []), RESEND].join(' ');
}

function describeOpen({ cause, requested: { validBefore } }: StatusFacts): string {
  if (cause === 'unconfirmed')
    return `The authorization was cancelled in a block with too few confirmations. ${NOT_AGAIN} yet: ask again in a minute.`;
  const unused = 'The signed payment was not used, so nothing was charged yet. It';
  if (validBefore === null)
    return `${unused} may still be charged. ${NOT_AGAIN}: send the same one once more, or ask again with \`valid_before\` to learn when it can no longer be charged.`;
  return `${unused} can be charged until a confirmed block is later than ${validBefore}. ${NOT_AGAIN}: send the same one once more, or ask again after that time.`;
}

function describeExpired({ requested }: StatusFacts): string {
  const { payer, nonce, asset, validBefore } = requested;
  return `The payer ${payer ?? ''} did not use nonce ${nonce ?? ''} of token ${asset}, and a confirmed block is later than ${validBefore ?? ''}. A payment that was signed with exactly these values was not charged and can no longer be charged. It is safe to pay again.`;
}

function describeUnknown({ cause, requested: { network, asset, since, payer } }: StatusFacts): string {
  const by = payer === null ? '' : ` of ${payer}`;
  const next = network.startsWith('eip155:')
    ? 'ask with `payer`, `nonce` and `valid_before` of the signed payment'
    : 'ask again in a minute';
  switch (cause) {
    case 'disagreement':
      return `Two RPC providers of ${network} show different states. Do not pay again: ask again in a minute.`;
    case 'no-agreement':
      return `One RPC provider of ${network} shows that the payment was not charged, and no second one confirms it. Do not pay again: ask again in a minute.`;
    case 'used-before':
      return `The nonce was used, and no transaction since ${since ?? ''} shows for what. Do not pay again: ask with an earlier \`since\`, or look for the payment in the transactions of the payer.`;
    case 'unsupported-token':
      return `${network} has no nonces of such signed payments for the token ${asset}. Do not pay again: ask with the \`transaction\`, or with the \`asset\` that was signed.`;
    case 'no-payment':
      return `The transaction was found, but it has no signed payment${by} in the token ${asset}. It does not show what became of the payment. Do not pay again: check \`asset\` and \`payer\`, or ${next}.`;
    case 'absent':
      return `The transaction is not on ${network}, or not yet. Check \`network\`. Do not pay again: ${next}.`;
    case 'reverted':
      return `The transaction failed, so it moved no money. Another transaction may still charge the same signed payment. Do not pay again: ${next}.`;
    default:
      return `The chain does not show what became of the payment. ${NOT_AGAIN}: ask again in a minute.`;
  }
}
