import {
  ChainUnreadable,
  findAuthorization,
  type AuthorizationFate,
  type Providers,
} from '@touchstone/chain';
import { encodePaymentResponseHeader } from '@x402/core/http';
import { askChain } from './ask-chain.ts';
import { FacilitatorTrouble } from './guard-facilitator.ts';
import type { PaidRequest } from './purchase.ts';
import type { SettleAnswer, Till } from './till.ts';

/** What became of a settlement. `audited`: the chain says so, and not the facilitator alone. */
export type SettlementEnd =
  | {
      readonly kind: 'settled';
      readonly transaction: string;
      readonly receipt: string;
      readonly audited: boolean;
    }
  | { readonly kind: 'refused'; readonly reason: string; readonly receipt: string }
  | { readonly kind: 'unknown'; readonly reason: string };

/**
 * Reasons of a facilitator that belong to the time before anything is sent to the chain: of x402's exact scheme (section
 * 9 of version 2, and what its facilitator in @x402/evm answers when it verifies once more), and CDP's. A word that is
 * not among them may be said of a transaction that is under way.
 */
const BEFORE_BROADCAST: ReadonlySet<string> = new Set([
  'insufficient_funds',
  'insufficient_balance',
  'invalid_exact_evm_insufficient_balance',
  'invalid_signature',
  'invalid_exact_evm_signature',
  'invalid_exact_evm_payload_signature',
  'invalid_exact_evm_payload_authorization_valid_after',
  'invalid_exact_evm_payload_authorization_valid_before',
  'invalid_exact_evm_payload_authorization_value',
  'invalid_exact_evm_payload_authorization_value_mismatch',
  'invalid_exact_evm_authorization_value',
  'invalid_exact_evm_recipient_mismatch',
  'invalid_exact_evm_payload_recipient_mismatch',
  'invalid_exact_evm_network_mismatch',
  'invalid_exact_evm_token_name_mismatch',
  'invalid_exact_evm_token_version_mismatch',
  'invalid_exact_evm_missing_eip712_domain',
  'invalid_exact_evm_eip3009_not_supported',
  'invalid_exact_evm_scheme',
  'invalid_network',
  'invalid_payload',
  'invalid_payment',
  'invalid_payment_requirements',
  'invalid_scheme',
  'invalid_x402_version',
  'unsupported_scheme',
]);

/** Nodes behind one address differ by some blocks, and clocks by minutes at most. */
const OVER_MS = 300_000;

/** Whether the chain's own time is so far past the end of an unused authorization that no block can hold its use. */
export const isOver = (fate: Extract<AuthorizationFate, { state: 'unused' }>, validBeforeMs: number) =>
  fate.headAt >= validBeforeMs + OVER_MS;

/** After so many settlements of one result only the chain is asked what became of it. */
const MOST_ATTEMPTS = 20;

/** The receipt of a payment whose settlement was found out otherwise than from the facilitator's answer. */
export const receiptOf = ({ payer, network }: { payer: string; network: string }, transaction: string) =>
  encodePaymentResponseHeader({
    success: true,
    transaction,
    // The network of the row is the one that the till was opened for.
    network: network as `${string}:${string}`,
    payer,
  });

const refusedReceipt = ({ key, terms }: PaidRequest, errorReason: string) =>
  encodePaymentResponseHeader({
    success: false,
    errorReason,
    transaction: '',
    network: terms.network,
    payer: key.payer,
  });

/** What the chain says; null where it cannot be read. */
const lookUp = async (
  { chain, till }: SettlingParts,
  paid: PaidRequest,
): Promise<AuthorizationFate | null> => {
  const { payer, payTo, nonce, amount } = paid.authorization;
  // Clocks and block times differ by minutes at most.
  const order = { asset: till.asset, payer, payTo, nonce, amount, since: paid.since - 600_000 };
  try {
    return await askChain(chain, (providers) => findAuthorization(providers, order));
  } catch (error) {
    if (error instanceof ChainUnreadable) return null;
    throw error;
  }
};

/** What is known where no settlement was confirmed, once the chain has been asked whether money moved all the same. */
const weigh = (
  { reason, receipt }: { readonly reason: string; readonly receipt: string },
  fate: AuthorizationFate | null,
  paid: PaidRequest,
): SettlementEnd => {
  const refused = { kind: 'refused', reason, receipt } as const;
  const unknown = { kind: 'unknown', reason } as const;
  switch (fate?.state) {
    case 'paid': {
      const { transaction } = fate;
      return { kind: 'settled', transaction, receipt: receiptOf(paid.key, transaction), audited: true };
    }
    case 'canceled':
    case 'used-otherwise':
      return refused;
    case 'unused': {
      if (isOver(fate, Number(paid.authorization.validBefore) * 1_000)) return refused;
      // What an earlier attempt sent may be under way still.
      return paid.attempt === 1 && BEFORE_BROADCAST.has(reason) ? refused : unknown;
    }
    case undefined:
      return unknown;
  }
};

interface SettlingParts {
  readonly till: Till;
  readonly chain: Providers;
}

/**
 * Settles a payment whose work is done, once or once more: it moves money at most once, because its nonce does. A
 * refusal is final where the chain says that the authorization was used otherwise, was withdrawn or is over; where it is
 * unused, only where nothing can have been sent to the chain. All else is not known, and may be tried again.
 */
export const settlePurchase = async (parts: SettlingParts, paid: PaidRequest): Promise<SettlementEnd> => {
  if (paid.attempt > MOST_ATTEMPTS) {
    const receipt = refusedReceipt(paid, 'settlement_failed');
    return weigh({ reason: 'settlement_failed', receipt }, await lookUp(parts, paid), paid);
  }
  let answer: SettleAnswer;
  try {
    answer = await parts.till.settle(paid.payload, paid.terms);
  } catch (error) {
    if (error instanceof FacilitatorTrouble) return { kind: 'unknown', reason: error.message };
    throw error;
  }
  if (answer.kind === 'settled') return { ...answer, audited: false };
  if (answer.kind === 'pending') return { kind: 'unknown', reason: answer.reason };
  return weigh(answer, await lookUp(parts, paid), paid);
};
