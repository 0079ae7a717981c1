import {
  ChainUnreadable,
  findAuthorization,
  type AuthorizationFate,
  type Providers,
} from '@touchstone/chain';
import { encodePaymentResponseHeader } from '@x402/core/http';
import { FacilitatorTrouble } from './guard-facilitator.ts';
import type { PaidRequest } from './purchase.ts';
import type { SettleAnswer, Till } from './till.ts';

/** What became of a settlement. `transaction` is null where it is known to be settled, and not by which. */
export type SettlementEnd =
  | { readonly kind: 'settled'; readonly transaction: string | null; readonly receipt: string }
  | { readonly kind: 'refused'; readonly reason: string; readonly receipt: string }
  | { readonly kind: 'unknown'; readonly reason: string };

/** Facilitators say in words of their own that an authorization was used: `nonce` and `used`, or its state. */
const NONCE_USED =
  /nonce.*used|used.*nonce|already_(?:used|settled|processed)|authorization.*used|invalid_transaction_state/i;

/** The receipt of a payment whose settlement was found out otherwise than from the facilitator's answer. */
export const receiptOf = (
  { payer, network }: { payer: string; network: string },
  transaction: string | null,
) =>
  encodePaymentResponseHeader({
    success: true,
    transaction: transaction ?? '',
    // The network of the row is the one that the till was opened for.
    network: network as `${string}:${string}`,
    payer,
  });

const lookUp = async (
  chain: Providers,
  paid: PaidRequest,
  asset: `0x${string}`,
): Promise<AuthorizationFate | null> => {
  const { payer, payTo, nonce, amount } = paid.authorization;
  try {
    // Clocks and block times differ by minutes at most.
    return await findAuthorization(chain, {
      asset,
      payer,
      payTo,
      nonce,
      amount,
      since: paid.since - 600_000,
    });
  } catch (error) {
    if (error instanceof ChainUnreadable) return null;
    throw error;
  }
};

/** What a refusal means, once the chain has been asked whether money moved all the same. */
const weigh = (
  refusal: Extract<SettleAnswer, { kind: 'refused' }>,
  fate: AuthorizationFate | null,
  paid: PaidRequest,
): SettlementEnd => {
  const used = NONCE_USED.test(refusal.reason);
  switch (fate?.state) {
    case 'paid': {
      const { transaction } = fate;
      return { kind: 'settled', transaction, receipt: receiptOf(paid.key, transaction) };
    }
    case 'canceled':
    case 'used-otherwise':
      return refusal;
    case 'unused':
    case undefined:
      // The chain that was asked may be behind the facilitator's.
      return used ? { kind: 'unknown', reason: refusal.reason } : refusal;
  }
};

interface SettlingParts {
  readonly till: Till;
  readonly chain: Providers | null;
}

/** Without a chain to ask, the word of the facilitator counts, where an earlier attempt of ours can have used the nonce. */
const weighBlindly = (
  refusal: Extract<SettleAnswer, { kind: 'refused' }>,
  paid: PaidRequest,
): SettlementEnd =>
  paid.resumed && NONCE_USED.test(refusal.reason)
    ? { kind: 'settled', transaction: null, receipt: receiptOf(paid.key, null) }
    : refusal;

/**
 * Settles a payment whose work is done, once or once more: it moves money at most once, because its nonce does, and a
 * refusal is only taken for one after the chain was asked what became of the nonce.
 */
export const settlePurchase = async (
  { till, chain }: SettlingParts,
  paid: PaidRequest,
): Promise<SettlementEnd> => {
  let answer: SettleAnswer;
  try {
    answer = await till.settle(paid.payload, paid.terms);
  } catch (error) {
    if (error instanceof FacilitatorTrouble) return { kind: 'unknown', reason: error.message };
    throw error;
  }
  if (answer.kind === 'settled') return answer;
  if (answer.kind === 'pending') return { kind: 'unknown', reason: answer.reason };
  if (chain === null) return weighBlindly(answer, paid);
  return weigh(answer, await lookUp(chain, paid, till.asset), paid);
};
